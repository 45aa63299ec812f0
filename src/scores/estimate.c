#include "estimate.h"

#include "diagnose.h"
#include "interpolate.h"
#include "logistic.h"
#include "number.h"
#include "weighted.h"

/* ---- checks ---- */

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
    if (sample->total > LARGEST_WEIGHT)
        return error_set(error, DEDPUL_INVALID_DATA,
                         "the weights of the %s rows add up to %g: at most %g is supported", kind,
                         sample->total, LARGEST_WEIGHT);
    return DEDPUL_OK;
}

/* Called before samples_transform, which moves scores. */
static dedpul_status check_values(const struct sample *p, const struct sample *u, dedpul_error *error)
{
    const double *a = sample_values(p), *b = sample_values(u);
    if (fmin(a[0], b[0]) == fmax(a[p->n - 1], b[u->n - 1]))
        return error_set(error, DEDPUL_INVALID_DATA,
                         "all scores are equal (%g): they say nothing about which rows are positive",
                         p->score != NULL ? a[0] : sigmoid(a[0]));
    return DEDPUL_OK;
}

static dedpul_status check_spread(const struct sample *p, const struct sample *u, dedpul_error *error)
{
    if (samples_lowest(p, u) == samples_highest(p, u))
        return error_set(error, DEDPUL_INVALID_DATA,
                         "all scores are within %g of %d, where they count as equal: they say nothing about "
                         "which rows are positive. Were logits meant, or another scale?",
                         SMALLEST_SCORE, p->score[0] > 0.5);
    return DEDPUL_OK;
}

/* ---- ratios and posteriors of the rows ---- */

/*
 * Makes the (logit, ratio) curve; a tie gets its mean ratio. The curve takes over two arrays of the sample
 * that nobody needs any more, which saves 16 bytes per row. A point never comes after its row, so this works
 * in place.
 */
static void fill_points(struct context *context, const struct sample *u, const struct ratio *ratio,
                        struct arena *memory, struct estimate *estimate)
{
    double *point_logit = u->logit, *point_ratio = u->score;
    size_t n = 0;
    arena_give(context->arena, u->logit, memory);
    arena_give(context->arena, u->score, memory);
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
    estimate->n_points = n;
    estimate->point_logit = point_logit;
    estimate->point_ratio = point_ratio;
}

static bool is_unlabeled(const struct score_input *input, size_t row)
{
    return input->label == NULL || input->label[row] == 0;
}

static double logit_at(const struct scored_rows *rows, size_t row)
{
    return rows->score != NULL ? logit_of(rows->score[row]) : rows->logit[row];
}

/* Fills ratios and posteriors from the curve. Rows that took no part in the estimate keep these. */
static void fill_by_curve(const struct score_input *input, const struct estimate *estimate)
{
    const struct scored_rows *rows = &input->unlabeled;
    for (size_t i = 0, k = 0; i < rows->n; i++)
        if (is_unlabeled(input, i)) {
            estimate->ratio[k] = interpolate(estimate->n_points, estimate->point_logit, estimate->point_ratio,
                                             logit_at(rows, i));
            estimate->posterior[k] = posterior_of(&estimate->solution.scales, estimate->ratio[k]);
            k++;
        }
}

/* Fills the means over the pieces of each row, at its place in the input. */
static void fill_by_pieces(const struct sample *u, const struct ratio *ratio, const struct estimate *estimate)
{
    for (size_t i = 0; i < ratio->n;) {
        const size_t row = ratio->piece[i];
        double sum_ratio = 0, sum_posterior = 0, pieces = 0;
        for (; i < ratio->n && ratio->piece[i] == row; i++) {
            sum_ratio += ratio_at(ratio, i);
            sum_posterior += posterior_of(&estimate->solution.scales, ratio_at(ratio, i));
            pieces++;
        }
        estimate->ratio[u->row[row]] = sum_ratio / pieces;
        estimate->posterior[u->row[row]] = sum_posterior / pieces;
    }
}

/*
 * Fills ratio and posterior of each unlabeled row of the input, in its order. Without weights there are as
 * many ratios as rows, so the posteriors can take over the array of the ratio's values once these are read.
 */
