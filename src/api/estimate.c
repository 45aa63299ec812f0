/* The public way from scores to alpha and posteriors. */
#include "bootstrap.h"
#include "diagnose.h"
#include "estimator.h"
#include "interpolate.h"
#include "options.h"
#include "result.h"
#include "weighted.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* What the caller handed over. With labels, both are the same rows; without, all rows of each count. */
struct input {
    const dedpul_sample *positive, *unlabeled;
    const unsigned char *label;
    const struct feature_rows *features; /* of these rows; NULL: not known */
};

/* ---- checks of what the caller handed over ---- */

/* `owner` stands before the arrays' names in messages: "positive." or "". */
static dedpul_status check_rows(const dedpul_sample *rows, const char *owner, dedpul_error *error)
{
    if (rows->score == NULL && rows->n > 0)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "%sscore must not be NULL", owner);
    if (rows->n > UINT32_MAX)
        return error_set(error, DEDPUL_INVALID_DATA, "%zu rows: at most %lu are supported", rows->n,
                         (unsigned long)UINT32_MAX);
    for (size_t i = 0; i < rows->n; i++)
        if (!(rows->score[i] >= 0 && rows->score[i] <= 1))
            return error_set(error, DEDPUL_INVALID_DATA, "%sscore[%zu] is %g: scores must lie in [0, 1]",
                             owner, i, rows->score[i]);
    for (size_t i = 0; rows->weight != NULL && i < rows->n; i++)
        if (!(rows->weight[i] >= 0 && rows->weight[i] <= DEDPUL_LARGEST_WEIGHT))
            return error_set(error, DEDPUL_INVALID_DATA,
                             "%sweight[%zu] is %g: weights are counts, from 0 to %g", owner, i,
                             rows->weight[i], DEDPUL_LARGEST_WEIGHT);
    return DEDPUL_OK;
}

static dedpul_status check_labels(size_t n, const unsigned char *label, dedpul_error *error)
{
    if (label == NULL && n > 0)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "label must not be NULL");
    for (size_t i = 0; i < n; i++)
        if (label[i] > 1)
            return error_set(error, DEDPUL_INVALID_DATA,
                             "label[%zu] is %d: labels are 1 (labeled positive) or 0 (unlabeled)", i,
                             label[i]);
    return DEDPUL_OK;
}

static dedpul_status check_sample(const struct sample *sample, const char *kind, dedpul_error *error)
{
    if (sample->total < 2 && sample->weight == NULL)
        return error_set(error, DEDPUL_INVALID_DATA, "there are %zu %s rows: at least 2 are needed",
                         sample->n, kind);
    if (sample->total < 2)
        return error_set(
            error, DEDPUL_INVALID_DATA,
            "there are %zu %s rows of total weight %g: at least 2 are needed (weights are counts "
            "of rows)",
            sample->n, kind, sample->total);
    if (sample->total > DEDPUL_LARGEST_WEIGHT)
        return error_set(error, DEDPUL_INVALID_DATA,
                         "the weights of the %s rows add up to %g: at most %g is supported", kind,
                         sample->total, DEDPUL_LARGEST_WEIGHT);
    return DEDPUL_OK;
}

/* By logits: scores that differ by less than 1e-12 near a bound are the same there. */
static dedpul_status check_spread(const struct sample *p, const struct sample *u, dedpul_error *error)
{
    if (samples_lowest(p, u) == samples_highest(p, u))
        return error_set(error, DEDPUL_INVALID_DATA,
                         "all scores are equal (%g): they say nothing about which rows are positive",
                         p->score[0]);
    return DEDPUL_OK;
}

/* ---- the estimate ---- */

/*
 * The (logit, ratio) curve: where scores are tied, the mean ratio of the tie. It takes over two arrays of
 * the sample that nobody needs any more, instead of 16 more bytes per row.
 */
