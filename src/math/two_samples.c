#include "two_samples.h"

#include "chi_square.h"

#include <float.h>
#include <math.h>

static double log_factorial(double n)
{
    int sign;
    return lgamma_r(n + 1, &sign);
}

static double log_choose(double n, double k)
{
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

/* The upper tail of the hypergeometric distribution. Beyond the mean its terms fall, ever faster. */
double rise_chance(double k0, double n0, double k1, double n1)
{
    double term = 1, sum = 0;
    if (k1 * n0 <= k0 * n1)
        return 1;
    for (double left = k0, more = k1; term > DBL_EPSILON * sum; left--, more++) {
        sum += term;
        term *= left / (n0 - left + 1) * (n1 - more) / (more + 1);
    }
    return fmin(exp(log_choose(n0, k0) + log_choose(n1, k1) - log_choose(n0 + n1, k0 + k1)) * sum, 1);
}

bool has_enough_rows(const struct cell_counts *cell, const struct cell_counts *total)
{
    const double smaller = fmin(total->first, total->second);
    return (cell->first + cell->second) * smaller >= 5 * (total->first + total->second);
}

/* A count's part of the statistic. */
static double surprise(double count, double expected)
{
    return count > 0 ? count * log(count / expected) : 0;
}

double homogeneity_chance(size_t n, const struct cell_counts *cell)
{
    struct cell_counts total = {0, 0};
    double statistic = 0, reciprocals = 0;
    for (size_t i = 0; i < n; i++) {
        total.first += cell[i].first;
        total.second += cell[i].second;
    }
    if (n < 2 || !(total.first > 0 && total.second > 0))
        return 1;
    const double all = total.first + total.second;
    for (size_t i = 0; i < n; i++) {
        const double both = cell[i].first + cell[i].second;
        statistic += 2 * (surprise(cell[i].first, both * total.first / all) +
                          surprise(cell[i].second, both * total.second / all));
        reciprocals += all / both;
    }
    const double of_samples = all / total.first + all / total.second;
    const double correction = 1 + (reciprocals - 1) * (of_samples - 1) / (6 * all * (double)(n - 1));
    return chi_square_tail(n - 1, fmax(statistic, 0) / correction);
}
