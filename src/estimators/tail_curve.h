/*
 * The two samples as the learned estimator sees them: which share of U lies above the threshold that has a
 * share t of P above it, for a fixed grid of t, and what the scores claim there. The shares depend on the
 * order of the scores alone. alpha* is the limit of the curve's slope as t goes to 0.
 */
#ifndef DEDPUL_ESTIMATORS_TAIL_CURVE_H
#define DEDPUL_ESTIMATORS_TAIL_CURVE_H

#include "sample.h"

enum {
    TAIL_POINTS = 54,
    TAIL_BANDS = 9,
    TAIL_INPUTS = 2 * TAIL_POINTS + (TAIL_BANDS - 1) + 2,
};

struct tail_curve {
    double above[TAIL_POINTS]; /* share of U above the threshold with the j-th of tail_shares of P above it */
    double claim[TAIL_POINTS]; /* logit of the score there: log f_p / f_u as the classifier has it, up to a
                                  constant */
    double n_p, n_u;           /* sizes of the samples; with weights, their effective sizes */
};

/* The grid, ascending: 40 shares from 10^-3.3 to 10^-0.3, evenly by their logarithm, then 14 up to 1 -
 * 10^-2.5. */
void tail_shares(double share[TAIL_POINTS]);

void tail_curve_of(const struct sample *p, const struct sample *u, struct tail_curve *curve);

/*
 * The network's inputs: logarithms of the slopes between points, and of those from 0 to each point; by how
 * much more the scores claim than the slope shows, in bands of points, against the band in the middle; and
 * logarithms of the sizes.
 */
void tail_curve_inputs(const struct tail_curve *curve, float input[TAIL_INPUTS]);

#endif
