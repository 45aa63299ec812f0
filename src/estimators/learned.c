/*
 * The way from scores to alpha* as networks have learned it on simulated problems whose answer is known
 * ('make learned' does it again). It gives the whole distribution of alpha*, as quantiles.
 */
#include "estimator.h"
#include "quantile_net.h"

static dedpul_status learned_distribution(struct context *context, const struct problem *problem,
                                          struct alpha_quantiles *quantiles)
{
    struct block *mark = context_mark(context);
    struct tail_curve curve;
    float input[TAIL_INPUTS], quantile[N_QUANTILES],
        *weight = context_allocate(context, NETS_SIZE, sizeof *weight);
    if (weight == NULL)
        return DEDPUL_NO_MEMORY;
    quantile_nets_weights(weight);
    tail_curve_of(problem->p, problem->u, &curve);
    tail_curve_inputs(&curve, input);
    quantile_nets_run(weight, input, quantile);
    for (size_t k = 0; k < N_QUANTILES; k++)
        quantiles->logit[k] = (double)quantile[k];
    context_release(context, mark);
    return DEDPUL_OK;
}

const struct estimator estimator_pooled = {
    .name = "pooled",
    .summary = "the mean of learned and dedpul, weighted by how certain they are",
    .posterior = SCALE_MEETS_ALPHA,
    .ratio = density_ratio,
    .pools_root = true,
    .distribution = learned_distribution,
};

const struct estimator estimator_learned = {
    .name = "learned",
    .summary = "alpha's distribution, by networks that have learned on simulated problems",
    .posterior = SCALE_MEETS_ALPHA,
    .ratio = density_ratio,
    .distribution = learned_distribution,
};
