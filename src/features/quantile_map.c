#include "quantile_map.h"

#include "interpolate.h"
#include "normal.h"
#include "sort.h"
#include "weighted.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { FEWEST_DISTINCT = 10, MOST_KNOTS = 1024 };

/* Replaces sorted values by the distinct ones and fills the weight of each. Returns their number. */
static size_t merge_ties(size_t n, double *value, const uint32_t *row, const double *weight, double *tie)
{
    size_t distinct = 0;
    for (size_t i = 0; i < n;) {
        const double tied = value[i];
        double sum = 0;
        for (; i < n && value[i] == tied; i++)
            sum += weight_at(weight, row[i]);
        value[distinct] = tied;
        tie[distinct++] = sum;
    }
    return distinct;
}

/* Keeps a share inside (0, 1) even if a weight is so small that the total does not change by it. */
static double inner_share(double share)
{
    return fmin(fmax(share, DBL_EPSILON / 2), 1 - DBL_EPSILON / 2);
}

dedpul_status quantile_map_learn(struct context *context, size_t n, const double *value, const double *weight,
                                 struct arena *memory, size_t *n_knots, double **knot_value,
                                 double **knot_normal)
{
    struct block *mark = context_mark(context);
    double *sorted = context_allocate(context, n, sizeof *sorted);
    double *tie = context_allocate(context, n, sizeof *tie);
    uint32_t *row = context_allocate(context, n, sizeof *row);
    size_t known = 0;
    if (sorted == NULL || tie == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        if (!isnan(value[i]) && weight_at(weight, i) > 0) {
            sorted[known] = value[i];
            row[known++] = (uint32_t)i;
        }
    TRY(sort_numbers(context, known, sorted, row));
    const size_t distinct = merge_ties(known, sorted, row, weight, tie);
    *n_knots = 0;
    if (distinct < FEWEST_DISTINCT) {
        context_release(context, mark);
        return DEDPUL_OK;
    }
    const size_t most = distinct < MOST_KNOTS ? distinct : MOST_KNOTS;
    *knot_value = context_allocate_in(context, memory, most, sizeof **knot_value);
    *knot_normal = context_allocate_in(context, memory, most, sizeof **knot_normal);
    if (*knot_value == NULL || *knot_normal == NULL)
        return DEDPUL_NO_MEMORY;
    const double total = weighted_total(distinct, tie);
    double before = 0;
    for (size_t i = 0; i < distinct; i++) {
        /* Knots are the first values at or beyond `most` even steps of the total weight, and both ends. */
        const bool is_knot = distinct == most || i == 0 || i == distinct - 1 ||
                             (before + tie[i]) / total * (double)(most - 2) >= (double)*n_knots;
        if (is_knot && (*n_knots + 1 < most || i == distinct - 1)) {
            (*knot_value)[*n_knots] = sorted[i];
            (*knot_normal)[(*n_knots)++] = normal_quantile(inner_share((before + tie[i] / 2) / total));
        }
        before += tie[i];
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

void quantile_map_apply(size_t n_knots, const double *knot_value, const double *knot_normal, size_t n,
                        const double *value, double *normal)
{
    size_t i = 0, above[BOUNDS_AT_ONCE];
    for (; n - i >= BOUNDS_AT_ONCE; i += BOUNDS_AT_ONCE) {
        first_above_each(n_knots, knot_value, value + i, above);
        for (size_t k = 0; k < BOUNDS_AT_ONCE; k++)
            normal[i + k] = height_between(n_knots, knot_value, knot_normal, above[k], value[i + k]);
    }
    for (; i < n; i++)
        normal[i] = interpolate(n_knots, knot_value, knot_normal, value[i]);
    for (i = 0; i < n; i++)
        normal[i] = isnan(value[i]) ? NAN : normal[i];
}
