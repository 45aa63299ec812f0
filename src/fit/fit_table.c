#include "fit_table.h"

#include "forecast.h"
#include "train.h"
#include "version.h"

#include <string.h>

/* The model keeps a thinned curve; posteriors of new rows may be off by this much. */
static const double curve_tolerance = 1e-4;

/*
 * Trains a classifier of positives against negatives on the posteriors. If that fails because of the data,
 * the rest of the fit is still good: we warn.
 */
static dedpul_status add_pn(struct context *context, const struct fit_rows *rows, const struct fit_plan *plan,
                            const struct estimate *estimate, struct model *model)
{
    bool trained = false;
    dedpul_error why = {DEDPUL_OK, ""};
    struct context apart = *context;
    apart.error = &why;
    const dedpul_status status =
        train_pn(&apart, rows, plan, estimate, &model->ntc, &model->memory, &model->pn, &trained);
    if (status == DEDPUL_INVALID_DATA) {
        scorer_close(&model->pn.scorer);
        context_warn(context, DEDPUL_WARNING_NO_NEGATIVES,
                     "a classifier of positives against negatives could not be trained; the model has none "
                     "(%s)",
                     why.message);
        return DEDPUL_OK;
    }
    if (status != DEDPUL_OK)
        return error_set(context->error, status, "%s", why.message);
    if (!trained)
        context_warn(
            context, DEDPUL_WARNING_NO_NEGATIVES,
            "nearly all unlabeled rows are positive by the estimate, so there are no negatives for a "
            "classifier of positives against negatives; the model has none");
    return DEDPUL_OK;
}

static dedpul_status describe(struct context *context, const struct fit_plan *plan,
                              const struct fit_rows *rows, const struct estimate *estimate,
                              struct model *model)
{
    const struct table *table = rows->table;
    model->version = LIBRARY_VERSION;
    model->method = plan->estimate.method;
    model->solution = estimate->solution;
    model->auc = estimate->auc;
    model->n_positive = estimate->n_positive;
    model->n_unlabeled = estimate->n_unlabeled;
    TRY(fit_scores_make(context, table->n_rows, rows->logit, table->weight, table->label, &model->memory,
                        &model->kept));
    return curve_thin(context, estimate->n_points, estimate->point_logit, estimate->point_ratio,
                      scales_slope(&estimate->solution.scales), curve_tolerance, &model->memory,
                      &model->curve);
}

dedpul_status fit_table(struct context *context, const struct table *table, size_t n_numbered,
                        const struct fit_plan *plan, struct model *model, struct arena *memory,
                        struct estimate *estimate, struct kind_estimates *kinds, double *logit)
{
    struct fit_rows rows;
    struct forecast forecast;
    struct fitted_kinds fitted = {.density = NULL};
    struct context training = *context;
    TRY(fit_rows_encode(context, table, n_numbered, plan, model, &rows));
    if (table->kind != NULL)
        TRY(fit_kinds_read(context, &rows, &fitted.kinds)); /* fail before training, not after */
    forecast_begin(&training, &rows, plan, true, &forecast);
    TRY(fit_rows_score(&training, plan, model, &rows));
    if (table->kind != NULL)
        TRY(fit_kinds(context, plan, model, &rows, &fitted));
    TRY(fit_rows_estimate(&training, &rows, plan, memory, estimate, &model->memory, &model->pn));
    if (table->kind != NULL)
        TRY(fit_kinds_answer(context, &rows, model, &fitted, memory, estimate, kinds));
    if (plan->pn && !estimator_trains(plan->estimate.method))
        TRY(add_pn(&training, &rows, plan, estimate, model));
    TRY(column_profiles_learn(context, &model->encoding, rows.table, &model->memory, &model->profiles));
    memcpy(logit, rows.logit, table->n_rows * sizeof *logit);
    return describe(context, plan, &rows, estimate, model);
}
