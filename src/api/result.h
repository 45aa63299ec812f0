/* The answer together with what evaluating new scores needs. */
#ifndef DEDPUL_API_RESULT_H
#define DEDPUL_API_RESULT_H

#include "context.h"

struct result {
    dedpul_result public;  /* first: a dedpul_result * is a struct result * */
    struct context memory; /* holds all arrays, and the texts of the warnings */
    dedpul_warning warnings[WARNING_KINDS];
    double curve_alpha[DEDPUL_CURVE_POINTS];
    double curve_d[DEDPUL_CURVE_POINTS];
    size_t n_points; /* of the (logit, ratio) curve: distinct logits of unlabeled rows, ascending */
    double *point_logit, *point_ratio;
};

/* An empty result with memory of its own, or NULL. Freed by dedpul_result_free. */
struct result *result_create(const dedpul_allocator *allocator, dedpul_error *error);

/* The curve's ratio at a score, and the posterior of a ratio. */
double result_ratio(const struct result *result, double score);
double result_posterior(const struct result *result, double ratio);

#endif
