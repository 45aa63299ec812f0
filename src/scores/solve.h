/* From the density ratio to alpha: the last step of an estimate, and of each resample. */
#ifndef DEDPUL_SCORES_SOLVE_H
#define DEDPUL_SCORES_SOLVE_H

#include "estimate_plan.h"

struct solution {
    struct proportion proportion;
    double scale; /* posterior = min(scale * ratio, 1) */
    double mean_ratio;
};

/* Finds alpha, or takes the plan's, and the scale of the posteriors. Also fills D at 0, 0.001, ..., 1. */
dedpul_status solve(struct context *context, const struct estimate_plan *plan, const struct problem *problem,
                    const struct ratio *ratio, double curve[CURVE_POINTS], struct solution *solution);

#endif
