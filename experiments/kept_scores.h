/*
 * Scores that runs keep for later ones: classifiers take nearly all of the time, so a new method on scores
 * that were kept costs next to nothing.
 */
#ifndef DEDPUL_EXPERIMENTS_KEPT_SCORES_H
#define DEDPUL_EXPERIMENTS_KEPT_SCORES_H

#include "run.h"

/* Fills the cross-fitted logits of the run's rows if they were kept; *found tells. */
dedpul_status kept_scores_read(const struct run *run, size_t n, double *logit /* (n) */, bool *found,
                               dedpul_error *error);

/* Keeps them, if the experiment has a directory for them. */
dedpul_status kept_scores_write(const struct run *run, size_t n, const double *logit /* (n) */,
                                dedpul_error *error);

#endif
