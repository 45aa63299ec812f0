/* The paper's experiments. */
#ifndef DEDPUL_EXPERIMENTS_EXPERIMENTS_H
#define DEDPUL_EXPERIMENTS_EXPERIMENTS_H

#include "protocol.h"
#include "results.h"

/* How far the runs have come. */
struct standing {
    size_t done, runs;   /* runs that were done before are not counted */
    double seconds_left; /* NaN: not known yet */
};

/* Called from several threads, but never by two at once. Any value but 0 ends the runs. */
typedef int standing_function(void *context, const struct standing *standing);

struct experiment {
    enum kind kind;
    const char *directory;               /* of results.csv; created if it does not exist */
    const char *data;                    /* directory of the data sets */
    const char *scores;                  /* directory where runs keep their scores; NULL: nowhere */
    const char *sets, *alphas, *methods; /* separated by commas; methods also "scores" and "all" */
    unsigned repeats, threads;
    const char *preset;
    size_t n_options; /* options of the fit in addition to the preset: name and value */
    const char *const (*option)[2];
    standing_function *tell;
    void *tell_context;
};

/* The outcome of the runs. */
struct experiment_end {
    size_t done, skipped; /* runs; skipped ones were done before */
    size_t failed;        /* methods that failed in some run; these have no row */
    char failure[1200];   /* the first failure, and its reason */
};

/*
 * Does the runs that are missing in DIRECTORY/results.csv. Rows are added as runs finish, so that nothing is
 * lost if the experiment is stopped. At the end the rows are sorted.
 */
dedpul_status experiment_run(const struct experiment *experiment, struct experiment_end *end,
                             dedpul_error *error);

/*
 * Runs DEDPUL on one sample with negatives L(2,1) and alpha = 0.5, whose target is alpha*: the paper's
 * example of D(alpha).
 */
dedpul_status example_curve(dedpul_result **result, double *target, dedpul_error *error);

#endif