static void fill_points(struct context *context, const struct sample *u, const struct ratio *ratio,
                        struct result *result)
{
    double *point_logit = u->logit, *point_ratio = u->score;
    size_t n = 0;
    context_give(context, u->logit, &result->memory);
    context_give(context, u->score, &result->memory);
    for (size_t i = 0; i < ratio->n;) {
        const double logit = u->logit[ratio_sample_row(ratio, i)];
        double weight = 0, sum = 0;
        for (; i < ratio->n && u->logit[ratio_sample_row(ratio, i)] == logit; i++) {
            weight += weight_at(ratio->weight, i);
            sum += weight_at(ratio->weight, i) * ratio_at(ratio, i);
        }
        point_logit[n] = logit;
        point_ratio[n++] = sum / weight;
    }
    result->public.n_points = n;
    result->public.point_logit = point_logit;
    result->public.point_ratio = point_ratio;
}

/* Means over the pieces of each row that took part, at its place in the input. */
static void fill_weighted(const struct input *input, const struct sample *u, const struct ratio *ratio,
                          const struct result *result, double *row_ratio, double *row_posterior)
{
    const dedpul_sample *rows = input->unlabeled;
    for (size_t i = 0; i < ratio->n;) {
        const size_t row = ratio->piece[i];
        double sum_ratio = 0, sum_posterior = 0, pieces = 0;
        for (; i < ratio->n && ratio->piece[i] == row; i++) {
            sum_ratio += ratio_at(ratio, i);
            sum_posterior += result_posterior(&result->public, ratio_at(ratio, i));
            pieces++;
        }
        row_ratio[u->row[row]] = sum_ratio / pieces;
        row_posterior[u->row[row]] = sum_posterior / pieces;
    }
    for (size_t i = 0, k = 0; i < rows->n; i++)
        if (input->label == NULL || input->label[i] == 0) {
            if (rows->weight[i] == 0) { /* it took no part */
                row_ratio[k] = result_ratio(&result->public, rows->score[i]);
                row_posterior[k] = result_posterior(&result->public, row_ratio[k]);
            }
            k++;
        }
}

/*
 * Ratio and posterior of each unlabeled row of the input, in its order. Without weights there are as many
 * ratios as rows, and the posteriors take the place of the values once these are read.
 */
static dedpul_status fill_rows(struct context *context, const struct input *input, const struct sample *u,
                               const struct ratio *ratio, struct result *result)
{
    const size_t n = result->public.n_unlabeled;
    double *row_ratio = context_allocate(&result->memory, n, sizeof *row_ratio), *row_posterior;
    if (row_ratio == NULL)
        return DEDPUL_NO_MEMORY;
    if (ratio->piece == NULL) {
        for (size_t i = 0; i < n; i++)
            row_ratio[u->row[i]] = ratio_at(ratio, i);
        context_give(context, ratio->value, &result->memory);
        row_posterior = ratio->value;
        for (size_t k = 0; k < n; k++)
            row_posterior[k] = result_posterior(&result->public, row_ratio[k]);
    } else {
        row_posterior = context_allocate(&result->memory, n, sizeof *row_posterior);
        if (row_posterior == NULL)
            return DEDPUL_NO_MEMORY;
        fill_weighted(input, u, ratio, result, row_ratio, row_posterior);
    }
    result->public.ratio = row_ratio;
    result->public.posterior = result->row_posterior = row_posterior;
    return DEDPUL_OK;
}

/* ---- what is drawn, and intervals of posteriors ---- */

enum { GRID_POINTS = 256 };

static dedpul_status allocate_grid(struct result *result, const struct sample *p, const struct sample *u,
                                   struct density_grid *grid)
{
    const double first = samples_lowest(p, u), last = samples_highest(p, u);
    const double lowest = first - (last - first) / 10, highest = last + (last - first) / 10; /* tails, too */
    grid->n = GRID_POINTS;
    grid->logit = context_allocate(&result->memory, GRID_POINTS, sizeof(double));
    grid->positive = context_allocate(&result->memory, GRID_POINTS, sizeof(double));
    grid->unlabeled = context_allocate(&result->memory, GRID_POINTS, sizeof(double));
    if (grid->logit == NULL || grid->positive == NULL || grid->unlabeled == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t g = 0; g < GRID_POINTS; g++)
        grid->logit[g] = lowest + (highest - lowest) * (double)g / (GRID_POINTS - 1);
    return DEDPUL_OK;
}

