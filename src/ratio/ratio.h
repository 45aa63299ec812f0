/*
 * The density ratio r = f_p / f_u at the unlabeled rows, in ascending order of score, and its smoothing.
 *
 * Smoothing only compares ratios and picks one of them. So ratios are stored as ranks among the distinct
 * values: one sort is enough for all steps and, after them, for the solver of the mixture.
 */
#ifndef DEDPUL_RATIO_RATIO_H
#define DEDPUL_RATIO_RATIO_H

#include "context.h"

/*
 * A row of weight w stands for w equal rows, which smoothing tells apart by their places. So rows with a
 * weight are cut into pieces of weight 1 (total / 65536 in larger samples). Below, `rows` means those pieces.
 */
struct ratio {
    size_t n;        /* rows */
    double *weight;  /* (n) or NULL: each counts once */
    double total;    /* sum of weights */
    uint32_t *piece; /* (n) the sample's row that each belongs to, ascending; NULL: the same row */
    uint32_t *rank;  /* (n) the ratio of row i is value[rank[i]] */
    size_t m;        /* distinct values */
    double *value;   /* (m) ascending, finite, >= 0 */
};

/*
 * A ratio is made in three steps: ratio_allocate for a sample of n_sample rows, whose f_p the caller then
 * writes into value; ratio_divide by f_u, which may be freed after it; ratio_rank.
 */
dedpul_status ratio_allocate(struct context *context, size_t n_sample, const double *weight, double total,
                             struct ratio *ratio);
void ratio_divide(size_t n_sample, const double *f_u /* (n_sample) */, struct ratio *ratio);
dedpul_status ratio_rank(struct context *context, struct ratio *ratio);

/* Returns the sample's row that row i belongs to. */
static inline size_t ratio_sample_row(const struct ratio *ratio, size_t i)
{
    return ratio->piece != NULL ? ratio->piece[i] : i;
}

static inline double ratio_at(const struct ratio *ratio, size_t row)
{
    return ratio->value[ratio->rank[row]];
}

/* Running maximum over the rows from `first` on. */
void monotonize(struct ratio *ratio, size_t first);

/*
 * Median over a window that reaches floor(total / 20) to both sides; near the ends it is shorter, so that it
 * stays symmetric. With weights, each row covers a stretch of its weight on the axis of cumulative weight.
 * The window is centred on the row's middle, and rows at its ends count with the part inside. O(n log n).
 */
dedpul_status rolling_median(struct context *context, struct ratio *ratio);

/*
 * Soft running maximum: an earlier peak stays the floor until later rows have contradicted it for long
 * enough. We keep some of the values seen so far, each with a support. Row i becomes the larger of its own
 * value and the largest kept value. Then each kept value up to row i's own value gains the row's weight, and
 * each larger one loses a quarter of it and is dropped when its support reaches 0. The own value is added if
 * it is not kept yet. O(n log n).
 */
dedpul_status trend(struct context *context, struct ratio *ratio);

#endif
