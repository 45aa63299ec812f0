#include "kinds.h"

#include "bench.h"
#include "distributions.h"
#include "sort.h"

#include <math.h>

/* ---- densities ---- */

struct column {
    struct distribution positive, negative;
    double from, to, step; /* where inf f_n / f_p is looked for */
};

/* The comments say where f_n / f_p is lowest. */
static const struct column laplace_away = {
    {LAPLACE, 0, 1, 0, 0}, {LAPLACE, 2, 1, 0, 0}, -20, 20, 1e-3}; /* e^-2 at all x < 0 */
static const struct column laplace_wide = {
    {LAPLACE, 0, 1, 0, 0}, {LAPLACE, 0, 2, 0, 0}, -20, 20, 1e-3}; /* 1/2 at 0, a peak */
static const struct column normal_away = {
    {NORMAL, 0, 1, 0, 0}, {NORMAL, 2, 1, 0, 0}, -20, 20, 1e-3}; /* 0 at -infinity */
static const struct column normal_wide = {
    {NORMAL, 0, 1, 0, 0}, {NORMAL, 0, 2, 0, 0}, -20, 20, 1e-3}; /* 1/2 at 0 */
static const struct column gammas = {
    {GAMMA, 0, 1, 2, 0}, {GAMMA, 0, 1, 6, 0}, 0, 50, 1e-3}; /* 0 at 0, like x^4 */
static const struct column skewed = {
    {SKEW_NORMAL, 0, 1, 3, 0}, {SKEW_NORMAL, 1, 2, 3, 0}, -10, 20, 1e-3}; /* 0.0555, inside */
static const struct column gamma_log_normal = {
    {GAMMA, 0, 1, 3, 0}, {LOG_NORMAL, 0, 7, 0.5, 0}, 0, 50, 1e-3}; /* 0 at 0 */
static const struct column betas = {
    {BETA, 0, 1, 4, 2}, {BETA, 0, 1, 2, 6}, 0, 1, 1e-5}; /* 0 at 1, like (1 - x)^4 */
static const struct column slow_betas = {
    {BETA, 0, 1, 1, 2}, {BETA, 0, 1, 2, 1}, 0, 1, 1e-5}; /* 0 at 0, like x */
static const struct column steep_betas = {
    {BETA, 0, 1, 0.5, 2}, {BETA, 0, 1, 1.5, 1}, 0, 1, 1e-5}; /* 0 at 0; f_p is infinite */
static const struct column triangles = {
    {TRIANGULAR, 0, 1, 0.3, 0}, {TRIANGULAR, 0, 1, 0.9, 0}, 0, 1, 1e-5}; /* 1/3 at all x < 0.3 */
static const struct column counts = {{POISSON, 0, 1, 2, 0}, {POISSON, 0, 1, 6, 0}, 0, 50, 1}; /* e^-4 at 0 */
static const struct column forest[] = {
    {{LAPLACE, 0, 1, 0, 0}, {LAPLACE, 1, 1, 0, 0}, -20, 20, 1e-3},        /* e^-1 at all x < 0 */
    {{NORMAL, 0, 1, 0, 0}, {NORMAL, 0, 2, 0, 0}, -20, 20, 1e-3},          /* 1/2 at 0 */
    {{GAMMA, 0, 1, 2, 0}, {GAMMA, 0, 2, 2, 0}, 0, 50, 1e-3},              /* 1/4 at 0 */
    {{TRIANGULAR, 0, 1, 0.3, 0}, {TRIANGULAR, 0, 1, 0.7, 0}, 0, 1, 1e-5}, /* 3/7 at all x < 0.3 */
    {{POISSON, 0, 1, 2, 0}, {POISSON, 0, 1, 3, 0}, 0, 50, 1},             /* e^-1 at 0 */
};
enum { FOREST_COLUMNS = sizeof forest / sizeof forest[0] };

/* The lowest ratio at the points of a grid. Far out, both densities vanish and cannot be divided. */
static double lowest_ratio(const struct column *column)
{
    const double vanishing = 1e-100;
    double lowest = INFINITY;
    for (double x = column->from; x <= column->to; x += column->step) {
        const double f_p = density_at(&column->positive, x);
        if (f_p > vanishing)
            lowest = fmin(lowest, density_at(&column->negative, x) / f_p);
    }
    return lowest;
}

/* Columns are independent, so the lowest ratio of all is the product of those of each. */
double alpha_star(const struct kind *kind, double alpha)
{
    double lowest = 1;
    for (size_t j = 0; j < kind->n_columns; j++)
        lowest *= lowest_ratio(&kind->column[j]);
    return alpha + (1 - alpha) * lowest;
}

/* ---- scores ---- */

