#include "mixture.h"

#include "sum.h"

#include <math.h>

dedpul_status mixture_init(struct context *context, size_t m, const double *value, double *mass,
                           struct mixture *mixture)
{
    struct sum above = {0, 0}, below = {0, 0};
    while (m > 0 && mass[m - 1] <= 0) /* smoothing may have left the largest ratios to no row */
        m--;
    *mixture = (struct mixture){.m = m, .value = value, .above = mass};
    mixture->below = context_allocate(context, m + 1, sizeof *mixture->below);
    if (mixture->below == NULL)
        return DEDPUL_NO_MEMORY;
    mixture->below[0] = 0;
    for (size_t k = 0; k < m; k++) {
        sum_add(&below, mass[k] * (1 - value[k]));
        mixture->below[k + 1] = sum_value(&below);
    }
    mixture->above[m] = 0;
    for (size_t k = m; k > 0; k--) {
        sum_add(&above, mass[k - 1]);
        mixture->above[k - 1] = sum_value(&above);
    }
    mixture->total = mixture->above[0];
    return DEDPUL_OK;
}

double mixture_mean_ratio(const struct mixture *mixture)
{
    return 1 - mixture->below[mixture->m] / mixture->total;
}

bool mixture_is_trivial(const struct mixture *mixture)
{
    return mixture->below[mixture->m] > 1e-9 * mixture->total;
}

/* Index of the first ratio with scale * ratio >= 1: from there on posteriors are capped. */
static size_t first_capped(const struct mixture *mixture, double scale)
{
    size_t low = 0, high = mixture->m;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (scale * mixture->value[middle] >= 1)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/*
 * total * D(a) with the rows from k on capped: a total - a (sum of w r below k) - (weight from k on).
 * Written with sums of w (1 - r), because total - sum of w r cancels.
 */
static double scaled_d(const struct mixture *mixture, double a, size_t k)
{
    return a * (mixture->above[k] + mixture->below[k]) - mixture->above[k];
}

double mixture_d(const struct mixture *mixture, double a)
{
    return scaled_d(mixture, a, first_capped(mixture, a)) / mixture->total;
}

double mixture_root(const struct mixture *mixture)
{
    const size_t m = mixture->m;
    if (mixture_is_trivial(mixture))
        return 0; /* D rises from 0 on */
    /*
     * Along the breakpoints 1 / value_k below 1, so k from m down, D is first <= 0 and then positive.
     * Find the last k of the positive ones; the root lies before its breakpoint.
     */
    size_t low = 0, high = m; /* positive below low, not positive from high on */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const double value = mixture->value[middle];
        if (value <= 1 || scaled_d(mixture, 1 / value, middle) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == m) /* D is 0 up to the first breakpoint, and positive after it */
        return fmin(1, 1 / mixture->value[m - 1]);
    return fmin(1, mixture->above[low] / (mixture->above[low] + mixture->below[low]));
}

double mixture_em(const struct mixture *mixture)
{
    const double tolerance = 1e-5;
    double a = 1, change;
    do { /* a falls by at least the tolerance each time, so this ends */
        change = mixture_d(mixture, a);
        a -= change;
    } while (change >= tolerance);
    return a;
}

void mixture_curve(const struct mixture *mixture, double curve[DEDPUL_CURVE_POINTS])
{
    for (size_t j = 0; j < DEDPUL_CURVE_POINTS; j++)
        curve[j] = mixture_d(mixture, curve_alpha(j));
}

double max_slope(const double curve[DEDPUL_CURVE_POINTS])
{
    const double largest_d = 0.05;
    const double rounding = 1e-12; /* of a second difference of D */
    size_t best = 0, last = 0;
    double best_bend = rounding;
    bool bends = false;
    for (size_t j = 1; j + 2 < DEDPUL_CURVE_POINTS; j++) { /* the grid of the paper ends at 0.999 */
        const double bend = curve[j - 1] - 2 * curve[j] + curve[j + 1];
        bends = bends || bend > rounding;
        if (!(curve[j] < largest_d))
            continue;
        last = j;
        if (bend > best_bend) {
            best = j;
            best_bend = bend;
        }
    }
    if (best == 0 && bends)
        best = last;
    return curve_alpha(best);
}

/* total * mean_i min(scale r_i, 1), with the rows from k on capped. */
static double scaled_posterior(const struct mixture *mixture, double scale, size_t k)
{
    const double weight_below = mixture->total - mixture->above[k];
    return scale * (weight_below - mixture->below[k]) + mixture->above[k];
}

double mixture_scale(const struct mixture *mixture, double alpha, int *reached)
{
    const double wanted = alpha * mixture->total;
    *reached = scaled_posterior(mixture, LARGEST_SCALE, first_capped(mixture, LARGEST_SCALE)) >=
               wanted * (1 - 1e-12);
    if (!*reached)
        return LARGEST_SCALE;
    /* Along the breakpoints 1 / value_k, k from m down, the mean posterior rises. Find where it is. */
    size_t low = 0, high = mixture->m;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const double value = mixture->value[middle];
        if (value == 0 || scaled_posterior(mixture, 1 / value, middle) >= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    const double slope = mixture->total - mixture->above[low] - mixture->below[low];
    const double scale = slope > 0 ? (wanted - mixture->above[low]) / slope : 0;
    return fmin(fmax(scale, 0), LARGEST_SCALE);
}
