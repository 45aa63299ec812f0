/* Trees that look for subsets with a high share of labeled rows: the part of TIcE that works on one fold. */
#ifndef DEDPUL_ESTIMATORS_LABEL_TREE_H
#define DEDPUL_ESTIMATORS_LABEL_TREE_H

#include "context.h"

struct tree_rows {
    size_t n, n_labeled;       /* the labeled rows come first */
    size_t width;              /* number of attributes */
    unsigned n_values;         /* each attribute is one of 0 .. n_values-1 */
    const unsigned char *code; /* (width, n) */
    const double *weight;      /* (n), counts; NULL: each row counts once */
    const unsigned char *fold; /* (n) */
};

enum { MOST_VALUES = 64 };

/*
 * Grows a tree on the rows of one fold, with at most most_splits splits. *bound is the highest lower bound on
 * the label frequency that the rows of the other folds give in any node, at least 0. c is the label frequency
 * from which the variance of the bounds follows.
 */
dedpul_status label_tree_bound(struct context *context, const struct tree_rows *rows, unsigned fold,
                               size_t most_splits, double c, double *bound);

#endif
