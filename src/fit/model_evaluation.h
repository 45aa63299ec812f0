/* How good a model is, by the scores that its fit kept. */
#ifndef DEDPUL_FIT_MODEL_EVALUATION_H
#define DEDPUL_FIT_MODEL_EVALUATION_H

#include "evaluation.h"
#include "model.h"

/*
 * The model must have kept scores, 0 < alpha < 1, and posteriors that follow from the scores. If `share` is
 * not NaN, the evaluation is about rows like those of the fit, but with this share of positives, which counts
 * as certain.
 */
dedpul_status model_evaluate(struct context *context, const struct model *model, double share,
                             const struct evaluation_plan *plan, struct arena *memory,
                             struct evaluation *evaluation);

#endif