static dedpul_status fill_rows(struct context *context, const struct score_input *input,
                               const struct sample *u, const struct ratio *ratio, struct arena *memory,
                               struct estimate *estimate)
{
    const size_t n = estimate->n_unlabeled;
    estimate->ratio = context_allocate_in(context, memory, n, sizeof *estimate->ratio);
    if (estimate->ratio == NULL)
        return DEDPUL_NO_MEMORY;
    if (ratio->piece == NULL) {
        for (size_t i = 0; i < n; i++)
            estimate->ratio[u->row[i]] = ratio_at(ratio, i);
        arena_give(context->arena, ratio->value, memory);
        estimate->posterior = ratio->value;
        posteriors_of(&estimate->solution.scales, n, estimate->ratio, estimate->posterior);
        return DEDPUL_OK;
    }
    estimate->posterior = context_allocate_in(context, memory, n, sizeof *estimate->posterior);
    if (estimate->posterior == NULL)
        return DEDPUL_NO_MEMORY;
    if (u->n < n)
        fill_by_curve(input, estimate);
    fill_by_pieces(u, ratio, estimate);
    return DEDPUL_OK;
}

/* ---- what is drawn, and intervals of posteriors ---- */

enum { GRID_POINTS = 256 };

static dedpul_status allocate_grid(struct context *context, const struct sample *p, const struct sample *u,
                                   struct arena *memory, struct density_grid *grid)
{
    const double first = samples_lowest(p, u), last = samples_highest(p, u);
    const double lowest = first - (last - first) / 10, highest = last + (last - first) / 10; /* tails, too */
    grid->n = GRID_POINTS;
    grid->logit = context_allocate_in(context, memory, GRID_POINTS, sizeof(double));
    grid->positive = context_allocate_in(context, memory, GRID_POINTS, sizeof(double));
    grid->unlabeled = context_allocate_in(context, memory, GRID_POINTS, sizeof(double));
    if (grid->logit == NULL || grid->positive == NULL || grid->unlabeled == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t g = 0; g < GRID_POINTS; g++)
        grid->logit[g] = lowest + (highest - lowest) * (double)g / (GRID_POINTS - 1);
    return DEDPUL_OK;
}

/* Fills the smoothed ratio on the grid. A method without densities has nothing to draw. */
static dedpul_status finish_grid(struct context *context, struct arena *memory, struct estimate *estimate)
{
    struct density_grid *grid = &estimate->grid;
    if (estimate->densities.kind == NULL)
        grid->n = 0;
    estimate->grid_ratio = context_allocate_in(context, memory, grid->n, sizeof *estimate->grid_ratio);
    if (estimate->grid_ratio == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t g = 0; g < grid->n; g++)
        estimate->grid_ratio[g] =
            interpolate(estimate->n_points, estimate->point_logit, estimate->point_ratio, grid->logit[g]);
    return DEDPUL_OK;
}

/* Places the bands at logits of unlabeled rows, with equally many rows between them. */
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

static dedpul_status fill_bands(struct context *context, const struct score_input *input,
                                const struct bands *bands, struct arena *memory, struct estimate *estimate)
{
    const struct scored_rows *rows = &input->unlabeled;
    double *low = context_allocate_in(context, memory, estimate->n_unlabeled, sizeof *low);
    double *high = context_allocate_in(context, memory, estimate->n_unlabeled, sizeof *high);
    if (low == NULL || high == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0, k = 0; i < rows->n; i++)
        if (is_unlabeled(input, i)) {
            const double logit = logit_at(rows, i);
            low[k] = interpolate(bands->n, bands->logit, bands->low, logit);
            high[k++] = interpolate(bands->n, bands->logit, bands->high, logit);
        }
    estimate->posterior_low = low;
    estimate->posterior_high = high;
    return DEDPUL_OK;
}

/* Fills the posteriors at the ends of alpha's interval. */
static dedpul_status fill_ends(struct context *context, struct arena *memory, struct estimate *estimate)
{
    const size_t n = estimate->n_unlabeled;
    const struct interval_scales ends = estimate->solution.ends;
    double *low = context_allocate_in(context, memory, n, sizeof *low);
    double *high = context_allocate_in(context, memory, n, sizeof *high);
    if (low == NULL || high == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < n; k++) {
        low[k] = fmin(ends.low * estimate->ratio[k], estimate->posterior[k]);
        high[k] = fmax(fmin(ends.high * estimate->ratio[k], 1), estimate->posterior[k]);
    }
    estimate->posterior_low = low;
    estimate->posterior_high = high;
    return DEDPUL_OK;
}