static dedpul_status show_grid(const struct density_grid *grid, struct result *result)
{
    double *ratio = context_allocate(&result->memory, grid->n, sizeof *ratio);
    if (ratio == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t g = 0; g < grid->n; g++)
        ratio[g] = interpolate(result->public.n_points, result->public.point_logit,
                               result->public.point_ratio, grid->logit[g]);
    result->public.n_grid = grid->n;
    result->public.grid_logit = grid->logit;
    result->public.grid_positive = grid->positive;
    result->public.grid_unlabeled = grid->unlabeled;
    result->public.grid_ratio = ratio;
    return DEDPUL_OK;
}

/* At logits of unlabeled rows, with equally many between them. */
static dedpul_status allocate_bands(struct context *context, const struct sample *u, struct bands *bands)
{
    double *logit = context_allocate(context, GRID_POINTS, sizeof *logit);
    bands->low = context_allocate(context, GRID_POINTS, sizeof *bands->low);
    bands->high = context_allocate(context, GRID_POINTS, sizeof *bands->high);
    if (logit == NULL || bands->low == NULL || bands->high == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t g = 0; g < GRID_POINTS; g++) {
        const double here = u->logit[g * (u->n - 1) / (GRID_POINTS - 1)];
        if (bands->n == 0 || here > logit[bands->n - 1])
            logit[bands->n++] = here;
    }
    bands->logit = logit;
    return DEDPUL_OK;
}

static dedpul_status fill_bands(const struct input *input, const struct bands *bands, struct result *result)
{
    const dedpul_sample *rows = input->unlabeled;
    double *low = context_allocate(&result->memory, result->public.n_unlabeled, sizeof *low);
    double *high = context_allocate(&result->memory, result->public.n_unlabeled, sizeof *high);
    if (low == NULL || high == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0, k = 0; i < rows->n; i++)
        if (input->label == NULL || input->label[i] == 0) {
            const double logit = logit_of(rows->score[i]);
            low[k] = interpolate(bands->n, bands->logit, bands->low, logit);
            high[k++] = interpolate(bands->n, bands->logit, bands->high, logit);
        }
    result->public.posterior_low = low;
    result->public.posterior_high = high;
    return DEDPUL_OK;
}

/* ---- the whole ---- */

static const dedpul_interval no_interval = {0, NAN, NAN, NAN, NAN, NAN, NAN};

static void describe(const struct solution *solution, const struct problem *problem, struct result *result)
{
    dedpul_result *public = &result->public;
    public->alpha = solution->proportion.alpha;
    public->alpha_c = solution->proportion.alpha_c;
    public->alpha_n = solution->proportion.alpha_n;
    public->rule = solution->proportion.rule;
    public->scale = solution->scale;
    public->mean_ratio = solution->mean_ratio;
    public->density = problem->density;
    public->bandwidth_p = problem->bandwidth_p;
    public->bandwidth_u = problem->bandwidth_u;
    public->n_positive = problem->p->n_rows;
    public->n_unlabeled = problem->u->n_rows;
    public->weight_positive = problem->p->total;
    public->weight_unlabeled = problem->u->total;
    public->n_curve = DEDPUL_CURVE_POINTS;
    public->curve_alpha = result->curve_alpha;
    public->curve_d = result->curve_d;
    for (size_t j = 0; j < DEDPUL_CURVE_POINTS; j++)
        result->curve_alpha[j] = curve_alpha(j);
}

