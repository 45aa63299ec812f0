/*
 * How uncertain an estimate from scores is: the same on resamples, which take rows of either sample by
 * chance, as many as there are, some more than once. Scores are sorted already, and so are resamples, being
 * counts of them.
 */
#ifndef DEDPUL_API_BOOTSTRAP_H
#define DEDPUL_API_BOOTSTRAP_H

#include "estimator.h"

/* Intervals of posteriors at some logits, from which those of all rows are interpolated. */
struct bands {
    size_t n; /* 0: not wanted, or there are too few rows or resamples for them */
    const double *logit;
    double *low, *high;
};

dedpul_status bootstrap(struct context *context, const struct estimator *estimator,
                        const struct problem *problem, double alpha, dedpul_interval *interval,
                        struct bands *bands);

#endif
