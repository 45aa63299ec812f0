/* Draws batches of examples. */
#ifndef DEDPUL_CLASSIFY_DECK_H
#define DEDPUL_CLASSIFY_DECK_H

#include "classifier.h"
#include "rng.h"

/*
 * The examples of one class that a member learns from. Without weights, or if all are 1, they are drawn
 * without replacement, and shuffled again when all are drawn. With weights, each draw is in proportion to the
 * weights.
 */
struct deck {
    size_t n;
    uint32_t *row;      /* (n) of the matrix */
    double *cumulative; /* (n) sums of weights; NULL: no weights */
    size_t next;        /* how many are drawn */
};

dedpul_status deck_init(struct context *context, const struct examples *examples, const struct member *member,
                        unsigned char label, struct deck *deck);

/* Returns how many rows the deck stands for: the sum of their weights, but at most their number. */
double deck_size(const struct deck *deck);

/* Puts all examples back into the deck. */
void deck_restart(struct deck *deck);

uint32_t deck_draw(struct deck *deck, struct rng *rng);

#endif
