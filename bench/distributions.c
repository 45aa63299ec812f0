#include "distributions.h"

#include "bench.h"

#include <math.h>

static double normal_density(double z)
{
    return exp(-z * z / 2) * 0.3989422804014327;
}

static double beta_density(double a, double b, double z)
{
    if (z <= 0 || z >= 1)
        return 0;
    return exp(lgamma(a + b) - lgamma(a) - lgamma(b) + (a - 1) * log(z) + (b - 1) * log1p(-z));
}

static double triangular_density(double mode, double z)
{
    return z <= 0 || z >= 1 ? 0 : z < mode ? 2 * z / mode : 2 * (1 - z) / (1 - mode);
}

static double standard_density(const struct distribution *distribution, double z)
{
    const double a = distribution->a, b = distribution->b;
    switch (distribution->family) {
    case NORMAL:
        return normal_density(z);
    case LAPLACE:
        return exp(-fabs(z)) / 2;
    case GAMMA:
        return z > 0 ? exp((a - 1) * log(z) - z - lgamma(a)) : 0;
    case LOG_NORMAL:
        return z > 0 ? normal_density(log(z) / a) / (a * z) : 0;
    case SKEW_NORMAL:
        return normal_density(z) * erfc(-a * z * 0.7071067811865476);
    case BETA:
        return beta_density(a, b, z);
    case TRIANGULAR:
        return triangular_density(a, z);
    case POISSON:
        return exp(z * log(a) - a - lgamma(z + 1));
    }
    return NAN;
}

double density_at(const struct distribution *distribution, double x)
{
    const double scale = distribution->scale;
    return standard_density(distribution, (x - distribution->location) / scale) / scale;
}

static double draw_exponential(struct rng *rng)
{
    return -log(1 - rng_uniform(rng));
}

/* Exponential variables add up to whole shapes; half the square of a normal one has the shape 1/2. */
static double draw_gamma(double shape, struct rng *rng)
{
    double sum = 0;
    for (; shape >= 1; shape--)
        sum += draw_exponential(rng);
    if (shape > 0) {
        const double z = rng_normal(rng);
        sum += z * z / 2;
    }
    return sum;
}

static double draw_beta(double a, double b, struct rng *rng)
{
    const double x = draw_gamma(a, rng);
    return x / (x + draw_gamma(b, rng));
}

static double draw_skew_normal(double a, struct rng *rng)
{
    const double first = fabs(rng_normal(rng)), second = rng_normal(rng);
    return (a * first + second) / sqrt(1 + a * a);
}

static double draw_triangular(double mode, struct rng *rng)
{
    const double u = rng_uniform(rng);
    return u < mode ? sqrt(u * mode) : 1 - sqrt((1 - u) * (1 - mode));
}

/* Counts the events of a Poisson process up to time `mean`. */
static double draw_poisson(double mean, struct rng *rng)
{
    double count = 0;
    for (double time = draw_exponential(rng); time < mean; time += draw_exponential(rng))
        count++;
    return count;
}

static double draw_standard(const struct distribution *distribution, struct rng *rng)
{
    const double a = distribution->a, b = distribution->b;
    switch (distribution->family) {
    case NORMAL:
        return rng_normal(rng);
    case LAPLACE:
        return copysign(draw_exponential(rng), rng_uniform(rng) - 0.5);
    case GAMMA:
        return draw_gamma(a, rng);
    case LOG_NORMAL:
        return exp(a * rng_normal(rng));
    case SKEW_NORMAL:
        return draw_skew_normal(a, rng);
    case BETA:
        return draw_beta(a, b, rng);
    case TRIANGULAR:
        return draw_triangular(a, rng);
    case POISSON:
        return draw_poisson(a, rng);
    }
    return NAN;
}

double draw_from(const struct distribution *distribution, struct rng *rng)
{
    return distribution->location + distribution->scale * draw_standard(distribution, rng);
}
