/* Garg et al., "Mixture proportion estimation and PU learning: a modern approach", 2021. */
#include "best_bin.h"

#include "thresholds.h"

#include <math.h>

/* Returns the share. *bound is the upper bound at its threshold, which fails with a probability of `risk`. */
static double best_bin(size_t n_a, const double *a, const double *weight_a, size_t n_b, const double *b,
                       const double *weight_b, double risk, double *bound)
{
    const double slack = 0.01;
    const double total_a = weighted_total(n_a, weight_a), total_b = weighted_total(n_b, weight_b);
    const double width = sqrt(log(4 / risk) / (2 * total_b)) + sqrt(log(4 / risk) / (2 * total_a));
    struct thresholds at = thresholds_of(n_a, a, weight_a, n_b, b, weight_b);
    double lowest = INFINITY, best = 1;
    /* Go from the highest threshold down; among equal bounds the lowest threshold counts. */
    while (thresholds_next(&at)) {
        const double q_a = at.above_a / total_a, q_b = at.above_b / total_b;
        if (!(q_a > 0))
            continue;
        const double upper = q_b / q_a + (1 + slack) / q_a * width;
        if (upper <= lowest) {
            lowest = upper;
            best = fmin(1, q_b / q_a);
        }
    }
    *bound = fmin(1, lowest);
    return best;
}

double best_bin_share(size_t n_a, const double *a, const double *weight_a, size_t n_b, const double *b,
                      const double *weight_b)
{
    double bound;
    return best_bin(n_a, a, weight_a, n_b, b, weight_b, 0.1, &bound);
}

double best_bin_bound(size_t n_a, const double *a, const double *weight_a, size_t n_b, const double *b,
                      const double *weight_b, double risk)
{
    double bound;
    (void)best_bin(n_a, a, weight_a, n_b, b, weight_b, risk, &bound);
    return bound;
}
