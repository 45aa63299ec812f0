/* Chooses among candidates by held-out likelihood. */
#ifndef DEDPUL_DENSITY_HOLDOUT_H
#define DEDPUL_DENSITY_HOLDOUT_H

#include "density.h"

/* Fits a density with that candidate's size to `train`, and sums weight * log density over `test`. */
typedef dedpul_status holdout_score(struct context *context, size_t candidate, const struct sample *train,
                                    const struct sample *test, double *log_likelihood);

/*
 * Finds the candidate of 0 .. count-1 with the highest log-likelihood, summed over 5 folds; the first of them
 * on a tie. A row stays whole in one fold, whatever its weight.
 */
dedpul_status holdout_choose(struct context *context, const struct sample *sample, enum sample_role role,
                             size_t count, holdout_score *score, size_t *best);

#endif
