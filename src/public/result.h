/* The public result: a view of an estimate. */
#ifndef DEDPUL_PUBLIC_RESULT_H
#define DEDPUL_PUBLIC_RESULT_H

#include "fit_propensity.h"
#include "label_check_view.h"

#include "dedpul_scores.h"

struct result {
    dedpul_result public; /* first: a dedpul_result * is a struct result * */
    struct arena memory;  /* holds the estimate's arrays */
    struct estimate estimate;
    dedpul_interval interval;
    struct warnings warnings;
    dedpul_warning warning[WARNING_KINDS];
    double curve_alpha[CURVE_POINTS];
    double quantile[N_QUANTILES];
    struct kind_estimates kinds;
    dedpul_kind kind[MOST_KINDS];
    const dedpul_kind *shown_kind[MOST_KINDS];
    struct checked_labels checked;
    struct label_check_view check;
    struct propensity_estimates propensities;
    dedpul_propensities shown_propensities;
};

/* Makes an empty result, or returns NULL with the error set. Free it with dedpul_result_free. */
struct result *result_create(const dedpul_allocator *allocator, dedpul_error *error);

/* Makes the view of the propensities; result_show adds it. */
dedpul_status result_show_propensities(struct context *context, struct result *result);

/* Fills the public view. Call it once the estimate is there. */
void result_show(struct result *result, const struct estimator *method, const struct warnings *warnings);

/* Reads the scales of a public result, which may have been made by a program. */
dedpul_status result_scales(const dedpul_result *result, struct scales *scales, dedpul_error *error);

/* Fills an array of public warnings, which point into the warnings given. */
void warnings_show(const struct warnings *warnings, dedpul_warning *public /* (n) */);

#endif
