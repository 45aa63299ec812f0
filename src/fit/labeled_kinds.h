/* Kinds of labeled rows that a model with kinds has not seen: what these rows count. */
#ifndef DEDPUL_FIT_LABELED_KINDS_H
#define DEDPUL_FIT_LABELED_KINDS_H

#include "model_kinds.h"
#include "table.h"

struct labeled_kinds {
    const struct model_kinds *known;
    double weight[MOST_KINDS]; /* of the labeled rows of each kind */
    struct kind_piece *last;
};

/*
 * Takes the kinds of the next piece. It is an error if a labeled row has none, or one that the model does not
 * know, and if an unlabeled row has one.
 */
dedpul_status labeled_kinds_add(struct context *context, struct labeled_kinds *kinds,
                                const struct table *piece);

/*
 * Changes the weights of the rows, which came from these pieces, as if kinds had been labeled at the same
 * rate: by what their shares of the positives were at the fit. It is an error if a kind has no rows.
 */
dedpul_status labeled_kinds_weigh(struct context *context, const struct labeled_kinds *kinds,
                                  const char *file, double *weight);

#endif
