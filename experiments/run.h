/* One run: a sample, one cross-fit, and all methods on it. */
#ifndef DEDPUL_EXPERIMENTS_RUN_H
#define DEDPUL_EXPERIMENTS_RUN_H

#include "draw.h"
#include "experiments.h"

/* What a run is to do. */
struct run {
    const struct experiment *experiment;
    unsigned place; /* place of the set in the protocol */
    const struct set *set;
    const struct sample_size *size;
    unsigned repeat;
    uint64_t wanted; /* a bit for each variant */
    dedpul_progress_function *progress;
    void *progress_context;
};

/* Tells whether classifiers are trained as published. */
bool is_as_published(const struct experiment *experiment);

/* Fills the part of a row that does not depend on the method. */
void run_describe(const struct run *run, const struct variant *variant, struct outcome *row);

/*
 * Draws the sample (dataset is NULL for synthetic sets), and fills the rows of the methods that succeeded, in
 * the order of the protocol. *failure is the message of the first method that failed, or empty. The call
 * itself fails only if something that all methods share fails, or if it is asked to stop.
 */
dedpul_status run_do(const struct run *run, const struct dataset *dataset, struct outcome *row /* (64) */,
                     size_t *n_rows, dedpul_error *failure, dedpul_error *error);

#endif
