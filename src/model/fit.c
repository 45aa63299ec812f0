/* The public way from a table to a model. */
#include "input.h"
#include "options.h"
#include "prepare.h"
#include "result.h"

#include <string.h>

/* Posteriors of new rows may differ by this much from those of the whole curve. */
static const double curve_tolerance = 1e-4;

static dedpul_status describe(struct context *context, const struct fit *fit, const dedpul_result *result)
{
    dedpul_model *model = fit->model;
    dedpul_fit_options named = *fit->options;
    TRY(curve_thin(context, result->n_points, result->point_logit, result->point_ratio, result->scale,
                   curve_tolerance, &model->memory, &model->curve));
    model->info = (dedpul_model_info){
        .version = dedpul_version(),
        .alpha = result->alpha,
        .alpha_c = result->alpha_c,
        .alpha_n = result->alpha_n,
        .scale = result->scale,
        .auc = result->auc,
        .mean_ratio = result->mean_ratio,
        .rule = result->rule,
        .method = result->method,
        .n_positive = result->n_positive,
        .n_unlabeled = result->n_unlabeled,
    };
    if (named.plugin != NULL)
        named.classifier = named.plugin->name;
    else if (named.classifier == NULL)
        named.classifier = model->ntc.n_parts > 1 ? "blend" : model->ntc.part[0].classifier->name;
    model->info.settings = fit_options_settings(&named, &model->memory);
    return model->info.settings != NULL ? model_describe_parts(model, named.plugin) : DEDPUL_NO_MEMORY;
}

/* Positives against negatives, from the posteriors. */
static dedpul_status add_pn(struct context *context, const struct fit *fit, dedpul_result *result)
{
    bool trained;
    TRY(train_pn(context, fit, result, &trained));
    if (!trained)
        context_warn(
            context, DEDPUL_WARNING_NO_NEGATIVES,
            "nearly all unlabeled rows are positive by the estimate, so there are no negatives for a "
            "classifier of positives against negatives; the model has none");
    result_add_warnings((struct result *)result, context);
    return DEDPUL_OK;
}

/* table -> features -> classify -> scores -> result */
static dedpul_status fit_table(struct context *context, struct fit *fit, size_t n_numbered, double *score,
                               dedpul_result **result)
{
    TRY(prepare(context, fit, n_numbered));
    TRY(estimate_fit(context, fit, &fit->options->estimate, result));
    if (fit->options->pn && !method_trains((*result)->method))
        TRY(add_pn(context, fit, *result));
    TRY(describe(context, fit, *result));
    if (score != NULL)
        memcpy(score, fit->score, fit->table->n_rows * sizeof *score);
    return DEDPUL_OK;
}

dedpul_status dedpul_fit(const dedpul_table *table, const dedpul_fit_options *given, dedpul_model **model,
                         dedpul_result **result, double *score, dedpul_error *error)
{
    dedpul_fit_options options;
    struct context context;
    dedpul_result *found = NULL;
    if (table == NULL || model == NULL || result == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table, model and result must not be NULL");
    dedpul_fit_options_init(&options);
    if (given != NULL)
        options = *given;
    TRY(fit_options_check(&options, error));
    struct fit fit = {.options = &options, .table = table->rows};
    fit.model = model_create(options.estimate.allocator, error);
    if (fit.model == NULL)
        return DEDPUL_NO_MEMORY;
    options_begin(&options.estimate, error, &context);
    const dedpul_status status = fit_table(&context, &fit, table->n_numbered, score, &found);
    context_free(&context);
    fit.model->memory.error = NULL; /* the caller's, and only for this call */
    if (status != DEDPUL_OK) {
        dedpul_result_free(found);
        dedpul_model_free(fit.model);
        return status;
    }
    *model = fit.model;
    *result = found;
    return DEDPUL_OK;
}
