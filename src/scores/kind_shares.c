#include "kind_shares.h"

#include "linear_program.h"
#include "parallel.h"
#include "rng.h"
#include "sort.h"
#include "weighted.h"

#include <math.h>
#include <string.h>

/* The sets of a kind begin at 8 logits, such that about FEWEST_IN_SET labeled rows, ..., all are in it. */
enum { SETS_PER_KIND = 8, FEWEST_IN_SET = 10 };

/*
 * Set s = kind * SETS_PER_KIND + j holds the rows of its kind's cell in bands up to j. A kind may have fewer
 * sets; the rest then are as large as the last one.
 */
struct kind_sets {
    const struct kind_rows *rows;
    double excess[2]; /* of unlabeled and of labeled rows, as in row_groups.h */
    size_t n_sets;
    uint32_t *band; /* (n) the first set that has the row; n_sets: none has */
};

/* ---- sets ---- */

dedpul_status kind_thresholds(struct context *context, const struct kind_rows *rows, uint32_t kind,
                              size_t n_wanted, kind_weight_function *wanted, size_t *n_labeled,
                              double *threshold)
{
    struct block *mark = context_mark(context);
    double *logit = context_allocate(context, rows->n, sizeof *logit);
    uint32_t *row = context_allocate(context, rows->n, sizeof *row);
    size_t n = 0;
    double total = 0, before = 0;
    if (logit == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->kind[i] < rows->n_kinds && rows->likeliest[i] == kind && weight_at(rows->weight, i) > 0) {
            logit[n] = -rows->logit[i];
            row[n++] = (uint32_t)i;
            total += weight_at(rows->weight, i);
        }
    TRY(sort_numbers(context, n, logit, row));
    for (size_t j = 0, i = 0; j < n_wanted; j++) {
        while (i + 1 < n && before + weight_at(rows->weight, row[i]) < wanted(total, j) * (1 - 1e-12))
            before += weight_at(rows->weight, row[i++]);
        threshold[j] = n > 0 ? -logit[i] : INFINITY;
    }
    *n_labeled = n;
    context_release(context, mark);
    return DEDPUL_OK;
}

static double weight_in_set(double total, size_t set)
{
    const double fewest = fmin(FEWEST_IN_SET, total);
    return fewest * pow(total / fewest, (double)set / (SETS_PER_KIND - 1));
}

static dedpul_status sets_make(struct context *context, const struct kind_rows *rows, struct kind_sets *sets)
{
    *sets = (struct kind_sets){.rows = rows, .n_sets = rows->n_kinds * SETS_PER_KIND};
    double *threshold = context_allocate(context, sets->n_sets, sizeof *threshold);
    sets->band = context_allocate(context, rows->n, sizeof *sets->band);
    if (threshold == NULL || sets->band == NULL)
        return DEDPUL_NO_MEMORY;
    size_t n_labeled;
    for (uint32_t kind = 0; kind < rows->n_kinds; kind++)
        TRY(kind_thresholds(context, rows, kind, SETS_PER_KIND, weight_in_set, &n_labeled,
                            threshold + (size_t)kind * SETS_PER_KIND));
    for (size_t i = 0; i < rows->n; i++) {
        const size_t first = (size_t)rows->likeliest[i] * SETS_PER_KIND;
        size_t j = 0;
        while (j < SETS_PER_KIND && rows->logit[i] < threshold[first + j])
            j++;
        sets->band[i] = (uint32_t)(j < SETS_PER_KIND ? first + j : sets->n_sets);
    }
    return DEDPUL_OK;
}

