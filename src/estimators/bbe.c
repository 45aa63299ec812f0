/*
 * Best bin estimation (Garg et al., "Mixture proportion estimation and PU learning: a modern approach",
 * 2021). Unlabeled rows are purest among the top scores; there, alpha is the share of U divided by the share
 * of P.
 */
#include "best_bin.h"
#include "estimator.h"

double best_bin(const struct sample *p, const struct sample *u)
{
    return best_bin_share(p->n, p->score, p->weight, u->n, u->score, u->weight);
}

dedpul_status alpha_of_best_bin(struct context *context, const struct problem *problem,
                                const struct mixture *mixture, struct proportion *proportion)
{
    (void)context;
    (void)mixture;
    proportion->alpha = best_bin(problem->p, problem->u);
    proportion->rule = RULE_FORMULA;
    return DEDPUL_OK;
}

const struct estimator estimator_bbe = {
    .name = "bbe",
    .summary = "best bin estimate of alpha; posteriors from DEDPUL's ratio",
    .posterior = SCALE_MEETS_ALPHA,
    .ratio = density_ratio,
    .alpha = alpha_of_best_bin,
};
