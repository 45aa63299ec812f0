/* Random numbers of several distributions. */
#ifndef DEDPUL_LEARNED_RANDOM_H
#define DEDPUL_LEARNED_RANDOM_H

#include "choices.h"
#include "rng.h"

#include <stdbool.h>

double draw_uniform(struct rng *rng, double from, double to);
double draw_from_range(struct rng *rng, struct range range);
double draw_log_uniform(struct rng *rng, struct range range);
double draw_inside(struct rng *rng); /* uniform in (0, 1) */
bool draw_chance(struct rng *rng, double share);
double draw_normal(struct rng *rng);
double draw_gamma(struct rng *rng, double shape /* >= 1 */);
double draw_binomial(struct rng *rng, double n, double p);

#endif
