#include "binomial.h"

#include "normal.h"

#include <float.h>
#include <math.h>

/* log Gamma(x) minus Stirling's (x - 1/2) log x - x + log(2 pi) / 2. */
static double stirling_rest(double x)
{
    if (x < 16) {
        int sign;
        return lgamma_r(x, &sign) - ((x - 0.5) * log(x) - x + 0.9189385332046727);
    }
    const double y = 1 / (x * x);
    return (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y / 1680))) / x;
}

/*
 * The logarithm of x^a (1 - x)^b / B(a, b). The powers and the main part of B are taken together, because
 * each of them alone is huge if a or b is.
 */
static double log_height(double a, double b, double x)
{
    const double mean = a / (a + b), other = b / (a + b);
    const double in_a = a < b ? log(x / mean) : log(x) - log1p(-other);
    const double in_b = a < b ? log1p(-x) - log1p(-mean) : log((1 - x) / other);
    return a * in_a + b * in_b + 0.5 * (log(a) + log(other)) - 0.9189385332046727 - stirling_rest(a) -
           stirling_rest(b) + stirling_rest(a + b);
}

/* The continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / fmax(1 - (a + b) * x / (a + 1), DBL_MIN), product = d;
    for (double m = 1; m < 1e5; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        product *= c * d;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        product *= c * d;
        if (fabs(c * d - 1) < DBL_EPSILON)
            break;
    }
    return product;
}

double beta_probability(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x > 0;
    const double height = exp(log_height(a, b, x));
    /* The fraction converges fast below the mean. Above it, use I_x(a, b) = 1 - I_{1-x}(b, a). */
    return x < (a + 1) / (a + b + 2) ? height * beta_fraction(a, b, x) / a
                                     : 1 - height * beta_fraction(b, a, 1 - x) / b;
}

/* Cornish and Fisher's expansion around the normal quantile; its relative error is O(1 / min(a, b)^2). */
static double expanded_quantile(double a, double b, double p)
{
    const double n = a + b, z = normal_quantile(p);
    const double mean = a / n, deviation = sqrt(mean * (b / n) / (n + 1));
    const double skewness = 2 * (b - a) / (n + 2) * sqrt((n + 1) / a / b);
    const double excess = 6 * ((a - b) / a * ((a - b) / b) * (n + 1) - (n + 2)) / ((n + 2) * (n + 3));
    return mean + deviation * (z + (z * z - 1) * skewness / 6 + (z * z - 3) * z * excess / 24 -
                               (2 * z * z - 5) * z * skewness * skewness / 36);
}

double beta_quantile(double a, double b, double p)
{
    const double start = expanded_quantile(a, b, p);
    if (fmin(a, b) > 1e5)
        return start; /* right to 1e-10, and the fraction would take thousands of terms */
    /* Newton's method, with a bisection whenever a step leaves the bracket. */
    double low = 0, high = 1, x = start > 0 && start < 1 ? start : a / (a + b);
    for (int i = 0; i < 200; i++) {
        const double error = beta_probability(a, b, x) - p;
        if (error > 0)
            high = x;
        else
            low = x;
        double next = x - error * x * (1 - x) / exp(log_height(a, b, x));
        if (!(next > low && next < high))
            next = low + (high - low) / 2;
        const double step = fabs(next - x);
        x = next;
        if (step <= 1e-14 * x)
            break;
    }
    return x;
}

double binomial_upper(double count, double total, double confidence)
{
    return count < total ? beta_quantile(count + 1, total - count, confidence) : 1;
}

double binomial_lower(double count, double total, double confidence)
{
    /* The bound is at most the one for `count` successes in `count` trials. If that underflows, it is 0. */
    const double most = count > 0 ? pow(1 - confidence, 1 / count) : 0;
    return most > DBL_MIN ? beta_quantile(count, fmax(total - count, 0) + 1, 1 - confidence) : 0;
}
