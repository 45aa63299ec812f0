#include "result.h"

#include "handle.h"
#include "interpolate.h"
#include "logistic.h"

struct result *result_create(const dedpul_allocator *allocator, dedpul_error *error)
{
    struct result *result = handle_allocate(allocator, sizeof *result, error);
    if (result == NULL)
        return NULL;
    arena_init(&result->memory, allocator);
    result->kinds = (struct kind_estimates){.n = 0};
    result->checked = (struct checked_labels){.is_done = false};
    return result;
}

void dedpul_result_free(dedpul_result *public)
{
    struct result *result = (struct result *)public;
    if (result == NULL)
        return;
    const dedpul_allocator allocator = result->memory.allocator;
    arena_free(&result->memory);
    handle_free(allocator, result);
}

void warnings_show(const struct warnings *warnings, dedpul_warning *public)
{
    for (size_t i = 0; i < warnings->n; i++) {
        const struct warning *warning = &warnings->item[i];
        public[i] = (dedpul_warning){warning->code, warning_name(warning->code), warning->message};
    }
}

static const dedpul_interval *show_interval(struct result *result)
{
    const struct interval *interval = &result->estimate.interval;
    if (!interval->is_wanted)
        return NULL;
    result->interval = (dedpul_interval){
        .size = sizeof result->interval,
        .resamples = interval->resamples,
        .level = interval->level,
        .low = interval->low,
        .high = interval->high,
        .percentile_low = interval->percentile_low,
        .percentile_high = interval->percentile_high,
        .upper_bound = interval->upper_bound,
    };
    return &result->interval;
}

/* The share of positives that are labeled, if this share of the unlabeled weight is positive. */
static double label_rate(double labeled, double share, double unlabeled)
{
    return labeled / (labeled + share * unlabeled);
}

static void show_kinds(struct result *result)
{
    const double unlabeled = result->estimate.weight_unlabeled;
    for (size_t k = 0; k < result->kinds.n; k++) {
        const struct kind_estimate *kind = &result->kinds.kind[k];
        result->kind[k] = (dedpul_kind){
            .name = kind->name,
            .n_labeled = kind->rows,
            .weight_labeled = kind->weight,
            .share = kind->share,
            .low = kind->low,
            .high = kind->high,
            .label_rate = label_rate(kind->weight, kind->share, unlabeled),
            .label_rate_low = label_rate(kind->weight, kind->high, unlabeled),
            .label_rate_high = label_rate(kind->weight, kind->low, unlabeled),
            .posterior = kind->posterior,
        };
        result->shown_kind[k] = &result->kind[k];
    }
}

_Static_assert((int)RULE_MEDIAN == (int)DEDPUL_RULE_MEDIAN && (int)RULE_FORMULA == (int)DEDPUL_RULE_FORMULA &&
                   (int)RULE_MAX_SLOPE == (int)DEDPUL_RULE_MAX_SLOPE,
               "rules agree");
_Static_assert(CURVE_POINTS == DEDPUL_CURVE_POINTS, "curves agree");

void result_show(struct result *result, const struct estimator *method, const struct warnings *warnings)
{
    const struct estimate *estimate = &result->estimate;
    const struct solution *solution = &estimate->solution;
    const struct densities *densities = &estimate->densities;
    result->warnings = *warnings;
    warnings_show(&result->warnings, result->warning);
    show_kinds(result);
    for (size_t j = 0; j < CURVE_POINTS; j++)
        result->curve_alpha[j] = curve_alpha(j);
    for (size_t k = 0; k < N_QUANTILES; k++)
        result->quantile[k] = solution->has_quantiles ? sigmoid(solution->quantiles.logit[k]) : NAN;
    result->public = (dedpul_result){
        .size = sizeof result->public,
        .method = method->name,
        .density = densities->kind != NULL ? densities->kind->name : NULL,
        .alpha = solution->proportion.alpha,
        .alpha_c = solution->proportion.alpha_c,
        .alpha_n = solution->proportion.alpha_n,
        .rule = (dedpul_rule)solution->proportion.rule,
        .scale = solution->scale,
        .mean_ratio = solution->mean_ratio,
        .auc = estimate->auc,
        .bandwidth_p = densities->bandwidth_p,
        .bandwidth_u = densities->bandwidth_u,
        .n_positive = estimate->n_positive,
        .n_unlabeled = estimate->n_unlabeled,
        .weight_positive = estimate->weight_positive,
        .weight_unlabeled = estimate->weight_unlabeled,
        .ratio = estimate->ratio,
        .posterior = estimate->posterior,
        .interval = show_interval(result),
        .posterior_low = estimate->posterior_low,
        .posterior_high = estimate->posterior_high,
        .n_grid = estimate->grid.n,
        .grid_logit = estimate->grid.logit,
        .grid_positive = estimate->grid.positive,
        .grid_unlabeled = estimate->grid.unlabeled,
        .grid_ratio = estimate->grid_ratio,
        .n_points = estimate->n_points,
        .point_logit = estimate->point_logit,
        .point_ratio = estimate->point_ratio,
        .n_curve = CURVE_POINTS,
        .curve_alpha = result->curve_alpha,
        .curve_d = estimate->curve_d,
        .n_warnings = result->warnings.n,
        .warnings = result->warning,
        .n_scales = solution->scales.n,
        .scales = solution->scales.scale,
        .scale_weights = solution->scales.weight,
        .n_quantiles = solution->has_quantiles ? N_QUANTILES : 0,
        .quantile_levels = quantile_level,
        .quantiles = result->quantile,
        .n_kinds = result->kinds.n,
        .kinds = result->kinds.n > 0 ? result->shown_kind : NULL,
        .row_weights = result->kinds.weight,
        .row_kinds = result->kinds.of_row,
        .label_check = label_check_show(&result->checked, &result->check),
    };
}

dedpul_status result_scales(const dedpul_result *result, struct scales *scales, dedpul_error *error)
{
    *scales = one_scale(result->scale);
    if (result->n_scales > MOST_SCALES)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the result has %zu scales: at most %d are supported", result->n_scales,
                         MOST_SCALES);
    for (size_t k = 0; k < result->n_scales; k++) {
        scales->scale[k] = result->scales[k];
        scales->weight[k] = result->scale_weights[k];
    }
    scales->n = result->n_scales > 0 ? result->n_scales : 1;
    return DEDPUL_OK;
}

dedpul_status dedpul_result_evaluate(const dedpul_result *result, size_t n, const double *score,
                                     double *ratio, double *posterior, dedpul_error *error)
{
    if (result == NULL || (score == NULL && n > 0))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "result and score must not be NULL");
    if (result->n_points == 0)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "the result has no curve of ratios");
    for (size_t i = 0; i < n; i++)
        if (!(score[i] >= 0 && score[i] <= 1))
            return error_set(error, DEDPUL_INVALID_DATA, "score[%zu] is %g: scores must lie in [0, 1]", i,
                             score[i]);
    struct scales scales;
    TRY(result_scales(result, &scales, error));
    for (size_t i = 0; i < n; i++) {
        const double r =
            interpolate(result->n_points, result->point_logit, result->point_ratio, logit_of(score[i]));
        if (ratio != NULL)
            ratio[i] = r;
        if (posterior != NULL)
            posterior[i] = posterior_of(&scales, r);
    }
    return DEDPUL_OK;
}
