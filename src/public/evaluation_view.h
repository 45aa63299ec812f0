/* The public evaluation: a view of an evaluation. */
#ifndef DEDPUL_PUBLIC_EVALUATION_VIEW_H
#define DEDPUL_PUBLIC_EVALUATION_VIEW_H

#include "evaluation.h"

#include "dedpul_evaluation.h"

struct evaluation_view {
    dedpul_evaluation public; /* first: a dedpul_evaluation * is a struct evaluation_view * */
    struct arena memory;      /* holds the curve */
    struct evaluation evaluation;
    dedpul_threshold chosen, *point; /* point: (n_curve) */
    const dedpul_threshold **curve;  /* (n_curve) */
    dedpul_calibration_bin bin[CALIBRATION_BINS_MOST];
    const dedpul_calibration_bin *bins[CALIBRATION_BINS_MOST];
    dedpul_known_truth truth;
    struct warnings warnings;
    dedpul_warning warning[WARNING_KINDS];
};

dedpul_range show_range(const struct range *range);

/* The estimate that an evaluation is about. */
struct evaluated_estimate {
    const struct estimator *method;
    double alpha;
    size_t n_positive, n_unlabeled;
};

/* Makes an empty evaluation, or returns NULL with the error set. Free it with dedpul_evaluation_free. */
struct evaluation_view *evaluation_view_create(const dedpul_allocator *allocator, dedpul_error *error);

/* Fills the public view. Call it once the evaluation is there; its warnings are the context's. */
dedpul_status evaluation_view_show(struct context *context, const struct evaluated_estimate *estimate,
                                   const struct evaluation_plan *plan, struct evaluation_view *view);

#endif
