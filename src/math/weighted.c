#include "weighted.h"

#include "sum.h"

#include <math.h>
#include <stdbool.h>

/*
 * The smallest t that is 1e-4 of the mean weight of the rows from t on, found from below: rows next to no
 * weight would otherwise lower the mean, and with it the bound for all others.
 */
double least_weight(size_t n, const double *weight, const unsigned char *label, unsigned char wanted)
{
    double least = 0;
    for (bool is_higher = weight != NULL; is_higher;) {
        double rows = 0, total = 0;
        for (size_t i = 0; i < n; i++)
            if ((label == NULL || label[i] == wanted) && weight[i] > 0 && weight[i] >= least) {
                rows++;
                total += weight[i];
            }
        const double next = rows > 0 ? fmin(1e-4 * (total / rows), 0.5) : 0;
        is_higher = next > least;
        least = fmax(next, least);
    }
    return least;
}

size_t weight_pieces(double weight, double total)
{
    const double largest_piece = fmax(1, total / 65536);
    return (size_t)ceil(weight / largest_piece);
}

double weighted_total(size_t n, const double *weight)
{
    if (weight == NULL)
        return (double)n;
    struct sum total = {0, 0};
    for (size_t i = 0; i < n; i++)
        sum_add(&total, weight[i]);
    return sum_value(&total);
}

double weighted_mean(size_t n, const double *value, const double *weight)
{
    struct sum total = {0, 0};
    for (size_t i = 0; i < n; i++)
        sum_add(&total, weight_at(weight, i) * value[i]);
    return sum_value(&total) / weighted_total(n, weight);
}

double weighted_deviation(size_t n, const double *value, const double *weight)
{
    const double centre = value[n / 2]; /* near the mean, so that little cancels below */
    struct sum sum = {0, 0}, squares = {0, 0};
    for (size_t i = 0; i < n; i++) {
        const double distance = value[i] - centre;
        sum_add(&sum, weight_at(weight, i) * distance);
        sum_add(&squares, weight_at(weight, i) * distance * distance);
    }
    const double total = weighted_total(n, weight);
    const double spread = sum_value(&squares) - sum_value(&sum) * sum_value(&sum) / total;
    return sqrt(fmax(spread, 0) / (total - 1));
}

double weighted_quantile(size_t n, const double *value, const double *weight, double q)
{
    const double position = floor(q * (weighted_total(n, weight) - 1));
    double before = 0; /* weight of the values up to i */
    size_t i = 0;
    for (; i + 1 < n; i++) {
        before += weight_at(weight, i);
        if (before > position)
            break;
    }
    return value[i];
}

double weighted_auc(size_t n_a, const double *a, const double *weight_a, size_t n_b, const double *b,
                    const double *weight_b)
{
    double below = 0; /* weight of b below the present value */
    double wins = 0;
    size_t i = 0, j = 0;
    while (i < n_a) {
        const double value = a[i];
        double here_a = 0, here_b = 0;
        for (; j < n_b && b[j] < value; j++)
            below += weight_at(weight_b, j);
        for (; j < n_b && b[j] == value; j++)
            here_b += weight_at(weight_b, j);
        for (; i < n_a && a[i] == value; i++)
            here_a += weight_at(weight_a, i);
        wins += here_a * (below + 0.5 * here_b);
        below += here_b;
    }
    return wins / (weighted_total(n_a, weight_a) * weighted_total(n_b, weight_b));
}
