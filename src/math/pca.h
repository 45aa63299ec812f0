/* Principal components. */
#ifndef DEDPUL_MATH_PCA_H
#define DEDPUL_MATH_PCA_H

#include "context.h"

/*
 * Projects centered rows on their `wanted` components of largest variance, in falling order; wanted is at
 * most min(n, width). The largest loading of each component is positive. Weights are counts; NULL: each row
 * counts once. Components beyond the rank of the rows are 0.
 */
dedpul_status principal_components(struct context *context, size_t n, size_t width,
                                   const float *x /* (n, width) */, const double *weight /* (n) */,
                                   size_t wanted, float *projected /* (n, wanted) */);

#endif
