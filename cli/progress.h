/* Progress of long work, on standard error. */
#ifndef DEDPUL_CLI_PROGRESS_H
#define DEDPUL_CLI_PROGRESS_H

#include "time_left.h"

#include <dedpul.h>

#include <stdbool.h>

struct progress {
    bool quiet, verbose;
    bool on_terminal;
    bool drawn; /* a line that is not ended */
    char stage[32];
    double began, last; /* seconds */
    struct time_left left;
};

void progress_init(struct progress *progress, bool quiet, bool verbose);

/* A dedpul_progress_function; its context is a struct progress. Not 0 after an interrupt that was caught. */
int progress_show(void *context, const dedpul_progress *now);

/* A bar of runs, with the time that is left in seconds or NaN. Not 0 after an interrupt that was caught. */
int progress_show_runs(struct progress *progress, size_t done, size_t runs, double left);

/* Ends the line. */
void progress_end(struct progress *progress);

#endif
