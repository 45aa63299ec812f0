/* Garg et al., "Mixture proportion estimation and PU learning: a modern approach", 2021. */
#include "best_bin.h"

#include "thresholds.h"

#include <math.h>

double best_bin_share(size_t n_a, const double *a, const double *weight_a, size_t n_b, const double *b,
                      const double *weight_b)
{
    const double confidence = 0.1, slack = 0.01;
    const double total_a = weighted_total(n_a, weight_a), total_b = weighted_total(n_b, weight_b);
    const double width =
        sqrt(log(4 / confidence) / (2 * total_b)) + sqrt(log(4 / confidence) / (2 * total_a));
    struct thresholds at = thresholds_of(n_a, a, weight_a, n_b, b, weight_b);
    double lowest = INFINITY, best = 1;
    /* From the highest threshold down; at equal bounds the lowest one counts. */
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
    return best;
}
