/* Sums of Gaussian kernels at many points, in time linear in sources plus targets. */
#ifndef DEDPUL_DENSITY_GAUSS_TRANSFORM_H
#define DEDPUL_DENSITY_GAUSS_TRANSFORM_H

#include "context.h"

/*
 * out_i = factor sum_j weight_j exp(-(target_i - source_j)^2 / (2 bandwidth^2)).
 *
 * Each kernel value nearer than 9 bandwidths is reproduced to a relative 1e-12 (plus what the rounding
 * of positions does: 1e-15 times the range in bandwidths); farther ones, below 3e-18, may be left out.
 * As all terms are positive, the sum has the same relative error, plus 3e-18 times the total weight
 * over the sum; and it is never negative. There is at least one source and one target, and the bandwidth
 * is at least a millionth of their range.
 */
dedpul_status gauss_transform(struct context *context, size_t n_source,
                              const double *source /* (n_source) ascending */,
                              const double *weight /* (n_source) or NULL */, double bandwidth, double factor,
                              size_t n_target, const double *target /* (n_target) ascending */,
                              double *out /* (n_target) */);

#endif
