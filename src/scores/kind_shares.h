/*
 * Positives come in kinds that may have been labeled at different rates. How many of each kind are among the
 * unlabeled rows? The largest shares that fit: in no set of rows may the kinds together have more than all
 * unlabeled rows have.
 */
#ifndef DEDPUL_SCORES_KIND_SHARES_H
#define DEDPUL_SCORES_KIND_SHARES_H

#include "row_groups.h"

struct kind_rows {
    size_t n, n_kinds;
    const uint32_t *kind;            /* (n) of labeled rows; n_kinds: the row is unlabeled */
    const uint32_t *likeliest;       /* (n) the kind that has the highest density at the row */
    const double *logit;             /* (n) labeled against unlabeled */
    const double *weight;            /* (n) or NULL */
    const struct row_groups *groups; /* NULL: rows are independent */
};

struct kind_shares {
    double *share; /* (n_kinds) of the unlabeled rows */
    unsigned resamples;
    double *resampled; /* (resamples, n_kinds) in resamples of the rows */
};

/*
 * The sets have the rows at which one kind is the likeliest, from some logit on. Counts vary by chance, so
 * the unlabeled rows of a set may be too few by one and a half standard deviations. Resamples draw whole
 * groups, and counts vary more if rows of a group are alike. The solution of one
 * program is a corner, where some kinds often have nothing at all; that of resamples of the rows on the
 * average is not, and is nearer to the truth. The arrays are temporaries of the context.
 */
dedpul_status kind_shares_find(struct context *context, const struct kind_rows *rows, unsigned resamples,
                               struct kind_shares *shares);

/* ---- for whoever finds shares in another way ---- */

/* Makes room. The arrays are temporaries of the context. */
dedpul_status kind_shares_init(struct context *context, const struct kind_rows *rows, unsigned resamples,
                               struct kind_shares *shares);

/* Fills the weights of the rows in a resample. */
dedpul_status kind_resample(struct context *context, const struct kind_rows *rows, size_t index,
                            double *weight /* (n) */);

/* The weight of labeled rows of a cell that is wanted above one of several thresholds, which descend. */
typedef double kind_weight_function(double total, size_t threshold);

/*
 * Finds the logits from which on the labeled rows in the cell of a kind, where it is the likeliest, have
 * these weights; INFINITY if there are none.
 */
dedpul_status kind_thresholds(struct context *context, const struct kind_rows *rows, uint32_t kind,
                              size_t n_wanted, kind_weight_function *wanted, size_t *n_labeled,
                              double *threshold /* (n_wanted) */);

#endif
