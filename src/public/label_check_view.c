#include "label_check_view.h"

const dedpul_label_check *label_check_show(const struct checked_labels *checked,
                                           struct label_check_view *view)
{
    const struct label_check *check = &checked->check;
    if (!checked->is_done)
        return NULL;
    for (size_t k = 0; k < check->n_kinds; k++) {
        const struct checked_kind *kind = &check->kind[k];
        view->kind[k] = (dedpul_checked_kind){
            .name = checked->name[k],
            .traits = checked->traits[k],
            .n_labeled = kind->rows,
            .label_rate_low = kind->low,
            .label_rate_high = kind->high,
            .deviation = kind->deviation,
        };
        view->shown[k] = &view->kind[k];
    }
    view->public = (dedpul_label_check){
        .p_value = check->p_value,
        .level = LABEL_CHECK_LEVEL,
        .label_rate = check->rate,
        .has_found_kinds = checked->has_found_kinds,
        .n_kinds = check->n_kinds,
        .kinds = view->shown,
    };
    return &view->public;
}
