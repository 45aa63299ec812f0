/* The sorted scores of P or of U, which densities and estimators work on. */
#ifndef DEDPUL_MATH_SAMPLE_H
#define DEDPUL_MATH_SAMPLE_H

#include "row_groups.h"

/* Rows as they come, with scores or with logits. */
struct scored_rows {
    size_t n;
    const double *score;  /* (n) in [0, 1]; NULL: there are logits */
    const double *logit;  /* (n) finite; NULL: there are scores */
    const double *weight; /* (n) counts of rows; NULL: each counts once */
    const double *square; /* (n) sums of squares of the weights that each row stands for; NULL: of its own */
    const struct row_groups *groups; /* NULL: rows are independent */
};

struct sample {
    size_t n_rows;  /* rows of the input */
    size_t n;       /* rows that count: those with a weight that is not next to 0 */
    double total;   /* sum of weights; n if there are none */
    double squares; /* sum of the squares of the weights that the rows stand for; 0: those of the rows */
    double *score;  /* (n) ascending, inside (0, 1) after samples_transform */
    double *logit;  /* (n) log(score / (1 - score)), ascending */
    double *weight; /* (n) or NULL: each row counts once */
    uint32_t *row;  /* (n) which of the input's rows of that label each is, counted from 0 */
    size_t n_groups;
    uint32_t *group; /* (n) of groups that are not independent; NULL: rows are independent */
    double excess;   /* as in row_groups.h, by score or logit; 0: rows are independent */
};

/*
 * Takes the rows of at least the least weight whose label is `wanted` (all of them if label is NULL), and
 * sorts them by score or logit; the other of the two is NULL until samples_transform.
 */
dedpul_status sample_sort(struct context *context, const struct scored_rows *rows,
                          const unsigned char *label /* (rows->n) or NULL */, unsigned char wanted,
                          struct sample *sample);

/* An empty sample with room for n rows, with weights or without. */
dedpul_status sample_allocate(struct context *context, size_t n, bool has_weights, struct sample *sample);

/* Appends a row of another sample, with this weight if the sample has weights. */
static inline void sample_append(struct sample *sample, const struct sample *from, size_t row, double weight)
{
    sample->score[sample->n] = from->score[row];
    sample->logit[sample->n] = from->logit[row];
    if (sample->weight != NULL)
        sample->weight[sample->n] = weight;
    sample->n++;
}

/* Returns the values that the sample was sorted by. */
static inline const double *sample_values(const struct sample *sample)
{
    return sample->score != NULL ? sample->score : sample->logit;
}

/* Scores nearer than this to 0 or 1 are moved to this distance: beyond, logits show rounding, not rows. */
#define SMALLEST_SCORE 1e-12

/*
 * Fills logits from scores, or scores from logits, after moving all scores inside (0, 1). Scores of 0 and 1
 * move by half the smallest distance that an interior score of either sample has from its bound. Every score
 * keeps at least SMALLEST_SCORE from both bounds.
 */
dedpul_status samples_transform(struct context *context, struct sample *p, struct sample *u);

/* Smallest and largest logit over both samples. */
double samples_lowest(const struct sample *p, const struct sample *u);
double samples_highest(const struct sample *p, const struct sample *u);

#endif
