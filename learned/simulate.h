/*
 * Simulated problems whose answer is known. The networks see only counts and claims at 54 thresholds, and
 * these are drawn from a population directly, so that a sample of ten million rows costs as little as one of
 * a hundred.
 */
#ifndef DEDPUL_LEARNED_SIMULATE_H
#define DEDPUL_LEARNED_SIMULATE_H

#include "choices.h"
#include "context.h"
#include "tail_curve.h"

enum { LESSONS_PER_POPULATION = SHARES_PER_POPULATION * SIZES_PER_SHARE };

/* What the network learns from. */
struct lesson {
    float input[TAIL_INPUTS];
    float target; /* logit(alpha*), at most 7 in size */
};

/* Makes the lessons of one population, which depend on the seed and its index alone. */
dedpul_status simulate(struct context *context, uint64_t seed, size_t index,
                       struct lesson lesson[LESSONS_PER_POPULATION]);

#endif
