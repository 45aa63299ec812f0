/* Drawing batches of examples. */
#ifndef DEDPUL_CLASSIFY_DECK_H
#define DEDPUL_CLASSIFY_DECK_H

#include "classifier.h"
#include "rng.h"

/*
 * The examples of one class that a member learns from. Without weights, or where all are 1, they are drawn
 * without replacement, shuffled anew when all are drawn; with weights, each in proportion to its weight.
 */
struct deck {
    size_t n;
    uint32_t *row;      /* (n) of the matrix */
    double *cumulative; /* (n) sums of weights; NULL: no weights */
    size_t next;        /* how many are drawn */
};

dedpul_status deck_init(struct context *context, const struct examples *examples, const struct member *member,
                        unsigned char label, struct deck *deck);

/* How many rows the deck stands for: their weights, but no more than their number. */
double deck_size(const struct deck *deck);

/* Takes up all cards again. */
void deck_restart(struct deck *deck);

uint32_t deck_draw(struct deck *deck, struct rng *rng);

#endif
