/* The paper's experiments. */
#ifndef DEDPUL_EXPERIMENTS_EXPERIMENTS_H
#define DEDPUL_EXPERIMENTS_EXPERIMENTS_H

#include "protocol.h"
#include "results.h"

/* How far the runs are. */
struct standing {
    size_t done, runs;   /* runs that were done before are not counted */
    double seconds_left; /* NaN: not known yet */
};

/* Called from several threads, but one at a time. Not 0 ends the runs. */
typedef int standing_function(void *context, const struct standing *standing);

struct experiment {
    enum kind kind;
    const char *directory;               /* of results.csv; made where there is none */
    const char *data;                    /* of data sets */
    const char *sets, *alphas, *methods; /* separated by commas; methods also "scores" and "all" */
    unsigned repeats, threads;
    const char *preset;
    size_t n_options; /* of the fit beside the preset: name and value */
    const char *const (*option)[2];
    standing_function *tell;
    void *tell_context;
};

/* What the runs came to. */
struct experiment_end {
    size_t done, skipped; /* runs; the latter were done before */
    size_t failed;        /* methods of runs, which have no row */
    char failure[1200];   /* the first of them, and why */
};

/*
 * Does the runs that are missing in DIRECTORY/results.csv. Rows are added as runs finish, so that nothing is
 * lost when they are stopped; at the end they are put in order.
 */
dedpul_status experiment_run(const struct experiment *experiment, struct experiment_end *end,
                             dedpul_error *error);

/* DEDPUL on one sample of negatives L(2,1) with alpha = 0.5, whose target is alpha*: the paper's example of
 * D(alpha). */
dedpul_status example_curve(dedpul_result **result, double *target, dedpul_error *error);

#endif