/* table -> scores -> densities -> ratio -> mixture -> result */
static dedpul_status estimate(struct context *context, const struct input *input,
                              const dedpul_options *options, struct result *result)
{
    dedpul_result *public = &result->public;
    const struct estimator *estimator = estimator_find(options->method, context->error);
    struct sample p, u;
    struct ratio ratio;
    struct solution solution;
    if (estimator == NULL)
        return DEDPUL_INVALID_ARGUMENT;
    if (estimator->needs_features && input->features == NULL)
        return error_set(
            context->error, DEDPUL_INVALID_ARGUMENT,
            "method %s looks at the features of the rows, not at scores alone: use it with a table "
            "('dedpul fit', 'dedpul compare')",
            estimator->name);
    public->method = estimator->name;
    public->interval = no_interval;
    TRY(sample_sort(context, input->positive, input->label, 1, &p));
    TRY(sample_sort(context, input->unlabeled, input->label, 0, &u));
    TRY(check_sample(&p, "labeled positive", context->error));
    TRY(check_sample(&u, "unlabeled", context->error));
    public->auc = diagnose_scores(context, &p, &u);
    TRY(samples_transform(context, &p, &u));
    TRY(check_spread(&p, &u, context->error));

    struct density_grid grid;
    struct bands bands = {.n = 0};
    TRY(allocate_grid(result, &p, &u, &grid));
    struct problem problem = {&p, &u, options, input->features, NULL, NAN, NAN, NAN, &grid};
    TRY(estimator->ratio(context, &problem, &ratio));
    TRY(solve(context, estimator, &problem, &ratio, result->curve_d, &solution));
    describe(&solution, &problem, result);
    diagnose_estimate(context, &problem, &ratio, &solution, result->curve_d, public->auc);
    if (options->resamples > 0 && !estimator->needs_features) {
        if (options->bands)
            TRY(allocate_bands(context, &u, &bands));
        TRY(bootstrap(context, estimator, &problem, public->alpha, &public->interval, &bands));
    } else if (options->resamples > 0) {
        public->interval.level = options->level; /* asked for, but features are not resampled */
    }
    context_move_spare(context, &result->memory);
    fill_points(context, &u, &ratio, result);
    TRY(fill_rows(context, input, &u, &ratio, result));
    context_free_spare(&result->memory);
    if (problem.density != NULL)
        TRY(show_grid(&grid, result));
    return bands.n > 0 ? fill_bands(input, &bands, result) : DEDPUL_OK;
}

static dedpul_status run(const struct input *input, const dedpul_options *given,
                         const struct context *earlier, dedpul_result **public, dedpul_error *error)
{
    dedpul_options options;
    struct context context;
    dedpul_options_init(&options);
    if (given != NULL)
        options = *given;
    TRY(options_check(&options, error));
    struct result *result = result_create(options.allocator, error);
    if (result == NULL)
        return DEDPUL_NO_MEMORY;
    options_begin(&options, error, &context);
    if (earlier != NULL)
        context_add_warnings(&context, earlier);
    const dedpul_status status = estimate(&context, input, &options, result);
    context_free(&context);
    result->memory.error = NULL; /* the caller's, and only for this call */
    if (status != DEDPUL_OK) {
        dedpul_result_free(&result->public);
        return status;
    }
    result_add_warnings(result, &context);
    *public = &result->public;
    return DEDPUL_OK;
}

dedpul_status dedpul_estimate_two(const dedpul_sample *positive, const dedpul_sample *unlabeled,
                                  const dedpul_options *options, dedpul_result **result, dedpul_error *error)
{
    if (positive == NULL || unlabeled == NULL || result == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "positive, unlabeled and result must not be NULL");
    TRY(check_rows(positive, "positive.", error));
    TRY(check_rows(unlabeled, "unlabeled.", error));
    const struct input input = {positive, unlabeled, NULL, NULL};
    return run(&input, options, NULL, result, error);
}

dedpul_status estimate_labeled(const dedpul_sample *rows, const unsigned char *label,
                               const struct feature_rows *features, const dedpul_options *options,
                               const struct context *earlier, dedpul_result **result, dedpul_error *error)
{
    const struct input input = {rows, rows, label, features};
    return run(&input, options, earlier, result, error);
}

dedpul_status dedpul_estimate(const dedpul_sample *rows, const unsigned char *label,
                              const dedpul_options *options, dedpul_result **result, dedpul_error *error)
{
    if (rows == NULL || result == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "rows and result must not be NULL");
    TRY(check_rows(rows, "", error));
    TRY(check_labels(rows->n, label, error));
    return estimate_labeled(rows, label, NULL, options, NULL, result, error);
}
