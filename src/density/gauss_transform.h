/* Sums of Gaussian kernels at many points, in time linear in sources plus targets. */
#ifndef DEDPUL_DENSITY_GAUSS_TRANSFORM_H
#define DEDPUL_DENSITY_GAUSS_TRANSFORM_H

#include "context.h"

/*
 * out_i = factor sum_j weight_j exp(-(target_i - source_j)^2 / (2 bandwidth^2)).
 *
 * A kernel value at a distance of up to 9 bandwidths has a relative error of 1e-12, plus what the rounding of
 * positions adds: 1e-15 times the range in bandwidths. Farther values are below 3e-18 and may be left out.
 * All terms are positive, so the sum has the same relative error, plus 3e-18 times the total weight over the
 * sum. It is never negative. There must be at least one source and one target, and the bandwidth must be at
 * least a millionth of their range. weight may be NULL: each source counts once.
 */
dedpul_status gauss_transform(struct context *context, size_t n_source,
                              const double *source /* (n_source) ascending */,
                              const double *weight /* (n_source) or NULL */, double bandwidth, double factor,
                              size_t n_target, const double *target /* (n_target) ascending */,
                              double *out /* (n_target) */);

#endif
