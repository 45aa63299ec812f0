#include "label_check.h"

#include "chi_square.h"
#include "weighted.h"

#include <math.h>

/*
 * These were set on draws of landsat, pageblock, bank and concrete; experiments/NOTES.md has the results on
 * other sets.
 */
static const double top = 0.5,
                    more = 0.8;       /* shares of a kind's labeled rows that thresholds leave above them */
static const double decline = 0.75;   /* this power of the decline from one to the other may go on */
static const double tolerance = 1.25; /* this factor between rates is nothing */

/* Rows of a cell from some logit on. */
struct count {
    double sum, squares; /* of weights */
};

/* ln(unlabeled positives to a labeled one): it lies between two values that are uncertain. */
struct log_range {
    double low, high;
    double low_variance, high_variance;
};

static void count_add(struct count *count, double weight)
{
    count->sum += weight;
    count->squares += weight * weight;
}

static struct count count_sum(const struct count count[2])
{
    return (struct count){count[0].sum + count[1].sum, count[0].squares + count[1].squares};
}

/* ---- counts ---- */

static double weight_above(double total, size_t threshold)
{
    return (threshold == 0 ? top : more) * total;
}

/* The variance of unlabeled rows that are expected beside labeled ones, both being counted. */
static double variance_beside(const struct count *labeled, const struct count *unlabeled)
{
    const double ratio = labeled->sum > 0 ? unlabeled->sum / labeled->sum : 0;
    return unlabeled->squares + ratio * ratio * labeled->squares;
}

/* Band 0 has the rows above the first threshold, band 1 those between both. */
static struct log_range range_of(const struct count labeled[2], const struct count unlabeled[2])
{
    const struct count labeled_all = count_sum(labeled), unlabeled_all = count_sum(unlabeled);
    const double u = unlabeled[0].sum, all = unlabeled_all.sum;
    const double first = log(u / labeled[0].sum), both = log(all / labeled_all.sum);
    const double variance = variance_beside(&labeled[0], &unlabeled[0]) / (u * u);
    const double variance_all = variance_beside(&labeled_all, &unlabeled_all) / (all * all);
    if (both <= first) /* no decline: the bands tell the same */
        return (struct log_range){both, both, variance_all, variance_all};
    const double by[2] = {1 + decline - decline * u / all, decline * (all - u) / all};
    const double more_variance = variance_beside(&labeled[1], &unlabeled[1]) / ((all - u) * (all - u));
    return (struct log_range){
        .low = first - decline * (both - first),
        .high = first,
        .low_variance = fmax(variance, by[0] * by[0] * variance + by[1] * by[1] * more_variance),
        .high_variance = variance,
    };
}

static dedpul_status find_range(struct context *context, const struct kind_rows *rows, uint32_t kind,
                                size_t *n_labeled, struct log_range *range)
{
    struct count labeled[2] = {{0, 0}, {0, 0}}, unlabeled[2] = {{0, 0}, {0, 0}};
    double threshold[2], weight = 0;
    size_t n = 0;
    TRY(kind_thresholds(context, rows, kind, 2, weight_above, n_labeled, threshold));
    if (*n_labeled < FEWEST_CHECKED)
        return DEDPUL_OK;
    for (size_t i = 0; i < rows->n; i++) {
        const bool is_labeled = rows->kind[i] < rows->n_kinds;
        const double own = weight_at(rows->weight, i);
        n += !is_labeled && own > 0;
        weight += is_labeled ? 0 : own;
        if (rows->likeliest[i] == kind && rows->logit[i] >= threshold[1])
            count_add(&(is_labeled ? labeled : unlabeled)[rows->logit[i] < threshold[0]], own);
    }
    /* Half a row more keeps logarithms finite, and their means where they belong. */
    const double half = 0.5 * weight / fmax((double)n, 1);
    unlabeled[0].sum += half;
    unlabeled[0].squares += 2 * half * half;
    *range = range_of(labeled, unlabeled);
    return DEDPUL_OK;
}

/* ---- the test ---- */

/* By how much a value is outside of a range, in its standard deviations; below 0: too low. */
static double outside(const struct log_range *range, double value)
{
    const double margin = log(tolerance) / 2;
    if (value < range->low - margin)
        return (value - (range->low - margin)) / sqrt(range->low_variance);
    if (value > range->high + margin)
        return (value - (range->high + margin)) / sqrt(range->high_variance);
    return 0;
}

/* Half of the derivative of the sum of squares. */
static double slope(size_t n, const struct log_range *range, double value)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        const double by = outside(&range[k], value);
        sum += by / sqrt(by < 0 ? range[k].low_variance : range[k].high_variance);
    }
    return sum;
}

/* One end of the values that are least outside of all ranges: the sum of squares is convex. */
static double best_end(size_t n, const struct log_range *range, bool is_upper)
{
    double low = range[0].low, high = range[0].high;
    for (size_t k = 1; k < n; k++) {
        low = fmin(low, range[k].low);
        high = fmax(high, range[k].high);
    }
    for (int step = 0; step < 60; step++) {
        const double middle = (low + high) / 2, there = slope(n, range, middle);
        if (there < 0 || (is_upper && there == 0))
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* If the ranges have values in common, all of these are best: the middle one is taken. */
static double best_value(size_t n, const struct log_range *range)
{
    return (best_end(n, range, false) + best_end(n, range, true)) / 2;
}

static double label_rate(double log_ratio)
{
    return 1 / (1 + exp(log_ratio));
}

static void judge(size_t n, const struct log_range *range /* (n) */, const size_t *kind,
                  struct label_check *check)
{
    const double best = best_value(n, range);
    double squares = 0;
    check->rate = label_rate(best);
    for (size_t k = 0; k < n; k++) {
        struct checked_kind *own = &check->kind[kind[k]];
        own->low = label_rate(range[k].high);
        own->high = label_rate(range[k].low);
        own->deviation = outside(&range[k], best);
        squares += own->deviation * own->deviation;
    }
    check->p_value = chi_square_tail(n - 1, squares);
}

dedpul_status label_check(struct context *context, const struct kind_rows *rows, struct arena *memory,
                          struct label_check *check)
{
    const size_t n_kinds = rows->n_kinds;
    size_t n = 0, *kind = context_allocate(context, n_kinds, sizeof *kind);
    struct log_range *range = context_allocate(context, n_kinds, sizeof *range);
    *check = (struct label_check){.p_value = NAN, .rate = NAN, .n_kinds = n_kinds};
    check->kind = context_allocate_in(context, memory, n_kinds, sizeof *check->kind);
    if (kind == NULL || range == NULL || check->kind == NULL)
        return DEDPUL_NO_MEMORY;
    for (uint32_t k = 0; k < n_kinds; k++) {
        struct checked_kind *own = &check->kind[k];
        *own = (struct checked_kind){.low = NAN, .high = NAN, .deviation = 0};
        TRY(find_range(context, rows, k, &own->rows, &range[n]));
        if (own->rows >= FEWEST_CHECKED)
            kind[n++] = k;
    }
    if (n >= 2)
        judge(n, range, kind, check);
    return DEDPUL_OK;
}
