/*
 * How uncertain an estimate from scores is: by alpha's distribution, if the method knows it, or by the
 * bootstrap, for which the estimate is repeated on resamples. A resample draws rows of either sample at
 * random with replacement, as many as there are, or whole groups if rows are of groups. It is made of counts
 * of the sorted rows, so it needs no sorting.
 */
#ifndef DEDPUL_SCORES_INTERVAL_H
#define DEDPUL_SCORES_INTERVAL_H

#include "solve.h"

#include <math.h>

struct interval {
    bool is_wanted;
    enum interval_kind kind; /* INTERVAL_NONE: there is none, only level and bound are set */
    unsigned resamples;      /* those that gave an estimate; 0: it does not come from resamples */
    double level;
    double low, high;                       /* by resamples: corrected for the bias of their median */
    double percentile_low, percentile_high; /* plain percentiles */
    double upper_bound;                     /* holds at this level and assumes nothing about distributions */
};

/*
 * Widens an interval by another source of error, whose own interval is [low, high]. The two do not know of
 * each other, so their squares add up.
 */
static inline void interval_widen(double alpha, double low, double high, struct interval *interval)
{
    interval->low = fmax(0, alpha - hypot(alpha - interval->low, fmax(0, alpha - low)));
    interval->high = fmin(1, alpha + hypot(interval->high - alpha, fmax(0, high - alpha)));
}

/* Intervals of posteriors at some logits, from which those of all rows are interpolated. */
struct bands {
    size_t n; /* 0: not wanted, or there are too few rows or resamples */
    const double *logit;
    double *low, *high;
};

/* With fewer rows than this in either sample, there is no interval. */
enum { FEWEST_ROWS = 10 };

void interval_by_method(const struct solution *solution, double level, struct interval *interval);

/*
 * `densities` are those of the estimate: resamples use the bandwidths that were chosen automatically for it.
 */
dedpul_status interval_by_bootstrap(struct context *context, const struct estimate_plan *plan,
                                    const struct problem *problem, const struct densities *densities,
                                    double alpha, struct interval *interval, struct bands *bands);

#endif
