/* Which rows of a table stay in one fold: those of one group, or copies of each other. */
#ifndef DEDPUL_FIT_FIT_GROUPS_H
#define DEDPUL_FIT_FIT_GROUPS_H

#include "fit_rows.h"

/*
 * Takes the table's groups, if it has any; it is an error if they are too few for the folds. Without groups,
 * it groups equal rows if they are many and must be copies, because a column of the table is continuous. Sets
 * rows->groups, a temporary of the context, and warns of groups and copies that are a trouble.
 */
dedpul_status fit_groups_choose(struct context *context, unsigned n_folds, const struct encoding *encoding,
                                struct fit_rows *rows);

#endif
