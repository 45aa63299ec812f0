/* The estimate that a model keeps. */
#ifndef DEDPUL_FIT_MODEL_ESTIMATE_H
#define DEDPUL_FIT_MODEL_ESTIMATE_H

#include "model.h"

/* The rows of an estimate. */
struct estimated_rows {
    size_t n;
    const double *logit;        /* (n) */
    const double *weight;       /* (n) or NULL */
    const unsigned char *label; /* (n) */
};

/* Gives the model the answer of an estimate, the curve from logits to ratios, and enough of the scores. */
dedpul_status model_set_estimate(struct context *context, const struct estimator *method,
                                 const struct estimate *estimate, const struct estimated_rows *rows,
                                 struct model *model);

#endif
