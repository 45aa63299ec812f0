#include "random.h"

#include <math.h>

double draw_uniform(struct rng *rng, double from, double to)
{
    return from + (to - from) * rng_uniform(rng);
}

double draw_from_range(struct rng *rng, struct range range)
{
    return draw_uniform(rng, range.from, range.to);
}

double draw_log_uniform(struct rng *rng, struct range range)
{
    return exp(draw_uniform(rng, log(range.from), log(range.to)));
}

double draw_inside(struct rng *rng)
{
    return rng_uniform(rng) + 0x1p-54;
}

bool draw_chance(struct rng *rng, double share)
{
    return rng_uniform(rng) < share;
}

/* Marsaglia's polar method. */
double draw_normal(struct rng *rng)
{
    for (;;) {
        const double x = 2 * rng_uniform(rng) - 1, y = 2 * rng_uniform(rng) - 1, square = x * x + y * y;
        if (square > 0 && square < 1)
            return x * sqrt(-2 * log(square) / square);
    }
}

/* Marsaglia and Tsang, "A simple method for generating gamma variables", 2000. */
double draw_gamma(struct rng *rng, double shape)
{
    const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        const double x = draw_normal(rng), v = (1 + c * x) * (1 + c * x) * (1 + c * x);
        if (v > 0 && log(draw_inside(rng)) < x * x / 2 + d - d * v + d * log(v))
            return d * v;
    }
}

/* By inversion if few are expected; otherwise a normal variable, rounded, is close enough. */
double draw_binomial(struct rng *rng, double n, double p)
{
    const double q = 1 - p, mean = n * p;
    if (n <= 0 || p <= 0)
        return 0;
    if (p > 0.5)
        return n - draw_binomial(rng, n, q);
    if (mean > 60)
        return fmin(fmax(round(mean + sqrt(mean * q) * draw_normal(rng)), 0), n);
    double count = 0, term = exp(n * log1p(-p)); /* the probability of count */
    for (double left = rng_uniform(rng) - term; left >= 0 && count < n && term > 0; left -= term) {
        term *= (n - count) / (count + 1) * p / q;
        count++;
    }
    return count;
}
