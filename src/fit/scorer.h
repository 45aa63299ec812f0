/* The trained classifiers behind a score. */
#ifndef DEDPUL_FIT_SCORER_H
#define DEDPUL_FIT_SCORER_H

#include "ensemble.h"

enum { MOST_PARTS = 2 };

/*
 * One ensemble, or several whose logits are centered, scaled, averaged, and scaled back:
 * logit = center + spread * mean over parts of (part's logit - its center) / its spread.
 */
struct scorer {
    size_t n_parts;
    struct ensemble part[MOST_PARTS];
    double part_center[MOST_PARTS], part_spread[MOST_PARTS];
    double center, spread;
};

void scorer_close(struct scorer *scorer);

/* Computes logits of rows, with other work beside it; NULL: none. It is an error if one is not finite. */
dedpul_status scorer_score(struct context *context, const struct scorer *scorer, size_t n,
                           const float *x /* (n, width) */, const struct beside *beside,
                           double *logit /* (n) */);

#endif
