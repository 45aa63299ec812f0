#include "solve.h"

#include "weighted.h"

#include <math.h>

/* Prepares D: sums the weights of the rows by the rank of their ratio. */
static dedpul_status mixture_of(struct context *context, const struct ratio *ratio, struct mixture *mixture)
{
    double *mass = context_allocate(context, ratio->m, sizeof *mass);
    if (mass == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < ratio->m; k++)
        mass[k] = 0;
    for (size_t i = 0; i < ratio->n; i++)
        mass[ratio->rank[i]] += weight_at(ratio->weight, i);
    return mixture_init(context, ratio->m, ratio->value, mass, mixture);
}

static double scale_of(struct context *context, const struct estimator *estimator,
                       const struct mixture *mixture, const struct proportion *proportion)
{
    int reached;
    if (estimator->posterior == SCALE_ALWAYS_ALPHA ||
        (estimator->posterior == SCALE_IS_ALPHA && proportion->rule != RULE_GIVEN))
        return proportion->alpha;
    const double scale = mixture_scale(mixture, proportion->alpha, &reached);
    if (!reached && proportion->rule == RULE_GIVEN)
        context_warn(context, DEDPUL_WARNING_PRIOR_NOT_SUPPORTED,
                     "the scores do not support a share of %g: posteriors use the largest scale, %g, "
                     "and their mean is lower. Check the share, or the classifier",
                     proportion->alpha, scale);
    else if (!reached)
        context_warn(
            context, DEDPUL_WARNING_LOW_POSTERIORS,
            "the mean of the posteriors stays below alpha, %g, even with the largest scale, %g: the "
            "density ratio does not support this alpha. See what other methods say ('dedpul compare')",
            proportion->alpha, scale);
    return scale;
}

dedpul_status solve(struct context *context, const struct estimate_plan *plan, const struct problem *problem,
                    const struct ratio *ratio, double curve[CURVE_POINTS], struct solution *solution)
{
    struct block *mark = context_mark(context);
    struct proportion *proportion = &solution->proportion;
    struct mixture mixture;
    TRY(mixture_of(context, ratio, &mixture));
    mixture_curve(&mixture, curve);
    proportion->alpha_c = plan->solver == SOLVER_EM ? mixture_em(&mixture) : mixture_root(&mixture);
    proportion->alpha_n = max_slope(curve);
    if (isnan(plan->alpha)) {
        TRY(plan->method->alpha(context, problem, &mixture, proportion));
    } else {
        proportion->alpha = plan->alpha;
        proportion->rule = RULE_GIVEN;
    }
    solution->scale = scale_of(context, plan->method, &mixture, proportion);
    solution->mean_ratio = mixture_mean_ratio(&mixture);
    context_release(context, mark);
    return DEDPUL_OK;
}
