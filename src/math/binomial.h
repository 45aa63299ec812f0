/* Exact confidence bounds of binomial shares (Clopper and Pearson, 1934). Counts need not be whole. */
#ifndef DEDPUL_MATH_BINOMIAL_H
#define DEDPUL_MATH_BINOMIAL_H

/* The probability that a beta(a, b) variable is below x in [0, 1]; a, b > 0. */
double beta_probability(double a, double b, double x);

/* The value below which a beta(a, b) variable lies with probability p, 0 < p < 1. */
double beta_quantile(double a, double b, double p);

/*
 * One-sided bounds of the share behind `count` successes in `total` > 0 trials. Each bound holds with the
 * given confidence, and grows with the count.
 */
double binomial_upper(double count, double total, double confidence);
double binomial_lower(double count, double total, double confidence);

#endif
