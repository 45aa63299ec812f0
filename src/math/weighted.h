/* Statistics of weighted values. A weight array that is NULL stands for weights of 1. */
#ifndef DEDPUL_MATH_WEIGHTED_H
#define DEDPUL_MATH_WEIGHTED_H

#include <stddef.h>

static inline double weight_at(const double *weight, size_t index)
{
    return weight != NULL ? weight[index] : 1.0;
}

/*
 * Returns the weight below which a row of that label counts as a row of weight 0: 1e-4 of the mean weight of
 * the rows that have one, at most 1/2. So a row of tiny weight has no influence on ranges, ranks and
 * thresholds. All such rows together make less than 1e-4 of the sample.
 */
double least_weight(size_t n, const double *weight /* (n) */, const unsigned char *label /* (n) or NULL */,
                    unsigned char wanted);

/*
 * Returns how many pieces a row is cut into if rows of weight 1 must be told apart: one per count, or fewer
 * in samples of total weight above 65536.
 */
size_t weight_pieces(double weight, double total);

double weighted_total(size_t n, const double *weight /* (n) */);

double weighted_mean(size_t n, const double *value /* (n) */, const double *weight /* (n) */);

/* Standard deviation with (total weight - 1) in the denominator: weights are counts. */
double weighted_deviation(size_t n, const double *value /* (n) ascending */, const double *weight /* (n) */);

/*
 * The q-quantile as the lower order statistic: if each value is repeated as often as its weight says, this is
 * the value at 0-based position floor(q (total - 1)).
 */
double weighted_quantile(size_t n, const double *value /* (n) ascending */, const double *weight /* (n) */,
                         double q);

/*
 * The probability that a value of a exceeds a value of b, where a tie counts one half. This is the area under
 * the ROC curve of a against b.
 */
double weighted_auc(size_t n_a, const double *a /* (n_a) ascending */, const double *weight_a, size_t n_b,
                    const double *b /* (n_b) ascending */, const double *weight_b);

#endif
