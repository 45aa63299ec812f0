/* Kinds that nobody has told of, found among the labeled rows. */
#ifndef DEDPUL_FIT_FOUND_KINDS_H
#define DEDPUL_FIT_FOUND_KINDS_H

#include "fit_rows.h"
#include "kinds.h"

/*
 * This many are looked for. With fewer, kinds that were labeled at different rates stay together; with more,
 * kinds that were labeled at the same rate differ by chance.
 */
enum { ENOUGH_KINDS = 4 };

/* It is an error if there are too few labeled rows for two kinds. */
dedpul_status found_kinds_check(struct context *context, const struct table *table);

/*
 * Finds at most n_kinds kinds (from 2 to MOST_KINDS): clusters of what the features contribute to the trees'
 * score of labeled against unlabeled rows. Those of fewer than FEWEST_OF_KIND rows are joined to others. The
 * largest kind comes first. rows->logit is not read; the arrays are temporaries of the context. It is an
 * error if there are too few labeled rows for two kinds.
 */
dedpul_status found_kinds_find(struct context *context, const struct fit_rows *rows,
                               const struct fit_plan *plan, size_t n_kinds, struct kinds *kinds);

#endif
