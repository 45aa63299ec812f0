#include "fit_table.h"

#include "forecast.h"
#include "found_kinds.h"
#include "model_estimate.h"
#include "train.h"
#include "version.h"

#include <string.h>

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

static dedpul_status use_kinds(struct context *context, const struct fit_plan *plan, struct model *model,
                               struct fit_rows *rows, struct arena *memory, struct fitted_kinds *fitted,
                               struct checked_labels *checked)
{
    TRY(fit_kinds_train(context, plan, &model->ntc, rows, &model->memory, &model->kinds, fitted));
    if (plan->check_labels)
        TRY(fit_check_kinds(context, &model->encoding, rows, fitted, memory, checked));
    TRY(fit_kinds_share(context, rows, fitted));
    return fit_kinds_correct(context, &model->kinds, rows, fitted);
}

/*
 * Looks for kinds, and uses them if the labels are not a random draw of the positives by them. If they may
 * be, there are none, and the answer is the ordinary one.
 */
static dedpul_status find_kinds(struct context *context, const struct fit_plan *plan, struct model *model,
                                struct fit_rows *rows, struct arena *memory, struct fitted_kinds *fitted,
                                struct checked_labels *checked)
{
    struct label_check check;
    TRY(found_kinds_choose(context, rows, &limits_of_fit, memory, fitted, &check));
    TRY(fit_check_tell(context, &model->encoding, rows, &fitted->kinds, &check, true,
                       "The kinds that were found correct for that", memory, checked));
    if (!(check.p_value < LABEL_CHECK_LEVEL)) {
        fitted->kinds.n = 0;
        return DEDPUL_OK;
    }
    TRY(fit_kinds_rate(context, rows, fitted));
    TRY(fit_kinds_train(context, plan, &model->ntc, rows, &model->memory, &model->kinds, fitted));
    return fit_kinds_correct(context, &model->kinds, rows, fitted);
}

dedpul_status fit_table(struct context *context, const struct table *table, size_t n_numbered,
                        const struct fit_plan *plan, struct model *model, struct arena *memory,
                        struct estimate *estimate, struct kind_estimates *kinds,
                        struct checked_labels *checked, double *logit)
{
    struct fit_rows rows;
    struct forecast forecast;
    struct fitted_kinds fitted = {.density = NULL};
    struct context training = *context;
    TRY(fit_rows_encode(context, table, n_numbered, plan, model, &rows));
    if (table->kind != NULL || table->finds_kinds)
        TRY(fit_kinds_read(context, &rows, &fitted.kinds)); /* fail before training, not after */
    forecast_begin(&training, &rows, plan, true, &forecast);
    TRY(fit_rows_score(&training, plan, model, &rows));
    if (table->kind != NULL)
        TRY(use_kinds(context, plan, model, &rows, memory, &fitted, checked));
    else if (table->finds_kinds)
        TRY(find_kinds(context, plan, model, &rows, memory, &fitted, checked));
    else if (plan->check_labels)
        TRY(fit_check_rows(context, &model->encoding, &rows, memory, checked));
    TRY(fit_rows_estimate(&training, &rows, plan, memory, estimate, &model->memory, &model->pn));
    if (fitted.kinds.n > 0)
        TRY(fit_kinds_answer(context, &rows, model, &fitted, memory, estimate, kinds));
    if (plan->pn && !estimator_trains(plan->estimate.method))
        TRY(add_pn(&training, &rows, plan, estimate, model));
    TRY(column_profiles_learn(context, &model->encoding, rows.table, &model->memory, &model->profiles));
    memcpy(logit, rows.logit, table->n_rows * sizeof *logit);
    model->version = LIBRARY_VERSION;
    const struct estimated_rows scored = {table->n_rows, rows.logit, rows.table->weight, rows.table->label};
    return model_set_estimate(context, plan->estimate.method, estimate, &scored, model);
}
