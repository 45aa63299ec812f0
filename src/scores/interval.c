#include "interval.h"

#include "interpolate.h"
#include "normal.h"
#include "parallel.h"
#include "rng.h"
#include "weighted.h"

#include <math.h>
#include <stdlib.h>

/* ---- one resample ---- */

/* Above this mean, a Poisson distribution is close enough to a normal one. */
static const double many = 50;

/* Draws a Poisson count with this mean. For small means, by inversion: term is the probability of count. */
static double draw_poisson(struct rng *rng, double mean)
{
    if (mean > many) {
        const double inside = fmax(rng_uniform(rng), 1e-300);
        return fmax(0, round(mean + sqrt(mean) * normal_quantile(inside)));
    }
    double count = 0;
    for (double left = rng_uniform(rng) - exp(-mean), term = exp(-mean); left >= 0 && term > 0; left -= term)
        term *= mean / ++count;
    return count;
}

/* Draws how often each group is taken; NULL if rows are independent. */
static dedpul_status draw_groups(struct context *context, const struct sample *from, struct rng *rng,
                                 double **taken)
{
    *taken = NULL;
    if (from->group == NULL)
        return DEDPUL_OK;
    *taken = context_allocate(context, from->n_groups, sizeof **taken);
    if (*taken == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t g = 0; g < from->n_groups; g++)
        (*taken)[g] = 0;
    for (size_t g = 0; g < from->n_groups; g++)
        (*taken)[rng_below(rng, (uint32_t)from->n_groups)]++;
    return DEDPUL_OK;
}

/*
 * Draws how often each row is taken. Without weights, n draws are shared out; with weights, each row gets a
 * Poisson count with its weight as the mean. Rows of groups are taken with their group.
 */
static dedpul_status draw_counts(struct context *context, const struct sample *from, const double *taken,
                                 struct rng *rng, double **counts)
{
    double *count = *counts = context_allocate(context, from->n, sizeof *count);
    if (count == NULL)
        return DEDPUL_NO_MEMORY;
    if (taken != NULL) {
        for (size_t i = 0; i < from->n; i++)
            count[i] = taken[from->group[i]] * weight_at(from->weight, i);
        return DEDPUL_OK;
    }
    for (size_t i = 0; i < from->n; i++)
        count[i] = from->weight != NULL ? draw_poisson(rng, from->weight[i]) : 0;
    for (size_t i = 0; from->weight == NULL && i < from->n; i++)
        count[rng_below(rng, (uint32_t)from->n)]++;
    return DEDPUL_OK;
}

/*
 * Makes a sorted sample of the rows that are taken. A row that is taken several times is repeated; with
 * weights, it gets the count as its weight instead.
 */
static dedpul_status draw_sample(struct context *context, const struct sample *from, const double *taken,
                                 struct rng *rng, struct sample *sample)
{
    const bool weighted = from->weight != NULL;
    double *count, most = (double)from->n;
    TRY(draw_counts(context, from, taken, rng, &count));
    if (taken != NULL && !weighted) /* groups that are taken may have more rows, or fewer */
        most = fmax(weighted_total(from->n, count), 1);
    TRY(sample_allocate(context, (size_t)most, weighted, sample));
    sample->excess = from->excess;
    for (size_t i = 0; i < from->n; i++)
        for (double left = weighted ? fmin(count[i], 1) : count[i]; left > 0; left--)
            sample_append(sample, from, i, count[i]);
    sample->n_rows = sample->n;
    sample->total = weighted_total(sample->n, sample->weight);
    return DEDPUL_OK;
}

/* Tells whether there is enough to estimate from. */
static bool is_enough(const struct sample *p, const struct sample *u)
{
    return p->total >= 2 && u->total >= 2 && samples_lowest(p, u) < samples_highest(p, u);
}

struct resampling {
    const struct estimate_plan *plan;
    const struct ratio_plan *ratio; /* for resamples */
    const struct problem *problem;
    const struct bands *bands;
    double *alpha;     /* by resample; NaN if there was nothing to estimate from */
    double *posterior; /* (bands->n) by resample */
};

/* Fills the posteriors at the logits of the bands. */
static dedpul_status fill_posteriors(struct context *context, const struct bands *bands,
                                     const struct sample *u, const struct ratio *ratio,
                                     const struct scales *scales, double *posterior)
{
    double *row_ratio = context_allocate(context, u->n, sizeof *row_ratio);
    if (row_ratio == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < ratio->n; i++)
        row_ratio[ratio_sample_row(ratio, i)] = ratio_at(ratio, i);
    for (size_t g = 0; g < bands->n; g++)
        posterior[g] = posterior_of(scales, interpolate(u->n, u->logit, row_ratio, bands->logit[g]));
    return DEDPUL_OK;
}

static dedpul_status resample(struct context *context, void *argument, size_t index)
{
    const struct resampling *all = argument;
    struct sample p, u;
    struct ratio ratio;
    struct solution solution;
    struct rng rng;
    double *taken, *curve = context_allocate(context, CURVE_POINTS, sizeof *curve);
    all->alpha[index] = NAN;
    if (curve == NULL)
        return DEDPUL_NO_MEMORY;
    rng_init(&rng, context->seed, rng_stream(STREAM_RESAMPLE, index));
    TRY(draw_groups(context, all->problem->p, &rng, &taken)); /* the same of both samples */
    TRY(draw_sample(context, all->problem->p, taken, &rng, &p));
    TRY(draw_sample(context, all->problem->u, taken, &rng, &u));
    if (!is_enough(&p, &u))
        return DEDPUL_OK;
    const struct problem problem = {.p = &p, .u = &u, .plan = all->ratio};
    struct densities densities = no_densities(NULL);
    TRY(all->plan->method->ratio(context, &problem, &densities, &ratio));
    TRY(solve(context, all->plan, &problem, &ratio, curve, &solution));
    all->alpha[index] = solution.proportion.alpha;
    return all->bands->n == 0 ? DEDPUL_OK
                              : fill_posteriors(context, all->bands, &u, &ratio, &solution.scales,
                                                all->posterior + index * all->bands->n);
}

