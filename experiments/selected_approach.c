#include "selected_approach.h"

#include <math.h>

static dedpul_status check_labels(struct context *context, struct selected_fit *fit)
{
    struct checked_labels checked = {.is_done = false};
    TRY(fit_check_rows(context, fit->plan, fit->model, &fit->rows, context->arena, &checked));
    fit->p_value = checked.is_done ? checked.check.p_value : NAN;
    return DEDPUL_OK;
}

static dedpul_status check_kinds(struct context *context, struct selected_fit *fit)
{
    struct checked_labels checked = {.is_done = false};
    TRY(fit_check_kinds(context, &fit->model->encoding, &fit->rows, &fit->kinds, false, context->arena,
                        &checked));
    fit->p_value = checked.is_done ? checked.check.p_value : NAN;
    return DEDPUL_OK;
}

static dedpul_status correct_by_kinds(struct context *context, struct selected_fit *fit)
{
    TRY(kinds_read(context, fit->rows.table, &fit->kinds.kinds));
    TRY(fit_kinds_train(context, fit->plan, &fit->model->ntc, &fit->rows, &fit->model->memory,
                        &fit->model->kinds, &fit->kinds));
    TRY(check_kinds(context, fit));
    return fit_kinds_correct(context, &fit->model->kinds, &fit->rows, &fit->kinds);
}

const struct selected_approach selected_approaches[N_APPROACHES] = {
    [APPROACH_PLAIN] = {.name = "plain", .title = "plain", .check = check_labels},
    [APPROACH_KNOWN] = {.name = "known",
                        .title = "kinds known",
                        .knows_kinds = true,
                        .correct = correct_by_kinds},
};
