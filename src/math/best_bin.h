/* Best bin estimation. */
#ifndef DEDPUL_MATH_BEST_BIN_H
#define DEDPUL_MATH_BEST_BIN_H

#include <stddef.h>

/*
 * Estimates the share of a that is mixed into b, from values that are high for a. Above a threshold, the
 * share of b divided by the share of a bounds it from above. The threshold with the lowest bound, a penalty
 * for its uncertainty included, gives the estimate, which is at most 1. The threshold may lie above all of b.
 * A weight array that is NULL stands for weights of 1.
 */
double best_bin_share(size_t n_a, const double *a /* (n_a) ascending */, const double *weight_a, size_t n_b,
                      const double *b /* (n_b) ascending */, const double *weight_b);

/* Returns a bound that the share exceeds with a probability of at most `risk`, for any distributions. */
double best_bin_bound(size_t n_a, const double *a /* (n_a) ascending */, const double *weight_a, size_t n_b,
                      const double *b /* (n_b) ascending */, const double *weight_b, double risk);

#endif
