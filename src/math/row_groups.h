/* Rows that belong together: of one patient, site or document, or copies of each other. */
#ifndef DEDPUL_MATH_ROW_GROUPS_H
#define DEDPUL_MATH_ROW_GROUPS_H

#include "context.h"

struct row_groups {
    size_t n;
    const uint32_t *of_row; /* (rows) below n */
};

/*
 * How much less the rows tell because those of a group are alike: the design effect less 1 (Kish, "Survey
 * sampling", 1965), by the correlation of values within groups (analysis of variance). So n rows are worth
 * n / (1 + excess) independent ones. It is 0 if each row is a group by itself or groups are not alike.
 */
dedpul_status design_excess(struct context *context, size_t n, const double *value /* (n) */, size_t n_groups,
                            const uint32_t *group /* (n) */, double *excess);

#endif
