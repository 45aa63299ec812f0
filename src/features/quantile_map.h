/* Maps values to normal quantiles by their ranks. */
#ifndef DEDPUL_FEATURES_QUANTILE_MAP_H
#define DEDPUL_FEATURES_QUANTILE_MAP_H

#include "context.h"

/*
 * Learns knots (value, normal quantile of its mid-rank) for all distinct values, or for evenly spaced ones if
 * there are many. n_knots is 0 if there are fewer than 10 distinct values. NaN values and values of weight 0
 * take no part. The knots are in `memory`.
 */
dedpul_status quantile_map_learn(struct context *context, size_t n, const double *value /* (n) */,
                                 const double *weight /* (n) or NULL */, struct arena *memory,
                                 size_t *n_knots, double **knot_value, double **knot_normal);

/* Maps values: linear between the knots, constant beyond them. NaN stays NaN. */
void quantile_map_apply(size_t n_knots, const double *knot_value /* (n_knots) ascending */,
                        const double *knot_normal /* (n_knots) */, size_t n, const double *value /* (n) */,
                        double *normal /* (n) */);

#endif
