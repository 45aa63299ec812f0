/* From a table to a model. */
#include "fit_table.h"

#include "logistic.h"
#include "models.h"
#include "names.h"
#include "resolve.h"
#include "result.h"
#include "tables.h"

/* Returns the name of the classifier that was chosen, as --classifier takes it. */
static const char *chosen_name(const struct resolved *resolved, const struct scorer *ntc)
{
    if (resolved->plan.classifier_name != NULL)
        return resolved->plan.classifier_name;
    return ntc->n_parts > 1 ? combined_name(CHOOSE_BLEND) : ntc->part[0].classifier->name;
}

static dedpul_status run(struct call *call, const dedpul_table *table, const struct resolved *resolved,
                         dedpul_model *public, struct result *result, double *score)
{
    struct context *context = &call->context;
    struct model *model = &public->model;
    const size_t n = table->rows->n_rows;
    double *logit = context_allocate(context, n, sizeof *logit);
    if (logit == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(fit_table(context, table->rows, table->n_numbered, &resolved->plan, model, &result->memory,
                  &result->estimate, &result->kinds, &result->checked, &result->propensities, logit));
    TRY(result_show_propensities(context, result));
    model->settings =
        options_settings(context, &resolved->options, chosen_name(resolved, &model->ntc), &model->memory);
    if (model->settings == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(model_describe(context, public));
    for (size_t i = 0; score != NULL && i < n; i++)
        score[i] = sigmoid(logit[i]);
    return DEDPUL_OK;
}

dedpul_status dedpul_fit(const dedpul_table *table, const dedpul_options *given, dedpul_model **model,
                         dedpul_result **public, double *score, dedpul_error *error)
{
    struct resolved resolved;
    struct call call;
    if (table == NULL || model == NULL || public == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table, model and result must not be NULL");
    TRY(table_check_labels(table, error));
    TRY(options_resolve(given, &resolved, error));
    dedpul_model *fitted = model_create(resolved.options.allocator, error);
    struct result *result = result_create(resolved.options.allocator, error);
    call_begin(&call, &resolved.options, error);
    dedpul_status status = DEDPUL_NO_MEMORY;
    if (fitted != NULL && result != NULL)
        status = run(&call, table, &resolved, fitted, result, score);
    call_end(&call);
    if (status != DEDPUL_OK) {
        dedpul_result_free((dedpul_result *)result);
        dedpul_model_free(fitted);
        return status;
    }
    result_show(result, resolved.plan.estimate.method, &call.warnings);
    *model = fitted;
    *public = &result->public;
    return DEDPUL_OK;
}