/* Tells whether intervals come from alpha's distribution. */
static bool is_by_method(const struct estimate_plan *plan, const struct solution *solution)
{
    return plan->interval == INTERVAL_BY_METHOD && solution->has_quantiles;
}

/* Finds an interval if it is asked for. Methods on features have none, because features are not resampled. */
static dedpul_status find_interval(struct context *context, const struct estimate_plan *plan,
                                   const struct problem *problem, struct estimate *estimate,
                                   struct bands *bands)
{
    struct interval *interval = &estimate->interval;
    const struct sample *p = problem->p, *u = problem->u;
    *interval = (struct interval){
        plan->interval != INTERVAL_NONE, INTERVAL_NONE, 0, plan->level, NAN, NAN, NAN, NAN, NAN};
    if (!interval->is_wanted)
        return DEDPUL_OK;
    interval->upper_bound = upper_bound(p, u, 1 - plan->level);
    if (plan->method->needs_features)
        return DEDPUL_OK;
    if (is_by_method(plan, &estimate->solution)) {
        if (isnan(plan->alpha) && p->n >= FEWEST_ROWS && u->n >= FEWEST_ROWS)
            interval_by_method(&estimate->solution, plan->level, interval);
        return DEDPUL_OK;
    }
    if (plan->bands)
        TRY(allocate_bands(context, problem->u, bands));
    return interval_by_bootstrap(context, plan, problem, &estimate->densities,
                                 estimate->solution.proportion.alpha, interval, bands);
}

/* ---- the whole ---- */

/* Makes both samples, sorted and with logits, and checks that they can be estimated from. */
static dedpul_status make_samples(struct context *context, const struct score_input *input, struct sample *p,
                                  struct sample *u, struct estimate *estimate)
{
    TRY(sample_sort(context, &input->positive, input->label, 1, p));
    TRY(sample_sort(context, &input->unlabeled, input->label, 0, u));
    TRY(check_sample(p, "labeled positive", context->error));
    TRY(check_sample(u, "unlabeled", context->error));
    TRY(check_values(p, u, context->error));
    estimate->n_positive = p->n_rows;
    estimate->n_unlabeled = u->n_rows;
    estimate->weight_positive = p->total;
    estimate->weight_unlabeled = u->total;
    estimate->auc = diagnose_scores(context, p, u);
    TRY(samples_transform(context, p, u));
    return check_spread(p, u, context->error);
}

dedpul_status estimate(struct context *context, const struct score_input *input,
                       const struct estimate_plan *plan, struct arena *memory, struct estimate *estimate)
{
    struct sample p, u;
    struct ratio ratio;
    struct bands bands = {.n = 0};
    *estimate = (struct estimate){.n_points = 0};
    TRY(make_samples(context, input, &p, &u, estimate));
    TRY(allocate_grid(context, &p, &u, memory, &estimate->grid));
    const struct problem problem = {&p, &u, &plan->ratio, input->features};
    estimate->densities = no_densities(&estimate->grid);
    TRY(plan->method->ratio(context, &problem, &estimate->densities, &ratio));
    TRY(solve(context, plan, &problem, &ratio, estimate->curve_d, &estimate->solution));
    const struct evidence evidence = {
        .problem = &problem,
        .densities = &estimate->densities,
        .ratio = &ratio,
        .solution = &estimate->solution,
        .curve = estimate->curve_d,
        .auc = estimate->auc,
        .level = plan->level,
    };
    diagnose_estimate(context, &evidence);
    TRY(find_interval(context, plan, &problem, estimate, &bands));
    /* The result's arrays reuse large blocks that the work above has released. */
    arena_move_spare(context->arena, memory);
    fill_points(context, &u, &ratio, memory, estimate);
    TRY(fill_rows(context, input, &u, &ratio, memory, estimate));
    arena_free_spare(memory);
    TRY(finish_grid(context, memory, estimate));
    if (plan->bands && is_by_method(plan, &estimate->solution))
        return fill_ends(context, memory, estimate);
    return bands.n > 0 ? fill_bands(context, input, &bands, memory, estimate) : DEDPUL_OK;
}
