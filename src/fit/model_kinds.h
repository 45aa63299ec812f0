/*
 * Kinds of positives that were labeled at different rates, in a model: which kind a row is, if it is
 * positive, and what that changes about its logit.
 */
#ifndef DEDPUL_FIT_MODEL_KINDS_H
#define DEDPUL_FIT_MODEL_KINDS_H

#include "scorer.h"

/* There may be this many. */
enum { MOST_KINDS = 32 };

struct model_kinds {
    size_t n;              /* 0: the model has no kinds */
    char **name;           /* (n) */
    double *labeled;       /* (n) shares of the kinds among labeled rows; they add up to 1 */
    double *actual;        /* (n) the same among the positives of the unlabeled rows */
    struct scorer *scorer; /* (n_kind_scorers(n)) each kind against the others, balanced */
};

/* Of two kinds, one tells both. */
static inline size_t n_kind_scorers(size_t n_kinds)
{
    return n_kinds == 2 ? 1 : n_kinds;
}

/* Makes room for n kinds in `memory`. Its scorers have no parts yet. */
dedpul_status model_kinds_init(struct context *context, size_t n, struct arena *memory,
                               struct model_kinds *kinds);

void model_kinds_close(struct model_kinds *kinds);

/*
 * Fills the densities of the kinds at a row, relative to that of all labeled rows, from the logits of the
 * scorers, which are `stride` numbers apart.
 */
void kind_densities(const struct model_kinds *kinds, size_t stride, const double *logit,
                    double *density /* (n) */);

/*
 * What to add to the logit of labeled against unlabeled rows at a row of these densities, as if kinds had
 * been labeled at the same rate.
 */
double kind_correction(const struct model_kinds *kinds, const double *density /* (n) */);

/* Fills how likely a positive row of these densities is of each kind. */
void kind_parts(const struct model_kinds *kinds, const double *density /* (n) */, double *part /* (n) */);

/*
 * Adds the correction to the logits of new rows, and fills the parts of the kinds. Either may be NULL if it
 * is not wanted. Does nothing if there are no kinds.
 */
dedpul_status model_kinds_apply(struct context *context, const struct model_kinds *kinds, size_t n,
                                const float *x /* (n, width) */, double *logit /* (n) */,
                                double *part /* (n, kinds->n) */);

#endif
