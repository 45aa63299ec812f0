/* Kinds that nobody has told of, found among the labeled rows. */
#ifndef DEDPUL_FIT_FOUND_KINDS_H
#define DEDPUL_FIT_FOUND_KINDS_H

#include "fit_kinds.h"
#include "label_check.h"

/* A kind needs more labeled rows than one that is known: small clusters are often of rows like negatives. */
enum { FEWEST_FOUND = 20 };

/* It is an error if there are too few labeled rows for two kinds. */
dedpul_status found_kinds_check(struct context *context, const struct table *table);

/*
 * Finds at most n_kinds kinds (MOST_KINDS or fewer): clusters of the features of labeled rows. Those of fewer
 * than FEWEST_FOUND rows are left out, and their rows go to others; so there may be one kind only. The
 * largest comes first. Rows must have their logits. The arrays are temporaries of the context.
 */
dedpul_status found_kinds_find(struct context *context, const struct fit_rows *rows, size_t n_kinds,
                               struct kinds *kinds,
                               const uint32_t **likeliest /* (n_rows) of labeled and unlabeled rows */);

/*
 * Looks for few kinds and for more, and takes those by which the labels are least like a random draw of the
 * positives. Fills the kinds and the likeliest one of each row, and the check; its p-value is for both looks
 * together, and calibrated on random draws. The check is in `memory`.
 */
dedpul_status found_kinds_choose(struct context *context, const struct fit_rows *rows, struct arena *memory,
                                 struct fitted_kinds *fitted, struct label_check *check);

#endif
