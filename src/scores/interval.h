/*
 * How uncertain an estimate from scores is, by the bootstrap: the estimate is repeated on resamples. A
 * resample draws rows of either sample at random with replacement, as many as there are. A resample is made
 * of counts of the sorted rows, so it needs no sorting of its own.
 */
#ifndef DEDPUL_SCORES_INTERVAL_H
#define DEDPUL_SCORES_INTERVAL_H

#include "estimate_plan.h"

struct interval {
    bool is_wanted;
    unsigned resamples; /* those that gave an estimate; 0: no interval, only level and bound are set */
    double level;
    double low, high;                       /* percentiles corrected for the bias of the resamples' median */
    double percentile_low, percentile_high; /* plain percentiles */
    double upper_bound;                     /* holds at this level and assumes nothing about distributions */
};

/* Intervals of posteriors at some logits, from which those of all rows are interpolated. */
struct bands {
    size_t n; /* 0: not wanted, or there are too few rows or resamples */
    const double *logit;
    double *low, *high;
};

/*
 * `densities` are those of the estimate: resamples use the bandwidths that were chosen automatically for it.
 */
dedpul_status interval_by_bootstrap(struct context *context, const struct estimate_plan *plan,
                                    const struct problem *problem, const struct densities *densities,
                                    double alpha, struct interval *interval, struct bands *bands);

#endif
