/* From the density ratio to alpha: the last step of an estimate, and of each resample. */
#ifndef DEDPUL_SCORES_SOLVE_H
#define DEDPUL_SCORES_SOLVE_H

#include "estimate_plan.h"

struct solution {
    struct proportion proportion;
    double scale;         /* the mean of min(scale * ratio, 1) is alpha, or is as near as can be */
    struct scales scales; /* posteriors are means over these */
    bool has_quantiles;   /* the method knows alpha's distribution */
    struct alpha_quantiles quantiles; /* its median is alpha */
    struct interval_scales { /* posteriors at the ends of alpha's interval are min(scale * ratio, 1) */
        double low, high;
    } ends;
    double alpha_of_root; /* what DEDPUL says: the root of D for the ratio as it was, or its bend */
    double alpha_before;  /* the median of alpha's distribution before DEDPUL's alpha was pooled with it */
    double mean_ratio;
};

/*
 * Finds alpha, or takes the plan's, and the scales of the posteriors. Also fills D at 0, 0.001, ..., 1. If
 * the method knows alpha's distribution, its alpha is not a root of D; then the ratio is multiplied by a
 * factor that makes it one, so that alpha, D, ratio and posteriors agree.
 */
dedpul_status solve(struct context *context, const struct estimate_plan *plan, const struct problem *problem,
                    struct ratio *ratio, double curve[CURVE_POINTS], struct solution *solution);

#endif
