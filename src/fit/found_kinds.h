/* Kinds that nobody has told of, found among the labeled rows. */
#ifndef DEDPUL_FIT_FOUND_KINDS_H
#define DEDPUL_FIT_FOUND_KINDS_H

#include "fit_rows.h"
#include "kinds.h"

/*
 * Finds at most n_kinds kinds (MOST_KINDS or fewer): clusters of the features of labeled rows. Those of fewer
 * than FEWEST_OF_KIND rows are left out, and their rows go to others; so there may be one kind only. The
 * largest comes first. The arrays are temporaries of the context.
 */
dedpul_status found_kinds_find(struct context *context, const struct fit_rows *rows, size_t n_kinds,
                               struct kinds *kinds,
                               const uint32_t **likeliest /* (n_rows) of labeled and unlabeled rows */);

#endif
