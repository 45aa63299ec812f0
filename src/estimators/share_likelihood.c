/*
 * The bins are disjoint, so the likelihood is a sum of concave functions of one share each, under one linear
 * constraint. Given the multiplier of the constraint, each share has a closed form; the multiplier is found
 * by bisection.
 */
#include "share_likelihood.h"

#include <math.h>

/*
 * The share of a bin at the multiplier m, for the ratio r of its masses: the only b in (0, a r + 1) for which
 * the derivative r / b - 1 / (a r + 1 - b) is m, at most 1.
 */
static double share_of(double r, double a, double m)
{
    const double end = a * r + 1, linear = m * end + 1 + r, constant = r * end;
    /* Of the two forms of the root of m b^2 - linear b + constant = 0, take the one that does not cancel. */
    const double root = sqrt(fmax(linear * linear - 4 * m * constant, 0));
    return fmin(1, linear > 0 ? 2 * constant / (linear + root) : (linear - root) / (2 * m));
}

/*
 * The sum of the shares falls with m. At m = 1 / a all shares are at most a r, so they add up to at most a;
 * at m = -1 / (1 - a) they add up to at least a.
 */
static double find_multiplier(size_t n, const double *p, const double *u, double a)
{
    double low = -1 / (1 - a), high = 1 / a;
    for (int step = 0; step < 60; step++) {
        const double middle = (low + high) / 2;
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += u[k] * share_of(p[k] / u[k], a, middle);
        if (sum > a)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

double share_likelihood(size_t n, const double *p, const double *u, double a, double *share)
{
    const double m = find_multiplier(n, p, u, a);
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        share[k] = share_of(p[k] / u[k], a, m);
        if (p[k] > 0)
            sum += p[k] * log(share[k] * u[k] / a);
        sum += u[k] * log(a * p[k] + (1 - share[k]) * u[k]);
    }
    return sum;
}
