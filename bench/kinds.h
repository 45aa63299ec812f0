/* Kinds of data sets whose alpha* is known, because the densities of positives and negatives are. */
#ifndef DEDPUL_BENCH_KINDS_H
#define DEDPUL_BENCH_KINDS_H

#include "context.h"
#include "rng.h"

#include <stdbool.h>

enum { MOST_ALPHAS = 3 };

struct column;
struct drawn_rows;

struct kind {
    const char *name;
    const struct column *column; /* (n_columns) independent of each other */
    size_t n_columns;
    /* Fills the scores of rows. */
    dedpul_status (*score)(struct context *context, const struct drawn_rows *rows, struct rng *rng,
                           double *score);
    double alpha[MOST_ALPHAS]; /* shares of positives in unlabeled rows; 0: no more */
    bool is_slow;              /* scores have to be learned, so there is one size of samples */
    bool has_more_rows;        /* takes part in the table of larger and larger samples */
};

extern const struct kind kinds[];
extern const size_t n_kinds;

/*
 * The largest share that the densities allow: alpha* = inf f_u / f_p = alpha + (1 - alpha) inf f_n / f_p. It
 * is the same for noisy and rounded scores, although these alone would allow more.
 */
double alpha_star(const struct kind *kind, double alpha);

struct sizes {
    size_t labeled, unlabeled;
};

/* Draws a data set. Labeled rows come first. Each unlabeled row is positive with probability alpha. */
dedpul_status draw_scores(struct context *context, const struct kind *kind, double alpha, struct sizes sizes,
                          struct rng *rng, double *score /* (rows) */, unsigned char *label /* (rows) */);

#endif
