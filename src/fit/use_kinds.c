#include "use_kinds.h"

#include "found_kinds.h"

dedpul_status use_known_kinds(struct context *context, const struct fit_plan *plan, struct model *model,
                              struct fit_rows *rows, struct arena *memory, struct fitted_kinds *fitted,
                              struct checked_labels *checked)
{
    TRY(fit_kinds_train(context, plan, &model->ntc, rows, &model->memory, &model->kinds, fitted));
    if (plan->check_labels)
        TRY(fit_check_kinds(context, &model->encoding, rows, fitted, memory, checked));
    TRY(fit_kinds_share(context, rows, fitted));
    return fit_kinds_correct(context, &model->kinds, rows, fitted);
}

dedpul_status use_found_kinds(struct context *context, const struct fit_plan *plan, struct model *model,
                              struct fit_rows *rows, struct arena *memory, struct fitted_kinds *fitted,
                              struct checked_labels *checked)
{
    struct label_check check;
    TRY(found_kinds_choose(context, rows, memory, fitted, &check));
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

dedpul_status use_kinds(struct context *context, const struct fit_plan *plan, struct model *model,
                        struct fit_rows *rows, struct arena *memory, struct fitted_kinds *fitted,
                        struct checked_labels *checked)
{
    if (rows->table->kind != NULL)
        return use_known_kinds(context, plan, model, rows, memory, fitted, checked);
    if (rows->table->finds_kinds)
        return use_found_kinds(context, plan, model, rows, memory, fitted, checked);
    return plan->check_labels ? fit_check_rows(context, &model->encoding, rows, memory, checked) : DEDPUL_OK;
}
