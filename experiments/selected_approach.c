#include "selected_approach.h"

static dedpul_status correct_by_kinds(struct context *context, struct selected_fit *fit)
{
    TRY(kinds_read(context, fit->rows.table, &fit->kinds.kinds));
    return fit_kinds(context, fit->plan, fit->model, &fit->rows, &fit->kinds);
}

const struct selected_approach selected_approaches[N_APPROACHES] = {
    [APPROACH_PLAIN] = {.name = "plain", .title = "plain"},
    [APPROACH_KNOWN] = {.name = "known",
                        .title = "kinds known",
                        .knows_kinds = true,
                        .correct = correct_by_kinds},
};
