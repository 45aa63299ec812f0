/*
 * A share that is uncertain: several guesses, each with a probability, a value and a standard error. Around a
 * guess the share's logit has a normal distribution, so no share leaves [0, 1].
 */
#ifndef DEDPUL_MATH_GUESSES_H
#define DEDPUL_MATH_GUESSES_H

#include <stddef.h>

struct guess {
    double weight;
    double logit, error; /* mean and standard deviation of the share's logit */
};

/* A guess of no weight if the value is NaN. The error is that of the value, not of its logit. */
struct guess guess_of(double weight, double value, double error);

/* The share below which the truth lies with this probability; NaN if no guess has any weight. */
double guesses_quantile(size_t n, const struct guess *guess /* (n) */, double level);

/* An estimate: the median of the guesses, and a range that should hold the truth with a given probability. */
struct range {
    double value, low, high;
};

struct range guesses_range(size_t n, const struct guess *guess /* (n) */, double level);

#endif
