/*
 * Best bin estimation (Garg et al., "Mixture proportion estimation and PU learning: a modern approach",
 * 2021): among the top scores, where the unlabeled rows are purest, alpha is the quotient of the shares.
 */
#include "estimator.h"
#include "weighted.h"

#include <math.h>

/* Takes the rows at or above a score off the end of a sample; returns the share taken so far. */
static double share_from(const struct sample *sample, double score, size_t *end, double *taken)
{
    while (*end > 0 && sample->score[*end - 1] >= score)
        *taken += weight_at(sample->weight, --*end);
    return *taken / sample->total;
}

double best_bin(const struct sample *p, const struct sample *u)
{
    const double confidence = 0.1, slack = 0.01;
    const double width =
        sqrt(log(4 / confidence) / (2 * u->total)) + sqrt(log(4 / confidence) / (2 * p->total));
    size_t end_p = p->n, end_u = u->n;
    double taken_p = 0, taken_u = 0, best_bound = INFINITY, best = 1;
    /* From the highest threshold down; at equal bounds the lowest one counts. */
    while (end_u > 0) {
        const double threshold = u->score[end_u - 1];
        const double q_u = share_from(u, threshold, &end_u, &taken_u);
        const double q_p = share_from(p, threshold, &end_p, &taken_p);
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
