/* Finds the column that tells labeled from unlabeled rows nearly alone: it may hold the label. */
#ifndef DEDPUL_FIT_LEAK_H
#define DEDPUL_FIT_LEAK_H

#include "encoding.h"
#include "table.h"

/*
 * Warns if a column tells nearly as much of the labels by itself as the classifier does with all of them, or
 * has a level that many labeled rows have and no unlabeled one. Columns that the encoding drops do not count.
 */
dedpul_status warn_of_leak(struct context *context, const struct encoding *encoding,
                           const struct table *table, const double *logit /* (n_rows) cross-fitted */);

#endif
