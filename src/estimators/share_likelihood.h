/* The likelihood of histograms under a given share of positives: the curve of AlphaMax. */
#ifndef DEDPUL_ESTIMATORS_SHARE_LIKELIHOOD_H
#define DEDPUL_ESTIMATORS_SHARE_LIKELIHOOD_H

#include <stddef.h>

/*
 * Suppose that a share b_k of the unlabeled rows in bin k is positive, and a share a of all of them, 0 < a
 * < 1. Then the positives have the masses b u / a, and the negatives (1 - b) u / (1 - a). This finds the
 * shares with the highest sum of two mean log-likelihoods: of P under the positives, and of U under a p + (1
 * - a) * the negatives. Returns that sum.
 */
double share_likelihood(size_t n, const double *p /* (n) masses of P */,
                        const double *u /* (n) masses of U, positive */, double a, double *share /* (n) */);

#endif
