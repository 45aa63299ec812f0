/* Scores of P or of U, sorted: what the densities and estimators work on. */
#ifndef DEDPUL_DENSITY_SAMPLE_H
#define DEDPUL_DENSITY_SAMPLE_H

#include "context.h"

struct sample {
    size_t n_rows;  /* rows of the input */
    size_t n;       /* rows with a positive weight */
    double total;   /* sum of weights; n where there are none */
    double *score;  /* (n) ascending, inside (0, 1) */
    double *logit;  /* (n) log(score / (1 - score)), ascending */
    double *weight; /* (n) or NULL: each row counts once */
    uint32_t *row;  /* (n) which of the input's rows of that label each is, counted from 0 */
};

/* Takes the rows of positive weight whose label is `wanted` (all of them where label is NULL). */
dedpul_status sample_sort(struct context *context, const dedpul_sample *rows,
                          const unsigned char *label /* (rows->n) or NULL */, unsigned char wanted,
                          struct sample *sample);

/*
 * Moves scores of 0 and 1 inside, by half the smallest distance of an interior score of either sample
 * from its bound, and fills the logits.
 */
dedpul_status samples_transform(struct context *context, struct sample *p, struct sample *u);

/* Of the logits of both. */
double samples_lowest(const struct sample *p, const struct sample *u);
double samples_highest(const struct sample *p, const struct sample *u);

/* The logit of a score in [0, 1]; infinite at the bounds. */
double logit_of(double score);

#endif
