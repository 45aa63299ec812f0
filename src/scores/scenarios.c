#include "scenarios.h"

#include "logistic.h"
#include "parallel.h"
#include "sort.h"

/* ---- shares of positives ---- */

/* Levels of alpha's distribution, and the part of it that is nearest to each. */
static const double share_level[N_SHARES] = {0.005, 0.025, 0.05, 0.1,   0.25, 0.5,
                                             0.75,  0.9,   0.95, 0.975, 0.995};
static const double share_weight[N_SHARES] = {0.015, 0.0225, 0.0375, 0.1,    0.2,  0.25,
                                              0.2,   0.1,    0.0375, 0.0225, 0.015};

/*
 * The share may be farther below alpha than alpha's distribution says, since alpha* is an upper bound: the
 * more so the less the scores tell, and the fewer are positive. On 615 samples of 32 public tables that are
 * not in the benchmark, the share was below the 95% interval in 26% of those samples with a share of less
 * than 0.8 in which posteriors explain least, in 3% of those in which they explain most, and in 1% of those
 * with a higher share; above it in 1%.
 */
static const double most_spread = 1.5;

/* Posteriors leave this share of the variance of the classes unexplained. */
static double unexplained_share(const struct score_groups *groups)
{
    double positive = 0, left = 0;
    for (size_t g = 0; g < groups->n; g++) {
        positive += groups->unlabeled[g] * groups->posterior[g];
        left += groups->unlabeled[g] * groups->posterior[g] * (1 - groups->posterior[g]);
    }
    const double negative = groups->total_unlabeled - positive;
    return left > 0 ? fmin(left * groups->total_unlabeled / (positive * negative), 1) : 0;
}

/* By how much the logits below alpha are farther away than alpha's distribution says. */
static double lower_spread_of(const struct score_groups *groups, double alpha)
{
    return 1 + most_spread * unexplained_share(groups) * (1 - alpha);
}

static double share_at(const struct alpha_belief *belief, double lower_spread, size_t k)
{
    if (belief->quantiles == NULL)
        return belief->alpha;
    const double median = logit_of(belief->alpha);
    const double distance = logit_of(alpha_quantile(belief->quantiles, share_level[k])) - median;
    return sigmoid(median + (distance < 0 ? lower_spread : 1) * distance);
}

/* ---- scenarios ---- */

/* The mixture of the groups' ratios, by which posteriors get a given mean. */
static dedpul_status mixture_of(struct context *context, const struct score_groups *groups,
                                struct mixture *mixture)
{
    const size_t n = groups->n;
    double *value = context_allocate(context, n, sizeof *value);
    double *mass = context_allocate(context, n, sizeof *mass);
    uint32_t *group = context_allocate(context, n, sizeof *group);
    if (value == NULL || mass == NULL || group == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t g = 0; g < n; g++) {
        value[g] = groups->ratio[g];
        group[g] = (uint32_t)g;
    }
    TRY(sort_with_rows(context, n, value, group));
    for (size_t k = 0; k < n; k++)
        mass[k] = groups->unlabeled[group[k]];
    return mixture_init(context, n, value, mass, mixture);
}

dedpul_status scenarios_suppose(struct context *context, double alpha, struct alpha_belief *belief,
                                struct score_groups *groups)
{
    struct block *mark = context_mark(context);
    struct mixture mixture;
    TRY(mixture_of(context, groups, &mixture));
    belief->alpha = alpha;
    belief->quantiles = NULL;
    belief->scales = scales_with_mean(&mixture, &belief->scales, alpha);
    posteriors_of(&belief->scales, groups->n, groups->ratio, groups->posterior);
    context_release(context, mark);
    return DEDPUL_OK;
}

dedpul_status scenarios_make(struct context *context, const struct score_groups *groups,
                             const struct alpha_belief *belief, struct scenarios *scenarios)
{
    struct block *mark = context_mark(context);
    const size_t n_shares = belief->quantiles != NULL ? N_SHARES : 1;
    const double lower_spread = lower_spread_of(groups, belief->alpha);
    struct mixture mixture;
    int reached;
    TRY(mixture_of(context, groups, &mixture));
    scenarios->n = 0;
    for (size_t k = 0; k < n_shares; k++) {
        const double weight = (n_shares > 1 ? share_weight[k] : 1) / N_PLACES,
                     alpha = share_at(belief, lower_spread, k);
        const struct scales mean = scales_with_mean(&mixture, &belief->scales, alpha);
        const struct scales plain = one_scale(mixture_scale(&mixture, alpha, &reached));
        scenarios->item[scenarios->n++] = (struct scenario){weight, alpha, mean, false};
        scenarios->item[scenarios->n++] = (struct scenario){weight, alpha, plain, false};
        scenarios->item[scenarios->n++] = (struct scenario){weight, alpha, mean, true};
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- measures ---- */

/* Fills the weight of either class in each group. */
static void fill_classes(const struct scenario *scenario, const struct score_groups *groups, double *positive,
                         double *negative)
{
    const double per_labeled = scenario->alpha * groups->total_unlabeled / groups->total_labeled;
    posteriors_of(&scenario->scales, groups->n, groups->ratio, positive);
    for (size_t g = 0; g < groups->n; g++) {
        const double posterior = positive[g], rows = groups->unlabeled[g];
        positive[g] = scenario->by_labels ? per_labeled * groups->labeled[g] : rows * posterior;
        negative[g] = rows * (1 - posterior);
    }
}

/* All that the tasks share. */
struct measuring {
    const struct score_groups *groups;
    const struct scenarios *scenarios;
    size_t n_cuts;
    const size_t *cut;
    struct scenario_measures *measures;
};

static dedpul_status measure_one(struct context *context, void *argument, size_t index)
{
    const struct measuring *all = argument;
    const struct score_groups *groups = all->groups;
    struct scenario_measures *measures = &all->measures[index];
    double *positive = context_allocate(context, groups->n, sizeof *positive);
    double *negative = context_allocate(context, groups->n, sizeof *negative);
    double above = 0;
    if (positive == NULL || negative == NULL)
        return DEDPUL_NO_MEMORY;
    fill_classes(&all->scenarios->item[index], groups, positive, negative);
    const struct classes classes =
        classes_of(groups->n, groups->unlabeled, positive, negative, groups->total_labeled);
    measures->order[ORDER_AUC] = measure_auc(&classes);
    measures->order[ORDER_AVERAGE_PRECISION] = measure_average_precision(&classes);
    measures->order[ORDER_BEST_F1] = measure_best_f1(&classes);
    for (size_t c = 0, g = 0; c < all->n_cuts; c++) {
        for (; g <= all->cut[c]; g++)
            above += positive[g];
        measures->positive[c] = above;
    }
    measures->classes = classes;
    return DEDPUL_OK;
}

dedpul_status scenarios_measure(struct context *context, const struct score_groups *groups,
                                const struct scenarios *scenarios, size_t n_cuts, const size_t *cut,
                                struct scenario_measures *measures)
{
    struct measuring all = {groups, scenarios, n_cuts, cut, measures};
    for (size_t s = 0; s < scenarios->n; s++) {
        measures[s].positive = context_allocate(context, n_cuts, sizeof *measures[s].positive);
        if (measures[s].positive == NULL)
            return DEDPUL_NO_MEMORY;
    }
    return parallel_for(context, scenarios->n, measure_one, &all);
}
