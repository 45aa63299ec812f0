#include "selected_approach.h"

#include "use_kinds.h"

static dedpul_status check_labels(struct context *context, struct selected_fit *fit)
{
    return fit_check_rows(context, fit->plan, fit->model, &fit->rows, context->arena, &fit->checked);
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

const struct selected_approach selected_approaches[N_APPROACHES] = {
    [APPROACH_PLAIN] = {.name = "plain", .title = "plain", .check = check_labels},
    [APPROACH_KNOWN] = {.name = "known",
                        .title = "kinds known",
                        .knows_kinds = true,
                        .correct = correct_by_known},
    [APPROACH_FOUND] = {.name = "found", .title = "kinds found", .correct = correct_by_found},
};