/*
 * Keeps bandwidths that were chosen by held-out likelihood. In a resample, copies of a row in different folds
 * would favour bandwidths that are too narrow.
 */
static struct ratio_plan plan_of_resample(const struct ratio_plan *plan, const struct densities *densities)
{
    struct ratio_plan fixed = *plan;
    if (plan->density.bandwidth_p.rule == BANDWIDTH_AUTO && !isnan(densities->bandwidth_p))
        fixed.density.bandwidth_p = (struct bandwidth){BANDWIDTH_ABSOLUTE, densities->bandwidth_p};
    if (plan->density.bandwidth_u.rule == BANDWIDTH_AUTO && !isnan(densities->bandwidth_u))
        fixed.density.bandwidth_u = (struct bandwidth){BANDWIDTH_ABSOLUTE, densities->bandwidth_u};
    return fixed;
}

/* ---- from resamples to intervals ---- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns a quantile of sorted values, with linear interpolation between them. */
static double quantile(size_t n, const double *value, double share)
{
    const double place = share * (double)(n - 1);
    const size_t below = (size_t)place < n - 1 ? (size_t)place : n - 1;
    const size_t above = below + 1 < n ? below + 1 : below;
    return value[below] + (place - (double)below) * (value[above] - value[below]);
}

/*
 * The share of resamples below the estimate, as a normal quantile: it tells how far their median is from it.
 */
static double median_bias(size_t n, const double *sorted, double alpha)
{
    double below = 0;
    for (size_t i = 0; i < n; i++)
        below += sorted[i] < alpha ? 1 : sorted[i] == alpha ? 0.5 : 0;
    return normal_quantile(fmin(fmax(below, 0.5), (double)n - 0.5) / (double)n);
}

static void fill_interval(size_t n, const double *sorted, double alpha, double level,
                          struct interval *interval)
{
    const double tail = (1 - level) / 2, reach = normal_quantile(1 - tail);
    const double bias = median_bias(n, sorted, alpha);
    interval->kind = INTERVAL_BOOTSTRAP;
    interval->resamples = (unsigned)n;
    interval->percentile_low = quantile(n, sorted, tail);
    interval->percentile_high = quantile(n, sorted, 1 - tail);
    interval->low = quantile(n, sorted, normal_share(2 * bias - reach));
    interval->high = quantile(n, sorted, normal_share(2 * bias + reach));
}

void interval_by_method(const struct solution *solution, double level, struct interval *interval)
{
    interval->kind = INTERVAL_BY_METHOD;
    interval->percentile_low = interval->low = alpha_quantile(&solution->quantiles, (1 - level) / 2);
    interval->percentile_high = interval->high = alpha_quantile(&solution->quantiles, (1 + level) / 2);
}

/* With fewer resamples the spread cannot be estimated. */
enum { FEWEST_RESAMPLES = 10 };

dedpul_status interval_by_bootstrap(struct context *context, const struct estimate_plan *plan,
                                    const struct problem *problem, const struct densities *densities,
                                    double alpha, struct interval *interval, struct bands *bands)
{
    struct block *mark = context_mark(context);
    const struct sample *p = problem->p, *u = problem->u;
    const size_t resamples = plan->resamples;
    const double level = plan->level;
    double *drawn = context_allocate(context, resamples, sizeof *drawn);
    double *posterior = context_allocate(context, resamples * bands->n, sizeof *posterior);
    double *column = context_allocate(context, resamples, sizeof *column);
    if (drawn == NULL || posterior == NULL || column == NULL)
        return DEDPUL_NO_MEMORY;
    const struct ratio_plan ratio = plan_of_resample(problem->plan, densities);
    struct resampling all = {plan, &ratio, problem, bands, drawn, posterior};
    struct context silent = *context; /* doubts about a resample are not doubts about the estimate */
    silent.warnings = NULL;
    TRY(parallel_for(&silent, resamples, resample, &all));
    size_t n = 0;
    for (size_t i = 0; i < resamples; i++)
        if (!isnan(drawn[i]))
            column[n++] = drawn[i];
    if (n < FEWEST_RESAMPLES || p->n < FEWEST_ROWS || u->n < FEWEST_ROWS) {
        bands->n = 0;
    } else if (isnan(plan->alpha)) { /* an alpha that was given has no interval */
        qsort(column, n, sizeof *column, by_size);
        fill_interval(n, column, alpha, level, interval);
    }
    for (size_t g = 0; g < bands->n; g++) {
        n = 0;
        for (size_t i = 0; i < resamples; i++)
            if (!isnan(drawn[i]))
                column[n++] = posterior[i * bands->n + g];
        qsort(column, n, sizeof *column, by_size);
        bands->low[g] = quantile(n, column, (1 - level) / 2);
        bands->high[g] = quantile(n, column, (1 + level) / 2);
    }
    context_release(context, mark);
    return DEDPUL_OK;
}
