/* DEDPUL, its blend with the best bin estimate, and its ablation without D(alpha). */
#include "estimator.h"

#include "weighted.h"

#include <math.h>

dedpul_status alpha_of_root(struct context *context, const struct problem *problem,
                            const struct mixture *mixture, struct proportion *proportion)
{
    (void)problem;
    /* We ask the mixture, not whether alpha_c is 0, because EM never arrives at 0. */
    if (!mixture_is_trivial(mixture)) {
        proportion->alpha = proportion->alpha_c;
        proportion->rule = RULE_ROOT;
        return DEDPUL_OK;
    }
    proportion->alpha = proportion->alpha_n;
    proportion->rule = RULE_MAX_SLOPE;
    context_warn(context, DEDPUL_WARNING_TRIVIAL_ROOT,
                 "D(alpha) has no root but 0, so alpha is where it bends most; look at the curve of "
                 "D(alpha) before trusting it. Few labeled rows or a very low share make this likely");
    return DEDPUL_OK;
}

const struct estimator estimator_dedpul = {
    .name = "dedpul",
    .summary = "density ratio, smoothed; alpha is the root of D(alpha)",
    .posterior = SCALE_IS_ALPHA,
    .ratio = density_ratio,
    .alpha = alpha_of_root,
};

static dedpul_status normalised_ratio(struct context *context, const struct problem *problem,
                                      struct densities *densities, struct ratio *ratio)
{
    return density_ratio_smoothed(context, problem, SMOOTHING_PAPER, true, densities, ratio);
}

static dedpul_status alpha_of_blend(struct context *context, const struct problem *problem,
                                    const struct mixture *mixture, struct proportion *proportion)
{
    TRY(alpha_of_root(context, problem, mixture, proportion));
    const double alpha_d = proportion->alpha, alpha_b = best_bin(problem->p, problem->u);
    const double weight = (alpha_d + alpha_b) / 2;
    proportion->alpha = (1 - weight) * alpha_d + weight * alpha_b;
    proportion->rule = RULE_FORMULA;
    return DEDPUL_OK;
}

const struct estimator estimator_dedpul_bbe = {
    .name = "dedpul_bbe",
    .summary = "DEDPUL with the paper's smoothing of the ratio over its mean, blended with bbe",
    .posterior = SCALE_MEETS_ALPHA,
    .ratio = normalised_ratio,
    .alpha = alpha_of_blend,
};

static dedpul_status unsmoothed_ratio(struct context *context, const struct problem *problem,
                                      struct densities *densities, struct ratio *ratio)
{
    return density_ratio_smoothed(context, problem, SMOOTHING_NONE, false, densities, ratio);
}

/* alpha* = inf f_u / f_p, with a quantile in place of the infimum. */
static dedpul_status alpha_of_quantile(struct context *context, const struct problem *problem,
                                       const struct mixture *mixture, struct proportion *proportion)
{
    (void)context;
    (void)problem;
    proportion->alpha = 1 / fmax(1, weighted_quantile(mixture->m, mixture->value, mixture->mass, 0.95));
    proportion->rule = RULE_FORMULA;
    return DEDPUL_OK;
}

const struct estimator estimator_simple_alpha = {
    .name = "simple_alpha",
    .summary = "unsmoothed density ratio; alpha is one over its 95% quantile (ablation)",
    .posterior = SCALE_IS_ALPHA,
    .ratio = unsmoothed_ratio,
    .alpha = alpha_of_quantile,
};
