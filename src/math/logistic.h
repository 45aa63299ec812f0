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

#endif
