/* The way from two samples to a smoothed density ratio. */
#include "estimator.h"
#include "logistic.h"
#include "weighted.h"

/* Returns the first row of the ratio whose score is at least the mean of the unlabeled scores. */
static size_t first_above_mean(const struct sample *u, const struct ratio *ratio)
{
    const double mean = weighted_mean(u->n, u->score, u->weight);
    size_t row = 0;
    while (row < ratio->n && u->score[ratio_sample_row(ratio, row)] < mean)
        row++;
    return row;
}

static dedpul_status smooth(struct context *context, const struct sample *u, enum smoothing smoothing,
                            struct ratio *ratio)
{
    if (smoothing == SMOOTHING_NONE)
        return DEDPUL_OK;
    monotonize(ratio, first_above_mean(u, ratio));
    TRY(rolling_median(context, ratio));
    if (smoothing == SMOOTHING_TREND)
        TRY(trend(context, ratio));
    return DEDPUL_OK;
}

static double mean_of(const struct ratio *ratio)
{
    double sum = 0;
    for (size_t i = 0; i < ratio->n; i++)
        sum += weight_at(ratio->weight, i) * ratio_at(ratio, i);
    return sum / ratio->total;
}

/*
 * Fills the densities on the grid. A density of the score becomes one of the logit: it is multiplied by the
 * slope of the score, y (1 - y).
 */
static dedpul_status fill_grid(struct context *context, const struct density *f_p, const struct density *f_u,
                               struct density_grid *grid)
{
    struct sample points = {.n = grid->n, .logit = grid->logit};
    points.score = context_allocate(context, grid->n, sizeof *points.score);
    if (points.score == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t g = 0; g < grid->n; g++)
        points.score[g] = sigmoid(grid->logit[g]);
    TRY(f_p->kind->evaluate(context, f_p, &points, grid->positive));
    TRY(f_u->kind->evaluate(context, f_u, &points, grid->unlabeled));
    for (size_t g = 0; f_p->kind->is_of_score && g < grid->n; g++) {
        const double slope = points.score[g] * (1 - points.score[g]);
        grid->positive[g] *= slope;
        grid->unlabeled[g] *= slope;
    }
    return DEDPUL_OK;
}

static dedpul_status raw_ratio(struct context *context, const struct problem *problem,
                               struct densities *densities, struct ratio *ratio)
{
    const struct sample *u = problem->u;
    struct density f_p, f_u;
    TRY(ratio_allocate(context, u->n, u->weight, u->total, ratio));
    struct block *mark = context_mark(context);
    TRY(densities_fit(context, problem->p, u, &problem->plan->density, &f_p, &f_u));
    densities->kind = f_p.kind;
    if (f_p.kind->has_bandwidth) {
        densities->bandwidth_p = f_p.size;
        densities->bandwidth_u = f_u.size;
    }
    double *at_u = context_allocate(context, u->n, sizeof *at_u);
    if (at_u == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(f_p.kind->evaluate(context, &f_p, u, ratio->value));
    TRY(f_u.kind->evaluate(context, &f_u, u, at_u));
    ratio_divide(u->n, at_u, ratio);
    if (densities->grid != NULL)
        TRY(fill_grid(context, &f_p, &f_u, densities->grid));
    context_release(context, mark);
    return ratio_rank(context, ratio);
}

dedpul_status density_ratio_smoothed(struct context *context, const struct problem *problem,
                                     enum smoothing smoothing, bool normalise, struct densities *densities,
                                     struct ratio *ratio)
{
    TRY(raw_ratio(context, problem, densities, ratio));
    densities->mean_ratio = mean_of(ratio);
    for (size_t k = 0; normalise && densities->mean_ratio > 0 && k < ratio->m; k++)
        ratio->value[k] /= densities->mean_ratio;
    return smooth(context, problem->u, smoothing, ratio);
}

dedpul_status density_ratio(struct context *context, const struct problem *problem,
                            struct densities *densities, struct ratio *ratio)
{
    return density_ratio_smoothed(context, problem, problem->plan->smoothing, false, densities, ratio);
}
