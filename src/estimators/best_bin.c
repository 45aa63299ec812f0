/*
 * Best bin estimation (Garg et al., "Mixture proportion estimation and PU learning: a modern approach",
 * 2021): among the top scores, where the unlabeled rows are purest, alpha is the quotient of the shares.
 */
#include "estimator.h"
#include "thresholds.h"

#include <math.h>

double best_bin(const struct sample *p, const struct sample *u)
{
    const double confidence = 0.1, slack = 0.01;
    const double width =
        sqrt(log(4 / confidence) / (2 * u->total)) + sqrt(log(4 / confidence) / (2 * p->total));
    struct thresholds at = thresholds_of(p, u);
    double best_bound = INFINITY, best = 1;
    /* From the highest threshold down; at equal bounds the lowest one counts. */
    while (thresholds_next(&at)) {
        const double q_u = at.above_u / u->total, q_p = at.above_p / p->total;
        if (!(q_p > 0))
            continue;
        const double bound = q_u / q_p + (1 + slack) / q_p * width;
        if (bound <= best_bound) {
            best_bound = bound;
            best = fmin(1, q_u / q_p);
        }
    }
    return best;
}

static dedpul_status alpha_of_best_bin(struct context *context, const struct problem *problem,
                                       const struct mixture *mixture, struct proportion *proportion)
{
    (void)context;
    (void)mixture;
    proportion->alpha = best_bin(problem->p, problem->u);
    proportion->rule = DEDPUL_RULE_FORMULA;
    return DEDPUL_OK;
}

const struct estimator estimator_bbe = {
    .name = "bbe",
    .summary = "best bin estimate of alpha; posteriors from DEDPUL's ratio",
    .posterior = SCALE_MEETS_ALPHA,
    .ratio = density_ratio,
    .alpha = alpha_of_best_bin,
};
