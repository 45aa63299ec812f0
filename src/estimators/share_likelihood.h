/* The likelihood of histograms under a given share of positives: the curve of AlphaMax. */
#ifndef DEDPUL_ESTIMATORS_SHARE_LIKELIHOOD_H
#define DEDPUL_ESTIMATORS_SHARE_LIKELIHOOD_H

#include <stddef.h>

/*
 * Of the unlabeled rows in bin k let a share b_k be positive, and all in all a share a, 0 < a < 1. Finds the
 * shares with the highest mean log-likelihood of P under the positives so described (masses b u / a) plus
 * that of U under a p + (1 - a) * the negatives (masses (1 - b) u / (1 - a)), and returns it.
 */
double share_likelihood(size_t n, const double *p /* (n) masses of P */,
                        const double *u /* (n) masses of U, positive */, double a, double *share /* (n) */);

#endif