struct drawn_rows {
    size_t n, width;
    const double *x;            /* (n, width) */
    const double *log_ratio;    /* (n) of f_p / f_u */
    const double *log_ratio_n;  /* (n) of f_p / f_n */
    const unsigned char *label; /* (n) */
};

static double score_of(double log_ratio)
{
    return 1 / (1 + exp(-log_ratio));
}

/* Where the ratio is constant, the order is left to chance, without ties. */
static dedpul_status score_without_ties(size_t n, const double *log_ratio, double times, struct rng *rng,
                                        double *score)
{
    for (size_t i = 0; i < n; i++)
        score[i] = score_of(times * log_ratio[i]) * (1 - 1e-9 * rng_uniform(rng));
    return DEDPUL_OK;
}

/* Those of a perfect classifier. */
static dedpul_status score_perfectly(struct context *context, const struct drawn_rows *rows, struct rng *rng,
                                     double *score)
{
    (void)context;
    return score_without_ties(rows->n, rows->log_ratio, 1, rng, score);
}

/* Those of a classifier that knows negatives: it claims log f_p / f_n. */
static dedpul_status score_against_negatives(struct context *context, const struct drawn_rows *rows,
                                             struct rng *rng, double *score)
{
    (void)context;
    return score_without_ties(rows->n, rows->log_ratio_n, 1, rng, score);
}

