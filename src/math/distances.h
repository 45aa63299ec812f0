/* Euclidean distances between rows. */
#ifndef DEDPUL_MATH_DISTANCES_H
#define DEDPUL_MATH_DISTANCES_H

#include "context.h"

/* Computed in double from the differences, so that kernels of these distances stay positive semidefinite. */
dedpul_status squared_distances(struct context *context, size_t n, size_t width,
                                const float *x /* (n, width) */, double *square /* (n, n) symmetric */);

/*
 * The median distance of two rows, over the pairs of at most 1000 evenly spaced rows. Weights are counts of
 * equal rows. If the median is 0, this gives the mean distance over all pairs.
 */
dedpul_status median_distance(struct context *context, size_t n, const double *square /* (n, n) */,
                              const double *weight /* (n) */, double *median);

#endif
