/*
 * The two samples as the learned estimator sees them: which share of U lies above the threshold that has a
 * share t of P above it, for a fixed grid of t. It depends on the order of the scores alone. alpha* is the
 * limit of the curve's slope as t goes to 0.
 */
#ifndef DEDPUL_ESTIMATORS_TAIL_CURVE_H
#define DEDPUL_ESTIMATORS_TAIL_CURVE_H

#include "sample.h"

enum { TAIL_POINTS = 54, TAIL_INPUTS = 2 * TAIL_POINTS + 2 };

struct tail_curve {
    double above[TAIL_POINTS]; /* share of U above the threshold with the share tail_share(j) of P above it */
    double n_p, n_u;           /* sizes of the samples; with weights, their effective sizes */
};

/* The grid, ascending: 40 shares from 10^-3.3 to 10^-0.3, evenly by their logarithm, then 14 up to 1 -
 * 10^-2.5. */
void tail_shares(double share[TAIL_POINTS]);

void tail_curve_of(const struct sample *p, const struct sample *u, struct tail_curve *curve);

/* The network's inputs: logarithms of the slopes between points, of those from 0 to each point, and of the
 * sizes. */
void tail_curve_inputs(const struct tail_curve *curve, float input[TAIL_INPUTS]);

#endif
