#include "model_estimate.h"

/* The model keeps a thinned curve; posteriors of new rows may be off by this much. */
static const double curve_tolerance = 1e-4;

dedpul_status model_set_estimate(struct context *context, const struct estimator *method,
                                 const struct estimate *estimate, const struct estimated_rows *rows,
                                 struct model *model)
{
    model->method = method;
    model->solution = estimate->solution;
    model->auc = estimate->auc;
    model->n_positive = estimate->n_positive;
    model->n_unlabeled = estimate->n_unlabeled;
    TRY(fit_scores_make(context, rows->n, rows->logit, rows->weight, rows->label, &model->memory,
                        &model->kept));
    return curve_thin(context, estimate->n_points, estimate->point_logit, estimate->point_ratio,
                      scales_slope(&estimate->solution.scales), curve_tolerance, &model->memory,
                      &model->curve);
}
