/* The public check of labels: a view of one. */
#ifndef DEDPUL_PUBLIC_LABEL_CHECK_VIEW_H
#define DEDPUL_PUBLIC_LABEL_CHECK_VIEW_H

#include "fit_check.h"

#include "dedpul_scores.h"

struct label_check_view {
    dedpul_label_check public;
    dedpul_checked_kind kind[MOST_KINDS];
    const dedpul_checked_kind *shown[MOST_KINDS];
};

/* Fills the view, and returns it; NULL if there is no check. What it shows must outlive it. */
const dedpul_label_check *label_check_show(const struct checked_labels *checked,
                                           struct label_check_view *view);

#endif
