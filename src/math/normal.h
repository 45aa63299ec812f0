/* The normal distribution. */
#ifndef DEDPUL_MATH_NORMAL_H
#define DEDPUL_MATH_NORMAL_H

/* The value below which a standard normal variable lies with probability p, 0 < p < 1. */
double normal_quantile(double p);

/* The probability that a standard normal variable lies below a value. */
double normal_share(double value);

#endif
