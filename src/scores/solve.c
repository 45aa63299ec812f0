#include "solve.h"

#include "logistic.h"
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

/* Makes alpha the root of D: afterwards, the scale is alpha. */
static dedpul_status calibrate(struct context *context, struct ratio *ratio, struct mixture *mixture,
                               struct solution *solution, double curve[CURVE_POINTS])
{
    struct proportion *proportion = &solution->proportion;
    for (size_t k = 0; k < ratio->m; k++)
        ratio->value[k] *= solution->scale / proportion->alpha;
    TRY(mixture_init(context, ratio->m, ratio->value, mixture->mass, mixture));
    mixture_curve(mixture, curve);
    solution->scale = proportion->alpha_c = proportion->alpha;
    proportion->alpha_n = max_slope(curve);
    return DEDPUL_OK;
}

/* Finds the scales that follow from alpha's distribution. */
static void spread(const struct estimate_plan *plan, const struct mixture *mixture, struct solution *solution)
{
    const struct alpha_quantiles *quantiles = &solution->quantiles;
    const double alpha = solution->proportion.alpha, tail = (1 - plan->level) / 2;
    int reached;
    if (!plan->plain_posterior)
        solution->scales = scales_of_quantiles(mixture, quantiles, alpha);
    solution->ends = (struct interval_scales){
        mixture_scale(mixture, alpha_quantile(quantiles, tail), &reached),
        mixture_scale(mixture, alpha_quantile(quantiles, 1 - tail), &reached),
    };
}

/*
 * The part of DEDPUL's error that it does not share with alpha's distribution, as a standard deviation: the
 * bias of its smoothing. It was set on public tables that are not in the benchmark (experiments/NOTES.md,
 * "Pooling").
 */
static const double error_of_root = 0.045;

static dedpul_status find_alpha(struct context *context, const struct estimate_plan *plan,
                                const struct problem *problem, const struct mixture *mixture,
                                struct solution *solution)
{
    struct proportion *proportion = &solution->proportion;
    const struct estimator *method = plan->method;
    solution->has_quantiles = method->distribution != NULL;
    if (solution->has_quantiles)
        TRY(method->distribution(context, problem, &solution->quantiles));
    solution->alpha_before = solution->has_quantiles ? sigmoid(solution->quantiles.logit[MEDIAN]) : NAN;
    if (isnan(plan->alpha) && !solution->has_quantiles)
        return method->alpha(context, problem, mixture, proportion);
    if (method->pools_root)
        alpha_quantiles_pool(&solution->quantiles, solution->alpha_of_root, error_of_root);
    if (isnan(plan->alpha)) {
        proportion->alpha = sigmoid(solution->quantiles.logit[MEDIAN]);
        proportion->rule = RULE_MEDIAN;
    } else {
        proportion->alpha = plan->alpha;
        proportion->rule = RULE_GIVEN;
    }
    return DEDPUL_OK;
}

dedpul_status solve(struct context *context, const struct estimate_plan *plan, const struct problem *problem,
                    struct ratio *ratio, double curve[CURVE_POINTS], struct solution *solution)
{
    struct block *mark = context_mark(context);
    struct proportion *proportion = &solution->proportion;
    struct mixture mixture;
    TRY(mixture_of(context, ratio, &mixture));
    mixture_curve(&mixture, curve);
    proportion->alpha_c = plan->solver == SOLVER_EM ? mixture_em(&mixture) : mixture_root(&mixture);
    proportion->alpha_n = max_slope(curve);
    solution->alpha_of_root = mixture_is_trivial(&mixture) ? proportion->alpha_n : proportion->alpha_c;
    TRY(find_alpha(context, plan, problem, &mixture, solution));
    solution->scale = scale_of(context, plan->method, &mixture, proportion);
    const double alpha = proportion->alpha;
    const bool is_inside = alpha > 0 && alpha < 1 && solution->scale < LARGEST_SCALE;
    if (solution->has_quantiles && alpha > 0 && alpha < 1)
        alpha_quantiles_center(&solution->quantiles, alpha);
    if (solution->has_quantiles && is_inside)
        TRY(calibrate(context, ratio, &mixture, solution, curve));
    solution->scales = one_scale(solution->scale);
    solution->ends = (struct interval_scales){solution->scale, solution->scale};
    if (solution->has_quantiles && is_inside)
        spread(plan, &mixture, solution);
    solution->mean_ratio = mixture_mean_ratio(&mixture);
    context_release(context, mark);
    return DEDPUL_OK;
}
