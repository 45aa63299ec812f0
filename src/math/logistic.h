/* From logits to probabilities and back. */
#ifndef DEDPUL_MATH_LOGISTIC_H
#define DEDPUL_MATH_LOGISTIC_H

#include <math.h>

static inline double sigmoid(double logit)
{
    return 1 / (1 + exp(-logit));
}

/* Infinite at 0 and 1. */
static inline double logit_of(double score)
{
    return log(score / (1 - score));
}

/* Finite also if the share of a class is 0 or 1. */
static inline double share_logit(double share)
{
    return logit_of(fmin(fmax(share, 1e-6), 1 - 1e-6));
}

#endif
