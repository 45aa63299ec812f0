/* The rows of a table, encoded and scored by models that have not seen them: what an estimate starts from. */
#ifndef DEDPUL_FIT_FIT_ROWS_H
#define DEDPUL_FIT_FIT_ROWS_H

#include "fit_plan.h"
#include "group_folds.h"
#include "model.h"

struct fit_rows {
    const struct table *table;       /* rows whose weight is next to 0 have 0 in it */
    const unsigned char *stratum;    /* (n_rows) as in folds.h */
    const struct row_groups *groups; /* rows that stay in one fold; NULL: none */
    size_t width;
    const float *x;       /* (n_rows, width) */
    double *logit;        /* (n_rows) cross-fitted */
    const double *square; /* (n_rows) as in struct scored_rows; NULL: those of the weights */
};

/*
 * table -> features. The arrays are temporaries of the context, and the logits are left to be filled. The
 * model receives its encoding.
 */
dedpul_status fit_rows_encode(struct context *context, const struct table *given, size_t n_numbered,
                              const struct fit_plan *plan, struct model *model, struct fit_rows *rows);

/*
 * Multiplies the weights by a factor of each row, which is no count; those of labeled rows are then scaled so
 * that they add up to what they did before.
 */
dedpul_status fit_rows_reweigh(struct context *context, const double *factor /* (n_rows) */,
                               struct fit_rows *rows);

/*
 * features -> classify -> logits. The model has the encoding, and receives its ntc (non-traditional
 * classifier: labeled against unlabeled rows).
 */
dedpul_status fit_rows_score(struct context *context, const struct fit_plan *plan, struct model *model,
                             const struct fit_rows *rows);

/*
 * logits -> estimate, by the plan's method. The estimate's arrays are in `memory`. If the method trains
 * networks of its own, these are in `pn` and pn_memory, and the estimate has their posteriors. The caller
 * closes `pn`, also after a failure.
 */
dedpul_status fit_rows_estimate(struct context *context, const struct fit_rows *rows,
                                const struct fit_plan *plan, struct arena *memory, struct estimate *answer,
                                struct arena *pn_memory, struct pn_scorer *pn);

#endif
