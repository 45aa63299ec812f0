/* Garg et al., "Mixture proportion estimation and PU learning: a modern approach", 2021. */
#include "best_bin.h"

#include "weighted.h"

#include <math.h>

/* Takes the values at or above a threshold off the end; returns the weight taken so far. */
static double take_from(double threshold, const double *value, const double *weight, size_t *end,
                        double *taken)
{
    while (*end > 0 && value[*end - 1] >= threshold)
        *taken += weight_at(weight, --*end);
    return *taken;
}

double best_bin_share(size_t n_a, const double *a, const double *weight_a, size_t n_b, const double *b,
                      const double *weight_b, double *bound)
{
    const double confidence = 0.1, slack = 0.01;
    const double total_a = weighted_total(n_a, weight_a), total_b = weighted_total(n_b, weight_b);
    const double width =
        sqrt(log(4 / confidence) / (2 * total_b)) + sqrt(log(4 / confidence) / (2 * total_a));
    size_t end_a = n_a, end_b = n_b;
    double taken_a = 0, taken_b = 0, lowest = INFINITY, best = 1;
    /* From the highest threshold down; at equal bounds the lowest one counts. */
    while (end_b > 0) {
        const double threshold = b[end_b - 1];
        const double q_b = take_from(threshold, b, weight_b, &end_b, &taken_b) / total_b;
        const double q_a = take_from(threshold, a, weight_a, &end_a, &taken_a) / total_a;
        if (!(q_a > 0))
            continue;
        const double upper = q_b / q_a + (1 + slack) / q_a * width;
        if (upper <= lowest) {
            lowest = upper;
            best = fmin(1, q_b / q_a);
        }
    }
    if (bound != NULL)
        *bound = fmin(1, lowest);
    return best;
}
