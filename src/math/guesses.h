/* A share that is uncertain: several guesses, each with a probability, a value and a standard error. */
#ifndef DEDPUL_MATH_GUESSES_H
#define DEDPUL_MATH_GUESSES_H

#include <stddef.h>

/* A normal distribution; what lies beyond 0 and 1 counts as 0 and 1. */
struct guess {
    double weight;       /* 0: it does not count, and has no value */
    double value, error; /* mean and standard deviation */
    double size; /* if the value is the share of a sample, its size: the error at a bound is then that of */
                 /* a sample with this share (Wilson), since few rows may be missing by chance. 0: none */
};

/* The share below which the truth lies with this probability; NaN if no guess has any weight. */
double guesses_quantile(size_t n, const struct guess *guess /* (n) */, double level);

/* An estimate: the median of the guesses, and a range that should hold the truth with a given probability. */
struct range {
    double value, low, high;
};

struct range guesses_range(size_t n, const struct guess *guess /* (n) */, double level);

#endif