/* By how much counts vary more than those of independent rows. */
static dedpul_status find_excess(struct context *context, const struct kind_rows *rows, bool is_labeled,
                                 double *excess)
{
    struct block *mark = context_mark(context);
    double *logit = context_allocate(context, rows->n, sizeof *logit);
    uint32_t *group = context_allocate(context, rows->n, sizeof *group);
    size_t n = 0;
    if (logit == NULL || group == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < rows->n; i++)
        if ((rows->kind[i] < rows->n_kinds) == is_labeled && weight_at(rows->weight, i) > 0) {
            logit[n] = rows->logit[i];
            group[n++] = rows->groups->of_row[i];
        }
    TRY(design_excess(context, n, logit, rows->groups->n, group, excess));
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- the program ---- */

/* Counts of rows: of each kind and, behind them, of unlabeled rows, in each band, and in all. */
struct counts {
    double *in_band; /* (n_sets + 1, n_kinds + 1) */
    double *in_all;  /* (n_kinds + 1) */
};

static dedpul_status counts_init(struct context *context, const struct kind_sets *sets, struct counts *counts)
{
    const size_t width = sets->rows->n_kinds + 1, n = (sets->n_sets + 1) * width;
    counts->in_band = context_allocate(context, n, sizeof(double));
    counts->in_all = context_allocate(context, width, sizeof(double));
    if (counts->in_band == NULL || counts->in_all == NULL)
        return DEDPUL_NO_MEMORY;
    memset(counts->in_band, 0, n * sizeof(double));
    memset(counts->in_all, 0, width * sizeof(double));
    return DEDPUL_OK;
}

static void count(const struct kind_sets *sets, size_t row, double weight, struct counts *counts)
{
    const size_t kind = sets->rows->kind[row], width = sets->rows->n_kinds + 1;
    counts->in_band[sets->band[row] * width + kind] += weight;
    counts->in_all[kind] += weight;
}

/*
 * One condition: what the shares of all kinds have in the set is at most what unlabeled rows have, give or
 * take one and a half standard deviations of both counts.
 */
static double set_condition(size_t n_kinds, const double *in_set, const double *in_all,
                            const double excess[2], double *a)
{
    double labeled = 0;
    for (size_t k = 0; k < n_kinds; k++) {
        a[k] = in_all[k] > 0 ? in_set[k] / in_all[k] : 0;
        labeled += in_set[k];
    }
    const double n = fmax(in_all[n_kinds], 1), share = in_set[n_kinds] / n;
    return share + 1.5 * sqrt((1 + excess[0]) * fmax(share, 1 / n) / n +
                              (1 + excess[1]) * share * share / fmax(labeled, 1));
}

static dedpul_status solve(struct context *context, const struct kind_sets *sets, const struct counts *counts,
                           double *share /* (n_kinds) */)
{
    struct block *mark = context_mark(context);
    const size_t n = sets->rows->n_kinds, m = sets->n_sets + 1;
    double *a = context_allocate(context, m * n, sizeof *a), *b = context_allocate(context, m, sizeof *b);
    double *c = context_allocate(context, n, sizeof *c);
    double *in_set = context_allocate(context, n + 1, sizeof *in_set);
    struct linear_maximum maximum;
    if (a == NULL || b == NULL || c == NULL || in_set == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t s = 0; s < sets->n_sets; s++) {
        for (size_t k = 0; k <= n; k++)
            in_set[k] = (s % SETS_PER_KIND == 0 ? 0 : in_set[k]) + counts->in_band[s * (n + 1) + k];
        b[s] = set_condition(n, in_set, counts->in_all, sets->excess, a + s * n);
    }
    for (size_t k = 0; k < n; k++) { /* together, kinds are at most all unlabeled rows */
        a[sets->n_sets * n + k] = 1;
        c[k] = counts->in_all[k] > 0; /* a kind that is not in the resample has no share in it */
    }
    b[sets->n_sets] = 1;
    TRY(linear_program_solve(context, &(struct linear_program){n, m, a, b, c}, &maximum));
    memcpy(share, maximum.x, n * sizeof *share);
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- resamples ---- */

struct resampling {
    const struct kind_sets *sets;
    double *share; /* (resamples, n_kinds) */
};

/* How often a row or a group is in a resample: Poisson with mean 1. */
static double draw_times(struct rng *rng)
{
    double left = rng_uniform(rng) - exp(-1), term = exp(-1);
    double times = 0;
    while (left >= 0 && times < 20) {
        times++;
        term /= times;
        left -= term;
    }
    return times;
}

dedpul_status kind_resample(struct context *context, const struct kind_rows *rows, size_t index,
                            double *weight)
{
    struct block *mark = context_mark(context);
    const size_t n_groups = rows->groups != NULL ? rows->groups->n : 0;
    double *of_group = context_allocate(context, n_groups, sizeof *of_group);
    struct rng rng;
    if (of_group == NULL)
        return DEDPUL_NO_MEMORY;
    rng_init(&rng, context->seed, rng_stream(STREAM_KINDS, index));
    for (size_t g = 0; g < n_groups; g++)
        of_group[g] = draw_times(&rng);
    for (size_t i = 0; i < rows->n; i++)
        weight[i] = (n_groups > 0 ? of_group[rows->groups->of_row[i]] : draw_times(&rng)) *
                    weight_at(rows->weight, i);
    context_release(context, mark);
    return DEDPUL_OK;
}

static dedpul_status resample(struct context *context, void *argument, size_t index)
{
    const struct resampling *resampling = argument;
    const struct kind_rows *rows = resampling->sets->rows;
    double *weight = context_allocate(context, rows->n, sizeof *weight);
    struct counts counts;
    if (weight == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(counts_init(context, resampling->sets, &counts));
    TRY(kind_resample(context, rows, index, weight));
    for (size_t i = 0; i < rows->n; i++)
        count(resampling->sets, i, weight[i], &counts);
    return solve(context, resampling->sets, &counts, resampling->share + index * rows->n_kinds);
}

dedpul_status kind_shares_init(struct context *context, const struct kind_rows *rows, unsigned resamples,
                               struct kind_shares *shares)
{
    const size_t n = rows->n_kinds;
    shares->resamples = resamples;
    shares->share = context_allocate(context, n, sizeof *shares->share);
    shares->resampled = context_allocate(context, resamples * n, sizeof *shares->resampled);
    return shares->share != NULL && shares->resampled != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

dedpul_status kind_shares_find(struct context *context, const struct kind_rows *rows, unsigned resamples,
                               struct kind_shares *shares)
{
    const size_t n = rows->n_kinds;
    struct kind_sets sets;
    TRY(kind_shares_init(context, rows, resamples, shares));
    TRY(sets_make(context, rows, &sets));
    for (int label = 0; label < 2 && rows->groups != NULL; label++)
        TRY(find_excess(context, rows, label == 1, &sets.excess[label]));
    struct resampling resampling = {&sets, shares->resampled};
    TRY(parallel_for(context, resamples, resample, &resampling));
    for (size_t k = 0; k < n; k++) {
        shares->share[k] = 0;
        for (size_t r = 0; r < resamples; r++)
            shares->share[k] += shares->resampled[r * n + k] / resamples;
    }
    return DEDPUL_OK;
}
