/* Values to normal quantiles by their ranks. */
#ifndef DEDPUL_FEATURES_QUANTILE_MAP_H
#define DEDPUL_FEATURES_QUANTILE_MAP_H

#include "context.h"

/*
 * Knots (value, normal quantile of its mid-rank) for all distinct values, or for evenly spaced ones where
 * they are many. n_knots is 0 where there are fewer than 10 distinct values. NaN values and those of weight 0
 * take no part.
 */
dedpul_status quantile_map_learn(struct context *context, size_t n, const double *value /* (n) */,
                                 const double *weight /* (n) or NULL */, struct arena *memory,
                                 size_t *n_knots, double **knot_value, double **knot_normal);

#endif
