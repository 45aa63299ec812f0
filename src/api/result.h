/* The answer together with what evaluating new scores needs. */
#ifndef DEDPUL_API_RESULT_H
#define DEDPUL_API_RESULT_H

#include "context.h"
#include "feature_rows.h"

/* From this AUC of labeled against unlabeled rows on, the labels may be given away. */
#define PERFECT_AUC 0.999

struct result {
    dedpul_result public;  /* first: a dedpul_result * is a struct result * */
    struct context memory; /* holds all arrays, and the texts of the warnings */
    dedpul_warning warnings[WARNING_KINDS];
    double curve_alpha[DEDPUL_CURVE_POINTS];
    double curve_d[DEDPUL_CURVE_POINTS];
    double *row_posterior; /* what public.posterior points to */
};

/* An empty result with memory of its own, or NULL. Freed by dedpul_result_free. */
struct result *result_create(const dedpul_allocator *allocator, dedpul_error *error);

/*
 * As dedpul_estimate, on checked input; with the features of the rows where they are not NULL. The result
 * also carries the warnings of `earlier`, the context of what led to the scores, where it is not NULL.
 */
dedpul_status estimate_labeled(const dedpul_sample *rows, const unsigned char *label,
                               const struct feature_rows *features, const dedpul_options *options,
                               const struct context *earlier, dedpul_result **result, dedpul_error *error);

/* Adds the warnings of a context to the public ones. */
void result_add_warnings(struct result *result, const struct context *context);

/* The curve's ratio at a score, and the posterior of a ratio. */
double result_ratio(const dedpul_result *result, double score);
double result_posterior(const dedpul_result *result, double ratio);

#endif
