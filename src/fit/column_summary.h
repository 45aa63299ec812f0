/* What each column of a table says of the labels by itself, and how labeled and unlabeled rows differ in it.
 */
#ifndef DEDPUL_FIT_COLUMN_SUMMARY_H
#define DEDPUL_FIT_COLUMN_SUMMARY_H

#include "context.h"
#include "table.h"

/* Arrays of two are for unlabeled and for labeled rows. Weights count. */
struct column_summary {
    double auc;           /* labeled against unlabeled rows by this column alone, at least 0.5 */
    double shape_auc;     /* the same, or more if bins of its numbers tell more than their order */
    double missing;       /* share of the rows that have no value */
    double median[2];     /* of the numbers; NaN: there are none */
    double share[2];      /* of the level, among the rows that have one */
    double alone;         /* the largest share of labeled rows with one level that no unlabeled row has; of */
                          /* numbers, the share of labeled rows that have one, if no unlabeled row has */
    uint32_t level[2];    /* the most frequent one; LEVEL_MISSING: there is none */
    uint32_t level_alone; /* that of `alone` */
};

/*
 * The AUC of numbers is by their order, whichever end is high; missing ones are at the better end. That of
 * bins and of texts is by how many rows of the same kind are labeled in the other half of the rows, so that
 * rare ones gain nothing by chance.
 */
dedpul_status summarise_column(struct context *context, const struct table *table /* label, weight */,
                               const struct column *column /* (table->n_rows) */,
                               struct column_summary *summary);

/* Summarises each column of a table. */
dedpul_status summarise_columns(struct context *context, const struct table *table,
                                struct column_summary *summary /* (n_columns) */);

#endif
