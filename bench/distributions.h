/* Distributions on a line with known densities. */
#ifndef DEDPUL_BENCH_DISTRIBUTIONS_H
#define DEDPUL_BENCH_DISTRIBUTIONS_H

#include "rng.h"

enum family { NORMAL, LAPLACE, GAMMA, LOG_NORMAL, SKEW_NORMAL, BETA, TRIANGULAR, POISSON };

struct distribution {
    enum family family;
    double location, scale; /* x = location + scale z */
    /* Shapes of z: GAMMA and BETA have multiples of 1/2, LOG_NORMAL the deviation of the logarithm, */
    /* SKEW_NORMAL the skewness (Azzalini, 1985), TRIANGULAR the mode in (0, 1), POISSON the mean. */
    double a, b;
};

/* For POISSON it is the probability of x, a whole number. */
double density_at(const struct distribution *distribution, double x);

double draw_from(const struct distribution *distribution, struct rng *rng);

#endif
