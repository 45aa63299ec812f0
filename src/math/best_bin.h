/* Best bin estimation. */
#ifndef DEDPUL_MATH_BEST_BIN_H
#define DEDPUL_MATH_BEST_BIN_H

#include <stddef.h>

/*
 * The share of a that is mixed into b, from values that are high for a: the least quotient of the shares of b
 * and a at or above a threshold, which may be above all of b, where a penalty for its uncertainty decides
 * which is the least; at most 1. A weight array that is NULL stands for weights of 1.
 */
double best_bin_share(size_t n_a, const double *a /* (n_a) ascending */, const double *weight_a, size_t n_b,
                      const double *b /* (n_b) ascending */, const double *weight_b);

/* A bound that the share exceeds with a probability of at most `risk`, whatever the distributions; at most 1.
 */
double best_bin_bound(size_t n_a, const double *a /* (n_a) ascending */, const double *weight_a, size_t n_b,
                      const double *b /* (n_b) ascending */, const double *weight_b, double risk);

#endif
