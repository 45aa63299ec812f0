#include "use_kinds.h"

#include "found_kinds.h"

dedpul_status use_known_kinds(struct context *context, const struct fit_plan *plan, struct model *model,
                              struct fit_rows *rows, struct arena *memory, struct fitted_kinds *fitted,
                              struct checked_labels *checked)
{
    TRY(fit_kinds_train(context, plan, &model->ntc, rows, &model->memory, &model->kinds, fitted));
    if (plan->check_labels)
        TRY(fit_check_kinds(context, &model->encoding, rows, fitted, false, "The kinds correct for that",
                            memory, checked));
    return fit_kinds_correct(context, &model->kinds, rows, fitted);
}

dedpul_status use_found_kinds(struct context *context, const struct fit_plan *plan, struct model *model,
                              struct fit_rows *rows, struct arena *memory, struct fitted_kinds *fitted,
                              struct checked_labels *checked)
{
    TRY(found_kinds_find(context, rows, plan, ENOUGH_KINDS, &fitted->kinds));
    if (fitted->kinds.n >= 2) {
        TRY(fit_kinds_train(context, plan, &model->ntc, rows, &model->memory, &model->kinds, fitted));
        TRY(fit_check_kinds(context, &model->encoding, rows, fitted, true,
                            "The kinds that were found correct for that", memory, checked));
        if (checked->is_done && checked->check.p_value < LABEL_CHECK_LEVEL)
            return fit_kinds_correct_found(context, &model->kinds, rows, fitted);
    }
    model_kinds_close(&model->kinds);
    fitted->kinds.n = 0;
    return DEDPUL_OK;
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
