/* What each column of a table says of the labels by itself, and how labeled and unlabeled rows differ in it.
 */
#ifndef DEDPUL_FIT_COLUMN_SUMMARY_H
#define DEDPUL_FIT_COLUMN_SUMMARY_H

#include "context.h"
#include "table.h"

/* Arrays of two are for unlabeled and for labeled rows. Weights count. */
struct column_summary {
    double auc;        /* labeled against unlabeled rows by this column alone, at least 0.5 */
    double missing;    /* share of the rows that have no value */
    double median[2];  /* of the numbers; NaN: there are none */
    double share[2];   /* of the level, among the rows that have one */
    uint32_t level[2]; /* the most frequent one; LEVEL_MISSING: there is none */
};

/*
 * The AUC of numbers is by their order, whichever end is high; missing ones are at the better end. That of
 * texts is by how many rows with the same text are labeled in the other half of the rows, so that rare texts
 * gain nothing by chance.
 */
dedpul_status summarise_columns(struct context *context, const struct table *table,
                                struct column_summary *summary /* (n_columns) */);

#endif
