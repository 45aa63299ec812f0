/* The walk over thresholds that best bin and ROC estimates share. */
#ifndef DEDPUL_MATH_THRESHOLDS_H
#define DEDPUL_MATH_THRESHOLDS_H

#include "weighted.h"

#include <math.h>
#include <stdbool.h>

/* Two samples of values, ascending; a weight array that is NULL stands for weights of 1. */
struct thresholds {
    const double *a, *weight_a, *b, *weight_b;
    size_t end_a, end_b;     /* how many values are still below the threshold */
    double above_a, above_b; /* weight of the values at or above it */
};

static inline struct thresholds thresholds_of(size_t n_a, const double *a, const double *weight_a, size_t n_b,
                                              const double *b, const double *weight_b)
{
    return (struct thresholds){a, weight_a, b, weight_b, n_a, n_b, 0, 0};
}

/* Takes the values at or above a threshold off the end of a sample. */
static inline void take_from(const double *value, const double *weight, double threshold, size_t *end,
                             double *taken)
{
    while (*end > 0 && value[*end - 1] >= threshold)
        *taken += weight_at(weight, --*end);
}

/*
 * Goes to the next lower threshold; false if there is none. The first one is just above all of b, if any
 * value of a lies there. (Higher thresholds would also have nothing of b above them, and less of a.) The
 * others are the distinct values of b.
 */
static inline bool thresholds_next(struct thresholds *at)
{
    if (at->end_b == 0)
        return false;
    const double threshold = at->b[at->end_b - 1];
    if (at->end_a > 0 && at->a[at->end_a - 1] > threshold && at->above_b == 0) {
        take_from(at->a, at->weight_a, nextafter(threshold, INFINITY), &at->end_a, &at->above_a);
        return true;
    }
    take_from(at->b, at->weight_b, threshold, &at->end_b, &at->above_b);
    take_from(at->a, at->weight_a, threshold, &at->end_a, &at->above_a);
    return true;
}

#endif
