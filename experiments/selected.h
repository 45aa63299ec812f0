/*
 * Labels that are no random draw: positives are of several kinds, which were labeled at different rates. How
 * far off are estimates that do not know of it, and those that know the kinds?
 */
#ifndef DEDPUL_EXPERIMENTS_SELECTED_H
#define DEDPUL_EXPERIMENTS_SELECTED_H

#include "experiments.h"

#include <stdio.h>

/* Does the runs that are missing in DIRECTORY/selected.csv; rows are added as runs finish. */
struct selected {
    const char *directory, *data;
    const char *sets; /* separated by commas, or "all" */
    unsigned repeats, threads;
    standing_function *tell;
    void *tell_context;
};

dedpul_status selected_run(const struct selected *selected, struct experiment_end *end, dedpul_error *error);

/* Prints what is in DIRECTORY/selected.csv as tables, beside published results. */
dedpul_status selected_report(const char *directory, FILE *stream, dedpul_error *error);

#endif
