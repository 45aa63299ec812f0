/* Rows of a table on their way to an estimate: encoded, and scored by models that have not seen them. */
#ifndef DEDPUL_FIT_FIT_ROWS_H
#define DEDPUL_FIT_FIT_ROWS_H

#include "fit_plan.h"
#include "model.h"

struct fit_rows {
    const struct table *table;    /* rows next to no weight have none in it */
    const unsigned char *stratum; /* (n_rows) as in folds.h */
    size_t width;
    const float *x;      /* (n_rows, width) */
    const double *logit; /* (n_rows) cross-fitted */
};

/*
 * table -> features -> classify -> logits. The arrays are temporaries of the context; the model receives
 * its encoding and its ntc.
 */
dedpul_status fit_rows_make(struct context *context, const struct table *given, size_t n_numbered,
                            const struct fit_plan *plan, struct model *model, struct fit_rows *rows);

/*
 * logits -> estimate, by the plan's method. Its arrays are in `memory`. A method may train networks of its
 * own: then these are in `pn` and its memory, to be closed also after a failure, and the estimate has their
 * posteriors.
 */
dedpul_status fit_rows_estimate(struct context *context, const struct fit_rows *rows,
                                const struct fit_plan *plan, struct arena *memory, struct estimate *answer,
                                struct arena *pn_memory, struct pn_scorer *pn);

#endif
