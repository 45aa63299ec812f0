/* Kinds that nobody has told of, found among the labeled rows. */
#ifndef DEDPUL_FIT_FOUND_KINDS_H
#define DEDPUL_FIT_FOUND_KINDS_H

#include "fit_kinds.h"
#include "label_check.h"

/* A kind needs more labeled rows than one that is known: small clusters are often of rows like negatives. */
enum { FEWEST_FOUND = 20 };

/*
 * Labeled rows whose logits are far below the best ones may be left out where centers are looked for: they
 * look like negatives, and would be a cluster for this alone. They are not of a kind that was labeled less
 * often, unless it was so by more than the largest factor. But a check needs the rows of such kinds.
 */
struct found_limits {
    double largest_factor;
    size_t fewest_rows; /* of a kind */
    size_t n_looks;     /* 1: for few kinds; 2: for more, too, which finds more and has more false alarms */
};
extern const struct found_limits limits_of_fit, limits_of_check;

/* It is an error if there are too few labeled rows for two kinds. */
dedpul_status found_kinds_check(struct context *context, const struct table *table);

/*
 * Finds at most n_kinds kinds (MOST_KINDS or fewer): clusters of the features of labeled rows. Those of fewer
 * than the limit has are left out, and their rows go to others; so there may be one kind only. The
 * largest comes first. Rows must have their logits. The arrays are temporaries of the context.
 */
dedpul_status found_kinds_find(struct context *context, const struct fit_rows *rows,
                               const struct found_limits *limits, size_t n_kinds, struct kinds *kinds,
                               const uint32_t **likeliest /* (n_rows) of labeled and unlabeled rows */);

/*
 * Looks for few kinds and for more, and takes those by which the labels are least like a random draw of the
 * positives. Fills the kinds and the likeliest one of each row, and the check; its p-value is for both looks
 * together. The check is in `memory`.
 */
dedpul_status found_kinds_choose(struct context *context, const struct fit_rows *rows,
                                 const struct found_limits *limits, struct arena *memory,
                                 struct fitted_kinds *fitted, struct label_check *check);

#endif
