#include "mixture.h"

#include "sum.h"

#include <math.h>

enum { CHECKPOINT_BITS = 6 };

dedpul_status mixture_init(struct context *context, size_t m, const double *value, const double *mass,
                           struct mixture *mixture)
{
    struct sum weight = {0, 0}, gap = {0, 0};
    while (m > 0 && mass[m - 1] <= 0) /* after smoothing, no row may have the largest ratios */
        m--;
    *mixture = (struct mixture){.m = m, .value = value, .mass = mass};
    mixture->checkpoint = context_allocate(context, (m >> CHECKPOINT_BITS) + 1, sizeof *mixture->checkpoint);
    if (mixture->checkpoint == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < m; k++) {
        if (k % (1 << CHECKPOINT_BITS) == 0)
            mixture->checkpoint[k >> CHECKPOINT_BITS] =
                (struct mixture_sums){sum_value(&weight), sum_value(&gap)};
        sum_add(&weight, mass[k]);
        sum_add(&gap, mass[k] * (1 - value[k]));
    }
    mixture->total = sum_value(&weight);
    mixture->mean_gap = sum_value(&gap) / mixture->total;
    return DEDPUL_OK;
}

/* The sums over ratios below value_k, k < m: those of the last checkpoint plus at most 63 more terms. */
static struct mixture_sums sums_below(const struct mixture *mixture, size_t k)
{
    struct mixture_sums sums = mixture->checkpoint[k >> CHECKPOINT_BITS];
    for (size_t i = k >> CHECKPOINT_BITS << CHECKPOINT_BITS; i < k; i++) {
        sums.weight += mixture->mass[i];
        sums.gap += mixture->mass[i] * (1 - mixture->value[i]);
    }
    return sums;
}

double mixture_mean_ratio(const struct mixture *mixture)
{
    return 1 - mixture->mean_gap;
}

bool mixture_is_trivial(const struct mixture *mixture)
{
    return mixture->mean_gap > 1e-9;
}

/* Returns the index of the first ratio with scale * ratio >= 1: from there on posteriors are capped at 1. */
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
 * total * D(a) with the rows from k on capped: a total - a (sum of w r below k) - (weight from k on). It is
 * written with sums of w (1 - r), because the difference total - (sum of w r) would lose digits.
 */
static double scaled_d(const struct mixture *mixture, double a, size_t k)
{
    if (k == mixture->m)
        return a * mixture->mean_gap * mixture->total;
    const struct mixture_sums below = sums_below(mixture, k);
    const double capped = mixture->total - below.weight;
    return a * (capped + below.gap) - capped;
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
     * D is convex with D(0) = 0, so along the breakpoints 1 / value_k below 1, which means for k from m down,
     * it is first <= 0 and then positive. Find the last k with a positive D; the root lies before its
     * breakpoint.
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
    const struct mixture_sums below = sums_below(mixture, low);
    const double capped = mixture->total - below.weight;
    /* On this piece D is linear: a (capped + gap) - capped = 0. */
    return fmin(1, capped / (capped + below.gap));
}

double mixture_em(const struct mixture *mixture)
{
    const double tolerance = 1e-5;
    double a = 1, change;
    do { /* the next a is the mean posterior a - D(a); a falls by at least the tolerance, so this ends */
        change = mixture_d(mixture, a);
        a -= change;
    } while (change >= tolerance);
    return a;
}

void mixture_curve(const struct mixture *mixture, double curve[CURVE_POINTS])
{
    for (size_t j = 0; j < CURVE_POINTS; j++)
        curve[j] = mixture_d(mixture, curve_alpha(j));
}

double max_slope(const double curve[CURVE_POINTS])
{
    const double largest_d = 0.05;
    const double rounding = 1e-12; /* of a second difference of D */
    size_t best = 0, last = 0;
    double best_bend = rounding;
    bool bends = false;
    for (size_t j = 1; j + 2 < CURVE_POINTS; j++) { /* the grid of the paper ends at 0.999 */
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
    if (best == 0 && bends) /* D bends only where it is above largest_d */
        best = last;
    return curve_alpha(best);
}

/* total * mean_i min(scale r_i, 1), with the rows from k on capped. */
static double scaled_posterior(const struct mixture *mixture, double scale, size_t k)
{
    if (k == mixture->m)
        return scale * (1 - mixture->mean_gap) * mixture->total;
    const struct mixture_sums below = sums_below(mixture, k);
    return scale * (below.weight - below.gap) + (mixture->total - below.weight);
}

double mixture_scale(const struct mixture *mixture, double alpha, int *reached)
{
    const double wanted = alpha * mixture->total;
    *reached = scaled_posterior(mixture, LARGEST_SCALE, first_capped(mixture, LARGEST_SCALE)) >=
               wanted * (1 - 1e-12);
    if (!*reached)
        return LARGEST_SCALE;
    /*
     * The mean posterior rises with the scale, so along the breakpoints 1 / value_k for k from m down. Find
     * the linear piece where it is the wanted one, and solve there.
     */
    size_t low = 0, high = mixture->m;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const double value = mixture->value[middle];
        if (value == 0 || scaled_posterior(mixture, 1 / value, middle) >= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    const double capped = scaled_posterior(mixture, 0, low); /* weight of the rows from there on */
    const double slope = scaled_posterior(mixture, 1, low) - capped;
    const double scale = slope > 0 ? (wanted - capped) / slope : 0;
    return fmin(fmax(scale, 0), LARGEST_SCALE);
}
