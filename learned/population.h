/*
 * Populations: atoms with a mass of P and a mass of N, drawn from (f_p + f_n) / 2 with masses in proportion
 * to f_p and f_n over that. So the density ratio is exact, and inf f_n / f_p is known.
 */
#ifndef DEDPUL_LEARNED_POPULATION_H
#define DEDPUL_LEARNED_POPULATION_H

#include "context.h"
#include "random.h"

struct population {
    size_t dimensions;
    double x[ATOMS][MOST_DIMENSIONS];
    double p[ATOMS], n[ATOMS]; /* masses; each adds up to 1 */
    double lowest;             /* inf f_n / f_p without P's tail, at most 1 */
};

dedpul_status population_draw(struct context *context, struct rng *rng, struct population *population);

#endif
