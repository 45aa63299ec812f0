/*
 * How uncertain an estimate from scores is: the same on resamples, which take rows of either sample by
 * chance, as many as there are, some more than once. Scores are sorted already, and so are resamples, being
 * counts of them.
 */
#ifndef DEDPUL_SCORES_INTERVAL_H
#define DEDPUL_SCORES_INTERVAL_H

#include "estimate_plan.h"

struct interval {
    bool is_wanted;
    unsigned resamples; /* that gave an estimate; 0: there is no interval, and only level and bound are set */
    double level;
    double low, high;                       /* percentiles corrected for the bias of the resamples' median */
    double percentile_low, percentile_high; /* plain percentiles */
    double upper_bound;                     /* holds with this level whatever the distributions */
};

/* Intervals of posteriors at some logits, from which those of all rows are interpolated. */
struct bands {
    size_t n; /* 0: not wanted, or there are too few rows or resamples for them */
    const double *logit;
    double *low, *high;
};

/* `densities` are those of the estimate: bandwidths that were chosen automatically stay. */
dedpul_status interval_by_bootstrap(struct context *context, const struct estimate_plan *plan,
                                    const struct problem *problem, const struct densities *densities,
                                    double alpha, struct interval *interval, struct bands *bands);

#endif
