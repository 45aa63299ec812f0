/*
 * Simulated problems whose answer is known. A problem is a population of atoms: each has a mass of P, a mass of
 * N, and a score. So the density ratio is exact, and a sample of any size costs as little as one of 100 rows:
 * the network sees only counts at 54 thresholds, and these are drawn directly.
 */
#ifndef DEDPUL_LEARNED_SIMULATE_H
#define DEDPUL_LEARNED_SIMULATE_H

#include "context.h"
#include "tail_curve.h"

enum { SHARES_PER_POPULATION = 4, SIZES_PER_SHARE = 4, PROBLEMS_PER_POPULATION = SHARES_PER_POPULATION * SIZES_PER_SHARE };

/* What the network learns from. */
struct lesson {
    float input[TAIL_INPUTS];
    float target; /* logit(alpha*) */
};

/* Makes the lessons of one population. */
dedpul_status simulate(struct context *context, uint64_t seed, size_t index,
                       struct lesson lesson[PROBLEMS_PER_POPULATION]);

#endif
