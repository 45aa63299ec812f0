/* Rows that repeat others. */
#ifndef DEDPUL_FIT_ROW_COPIES_H
#define DEDPUL_FIT_ROW_COPIES_H

#include "fit_rows.h"

struct row_copies {
    size_t n_rows;           /* rows that have weight; others are not looked at */
    size_t n_copies;         /* of these, those that repeat an earlier row of another group */
    struct row_groups equal; /* equal rows are of one group; every row without weight is one by itself */
};

/* Finds rows with equal features. */
dedpul_status row_copies_find(struct context *context, const struct fit_rows *rows,
                              struct row_copies *copies);

/*
 * Tells whether equal rows must be copies, because by chance there would be none: rows are images, or there
 * is, among others, a column of numbers that are not all whole and that hardly repeat but in equal rows.
 */
dedpul_status row_copies_are_sure(struct context *context, const struct fit_rows *rows,
                                  const struct row_copies *copies, bool *are_sure);

#endif
