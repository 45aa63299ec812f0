/*
 * From ratios to posteriors. If alpha is known, the posterior of a row is min(scale * ratio, 1). If alpha is
 * uncertain, it is the mean of that over the distribution of alpha. Then rows that differ in their ratios
 * differ in their posteriors, and few rows are certain.
 */
#ifndef DEDPUL_MIXTURE_SCALES_H
#define DEDPUL_MIXTURE_SCALES_H

#include "mixture.h"

/* Quantiles of logit(alpha), ascending, at the levels 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975. */
enum { N_QUANTILES = 9, MEDIAN = N_QUANTILES / 2 };
extern const double quantile_level[N_QUANTILES];

struct alpha_quantiles {
    double logit[N_QUANTILES];
};

/* The quantile of alpha at any level between 0 and 1: between levels, and beyond them, by normal quantiles.
 */
double alpha_quantile(const struct alpha_quantiles *quantiles, double level);

/*
 * Pools the distribution with another estimate of alpha. What makes alpha uncertain makes the other estimate
 * as uncertain, and `error` comes on top: its variance is that of the distribution plus error^2. The new
 * median is the mean of the old one and the other estimate, weighted by their precisions, 1 / variance. Its
 * variance is that of estimates that err apart (experiments/NOTES.md, "Pooling").
 */
void alpha_quantiles_pool(struct alpha_quantiles *quantiles, double other, double error);

/* Moves the quantiles, as logits, so that their median is alpha. */
void alpha_quantiles_center(struct alpha_quantiles *quantiles, double alpha);

/* The distribution of the scale. */
enum { N_TAIL_SCALES = 8, MOST_SCALES = N_TAIL_SCALES + N_QUANTILES };

struct scales {
    size_t n;
    double scale[MOST_SCALES], weight[MOST_SCALES]; /* (n) weights add up to 1 */
};

static inline struct scales one_scale(double scale)
{
    return (struct scales){.n = 1, .scale = {scale}, .weight = {1}};
}

/* The slope of posteriors by ratios at 0, where it is largest. */
static inline double scales_slope(const struct scales *scales)
{
    double sum = 0;
    for (size_t k = 0; k < scales->n; k++)
        sum += scales->weight[k] * scales->scale[k];
    return sum;
}

static inline double posterior_of(const struct scales *scales, double ratio)
{
    double sum = 0;
    for (size_t k = 0; k < scales->n; k++)
        sum += scales->weight[k] * (scales->scale[k] * ratio < 1 ? scales->scale[k] * ratio : 1);
    return sum;
}

/* The posteriors of many rows; out may be the same array as ratio. */
void posteriors_of(const struct scales *scales, size_t n, const double *ratio /* (n) */,
                   double *out /* (n) */);

/*
 * The scales that belong to the quantiles, all times a factor that makes the mean of the posteriors alpha,
 * 0 < alpha < 1.
 */
struct scales scales_of_quantiles(const struct mixture *mixture, const struct alpha_quantiles *quantiles,
                                  double alpha);

/* The same scales times the factor that makes the mean of the posteriors alpha, 0 < alpha < 1. */
struct scales scales_with_mean(const struct mixture *mixture, const struct scales *scales, double alpha);

#endif