/* Ranks among all rows, so their claims say nothing about the ratio. */
static dedpul_status score_by_rank(struct context *context, const struct drawn_rows *rows, struct rng *rng,
                                   double *score)
{
    double *ratio = context_allocate(context, rows->n, sizeof *ratio);
    uint32_t *row = context_allocate(context, rows->n, sizeof *row);
    if (ratio == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(score_perfectly(context, rows, rng, ratio));
    for (size_t i = 0; i < rows->n; i++)
        row[i] = (uint32_t)i;
    TRY(sort_numbers(context, rows->n, ratio, row));
    for (size_t k = 0; k < rows->n; k++)
        score[row[k]] = ((double)k + 0.5) / (double)rows->n;
    return DEDPUL_OK;
}

/* Those of a classifier that is far too certain. */
static dedpul_status score_boldly(struct context *context, const struct drawn_rows *rows, struct rng *rng,
                                  double *score)
{
    (void)context;
    return score_without_ties(rows->n, rows->log_ratio, 3, rng, score);
}

/* With an error that is smooth in x, and one of each row by itself. */
static dedpul_status score_noisily(struct context *context, const struct drawn_rows *rows, struct rng *rng,
                                   double *score)
{
    (void)context;
    for (size_t i = 0; i < rows->n; i++)
        score[i] = score_of(rows->log_ratio[i] + 0.4 * sin(3 * rows->x[i]) + 0.3 * rng_normal(rng));
    return DEDPUL_OK;
}

/* Rounded to multiples of 1/20. */
static dedpul_status score_in_steps(struct context *context, const struct drawn_rows *rows, struct rng *rng,
                                    double *score)
{
    (void)context;
    (void)rng;
    for (size_t i = 0; i < rows->n; i++)
        score[i] = round(20 * score_of(rows->log_ratio[i])) / 20;
    return DEDPUL_OK;
}

/* Each value of x has a score of its own, so equal values tie. */
static dedpul_status score_with_ties(struct context *context, const struct drawn_rows *rows, struct rng *rng,
                                     double *score)
{
    (void)context;
    (void)rng;
    for (size_t i = 0; i < rows->n; i++)
        score[i] = score_of(rows->log_ratio[i]);
    return DEDPUL_OK;
}

/* By boosted trees, cross-fitted on the columns. */
static dedpul_status score_by_trees(struct context *context, const struct drawn_rows *rows, struct rng *rng,
                                    double *score)
{
    const dedpul_matrix matrix = {rows->n, rows->width, rows->x, NULL};
    dedpul_table *table;
    dedpul_model *model;
    dedpul_result *result;
    dedpul_options options;
    dedpul_options_init(&options);
    options.classifier = "gbdt";
    options.ensemble = 1;
    options.tree_rounds = 100;
    options.seed = rng_next(rng);
    options.threads = 1;
    TRY(dedpul_table_from_matrix(&matrix, rows->label, NULL, NULL, &table, context->error));
    const dedpul_status status = dedpul_fit(table, &options, &model, &result, score, context->error);
    dedpul_table_free(table);
    TRY(status);
    dedpul_model_free(model);
    dedpul_result_free(result);
    return DEDPUL_OK;
}

/* ---- kinds ---- */

#define LINE(name, column, score, more, ...)                  \
    {                                                         \
        name, &(column), 1, score, {__VA_ARGS__}, false, more \
    }

const struct kind kinds[] = {
    LINE("Laplace, negatives 2 away", laplace_away, score_perfectly, true, 0.1, 0.5, 0.9),
    LINE("Laplace, negatives twice as wide", laplace_wide, score_perfectly, true, 0.1, 0.5, 0.9),
    LINE("Gaussian, negatives 2 away", normal_away, score_perfectly, true, 0.1, 0.5, 0.9),
    LINE("Gaussian, negatives twice as wide", normal_wide, score_perfectly, true, 0.1, 0.5, 0.9),
    LINE("gamma(2), negatives gamma(6)", gammas, score_perfectly, true, 0.3, 0.7),
    LINE("skew normal, negatives twice as wide", skewed, score_perfectly, false, 0.3, 0.7),
    LINE("gamma(3), negatives log-normal", gamma_log_normal, score_perfectly, false, 0.3, 0.7),
    LINE("beta(4, 2), negatives beta(2, 6)", betas, score_perfectly, true, 0.3, 0.7),
    LINE("beta(1, 2), negatives beta(2, 1)", slow_betas, score_perfectly, false, 0.3, 0.7),
    LINE("beta(1/2, 2), negatives beta(3/2, 1)", steep_betas, score_perfectly, false, 0.3, 0.7),
    LINE("triangular", triangles, score_perfectly, false, 0.3, 0.7),
    LINE("Gaussian, 2 away, noisy scores", normal_away, score_noisily, false, 0.3, 0.7),
    LINE("Laplace, twice as wide, noisy scores", laplace_wide, score_noisily, false, 0.3, 0.7),
    LINE("skew normal, twice as wide, noisy scores", skewed, score_noisily, false, 0.3, 0.7),
    LINE("gamma and log-normal, noisy scores", gamma_log_normal, score_noisily, false, 0.3, 0.7),
    LINE("beta(1, 2) and beta(2, 1), noisy scores", slow_betas, score_noisily, false, 0.3, 0.7),
    LINE("Gaussian, 2 away, scores of P against N", normal_away, score_against_negatives, false, 0.3, 0.7),
    LINE("gamma(2) and gamma(6), scores of P against N", gammas, score_against_negatives, false, 0.3, 0.7),
    LINE("Laplace, twice as wide, ranks as scores", laplace_wide, score_by_rank, false, 0.3, 0.7),
    LINE("beta(4, 2) and beta(2, 6), ranks as scores", betas, score_by_rank, false, 0.3, 0.7),
    LINE("triangular, bold scores", triangles, score_boldly, false, 0.3, 0.7),
    LINE("gamma and log-normal, bold scores", gamma_log_normal, score_boldly, false, 0.3, 0.7),
    LINE("Gaussian, 2 away, rounded scores", normal_away, score_in_steps, false, 0.3, 0.7),
    LINE("Laplace, 2 away, rounded scores", laplace_away, score_in_steps, false, 0.3, 0.7),
    LINE("Poisson(2), negatives Poisson(6)", counts, score_with_ties, false, 0.3, 0.7),
    {"boosted trees on 5 columns", forest, FOREST_COLUMNS, score_by_trees, {0.3, 0.7}, true, false},
};
const size_t n_kinds = sizeof kinds / sizeof kinds[0];

/* ---- data sets ---- */

/* Draws the columns of a row, and fills its ratios. */
static void draw_row(const struct kind *kind, double alpha, bool is_positive, struct rng *rng, double *x,
                     double *log_ratio, double *log_ratio_n)
{
    double f_p = 1, f_n = 1;
    for (size_t j = 0; j < kind->n_columns; j++) {
        const struct column *column = &kind->column[j];
        x[j] = draw_from(is_positive ? &column->positive : &column->negative, rng);
        f_p *= density_at(&column->positive, x[j]);
        f_n *= density_at(&column->negative, x[j]);
    }
    *log_ratio = log(f_p / (alpha * f_p + (1 - alpha) * f_n));
    *log_ratio_n = log(f_p / f_n);
}

dedpul_status draw_scores(struct context *context, const struct kind *kind, double alpha, struct sizes sizes,
                          struct rng *rng, double *score, unsigned char *label)
{
    const size_t n = sizes.labeled + sizes.unlabeled;
    double *x = context_allocate(context, n * kind->n_columns, sizeof *x);
    double *log_ratio = context_allocate(context, n, sizeof *log_ratio);
    double *log_ratio_n = context_allocate(context, n, sizeof *log_ratio_n);
    if (x == NULL || log_ratio == NULL || log_ratio_n == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        label[i] = i < sizes.labeled;
        const bool is_positive = label[i] || rng_uniform(rng) < alpha;
        draw_row(kind, alpha, is_positive, rng, x + i * kind->n_columns, log_ratio + i, log_ratio_n + i);
    }
    const struct drawn_rows rows = {n, kind->n_columns, x, log_ratio, log_ratio_n, label};
    return kind->score(context, &rows, rng, score);
}
