#include "selected_approach.h"

#include "train.h"
#include "use_kinds.h"

static dedpul_status check_labels(struct context *context, struct selected_fit *fit)
{
    return fit_check_rows(context, &fit->model->encoding, &fit->rows, context->arena, &fit->checked);
}

static dedpul_status correct_by_known(struct context *context, struct selected_fit *fit)
{
    struct fit_plan plan = *fit->plan;
    plan.check_labels = true;
    TRY(fit_kinds_read(context, &fit->rows, &fit->kinds.kinds));
    return use_known_kinds(context, &plan, fit->model, &fit->rows, context->arena, &fit->kinds,
                           &fit->checked);
}

static dedpul_status correct_by_found(struct context *context, struct selected_fit *fit)
{
    return use_found_kinds(context, fit->plan, fit->model, &fit->rows, context->arena, &fit->kinds,
                           &fit->checked);
}

/* Weighs the rows, and trains a classifier on them. */
static dedpul_status correct_by_propensity(struct context *context, struct selected_fit *fit, bool are_known)
{
    struct scorer ntc = {.n_parts = 0};
    struct table *table = context_allocate(context, 1, sizeof *table);
    if (table == NULL)
        return DEDPUL_NO_MEMORY;
    *table = *fit->rows.table;
    if (are_known)
        table->n_propensity_columns = 0;
    else
        table->propensity = NULL;
    fit->rows.table = table;
    TRY(fit_propensity_read(context, &fit->rows, &fit->propensity));
    TRY(fit_propensity(context, fit->plan, &fit->rows, &fit->propensity));
    const dedpul_status status =
        train_ntc(context, &fit->rows, fit->plan, &fit->model->memory, &ntc, fit->rows.logit);
    scorer_close(&ntc);
    return status;
}

static dedpul_status correct_by_columns(struct context *context, struct selected_fit *fit)
{
    return correct_by_propensity(context, fit, false);
}

static dedpul_status correct_by_values(struct context *context, struct selected_fit *fit)
{
    return correct_by_propensity(context, fit, true);
}

const struct selected_approach selected_approaches[N_APPROACHES] = {
    [APPROACH_PLAIN] = {.name = "plain", .title = "plain", .check = check_labels},
    [APPROACH_KNOWN] = {.name = "known",
                        .title = "kinds known",
                        .knows_kinds = true,
                        .correct = correct_by_known},
    [APPROACH_FOUND] = {.name = "found", .title = "kinds found", .correct = correct_by_found},
    [APPROACH_PROPENSITY] = {.name = "propensity", .title = "propensity", .correct = correct_by_columns},
    [APPROACH_VALUES] = {.name = "values", .title = "values known", .correct = correct_by_values},
};
