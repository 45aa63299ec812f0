/*
 * Ways to deal with labels that may have been picked. To add one, give it a number here and a line in the
 * table of selected_approach.c, and name it at the sets that take it (selected_draw.c).
 */
#ifndef DEDPUL_EXPERIMENTS_SELECTED_APPROACH_H
#define DEDPUL_EXPERIMENTS_SELECTED_APPROACH_H

#include "fit_check.h"
#include "fit_propensity.h"

enum { APPROACH_PLAIN, APPROACH_KNOWN, APPROACH_FOUND, APPROACH_PROPENSITY, APPROACH_VALUES, N_APPROACHES };

/* A fit on its way from cross-fitted scores to an estimate. */
struct selected_fit {
    const struct fit_plan *plan;
    struct model *model;
    struct fit_rows rows;
    struct fitted_kinds kinds; /* kinds.n == 0: the fit knows of none */
    struct checked_labels checked;
    struct fitted_propensity propensity; /* if odds is NULL: the same */
};

struct selected_approach {
    const char *name, *title;
    bool knows_kinds; /* its kinds are those of the set */
    /* Changes scores and weights, as if the labels were a random draw. NULL: leaves them as they are. */
    dedpul_status (*correct)(struct context *context, struct selected_fit *fit);
    /* Checks the labels; its time is not counted. NULL: there is nothing to do. */
    dedpul_status (*check)(struct context *context, struct selected_fit *fit);
};

extern const struct selected_approach selected_approaches[N_APPROACHES];

#endif
