#include "ratio.h"

#include "sort.h"
#include "weighted.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Cuts rows into pieces: fills the weight of each piece and the row that it belongs to. */
static dedpul_status cut(struct context *context, size_t n_sample, const double *weight, struct ratio *ratio)
{
    size_t n = 0;
    for (size_t i = 0; i < n_sample; i++)
        n += weight_pieces(weight[i], ratio->total);
    ratio->n = n;
    ratio->weight = context_allocate(context, n, sizeof *ratio->weight);
    ratio->piece = context_allocate(context, n, sizeof *ratio->piece);
    if (ratio->weight == NULL || ratio->piece == NULL)
        return DEDPUL_NO_MEMORY;
    n = 0;
    for (size_t i = 0; i < n_sample; i++) {
        const size_t pieces = weight_pieces(weight[i], ratio->total);
        for (size_t k = 0; k < pieces; k++, n++) {
            ratio->weight[n] = weight[i] / (double)pieces;
            ratio->piece[n] = (uint32_t)i;
        }
    }
    return DEDPUL_OK;
}

dedpul_status ratio_allocate(struct context *context, size_t n_sample, const double *weight, double total,
                             struct ratio *ratio)
{
    *ratio = (struct ratio){.n = n_sample, .total = total};
    if (weight != NULL)
        TRY(cut(context, n_sample, weight, ratio));
    ratio->rank = context_allocate(context, ratio->n, sizeof *ratio->rank);
    ratio->value = context_allocate(context, ratio->n, sizeof *ratio->value);
    return ratio->rank != NULL && ratio->value != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

/*
 * A density that underflows to 0 counts as the smallest positive number, and ratios are limited so that sums
 * of them stay finite.
 */
static const double largest_ratio = 1e100;

void ratio_divide(size_t n_sample, const double *f_u, struct ratio *ratio)
{
    for (size_t i = 0; i < n_sample; i++)
        ratio->value[i] = fmin(ratio->value[i] / fmax(f_u[i], DBL_MIN), largest_ratio);
}

dedpul_status ratio_rank(struct context *context, struct ratio *ratio)
{
    struct block *mark = context_mark(context);
    uint32_t *const row = ratio->rank; /* holds rows until the ranks are known */
    /* Copy each row's value to its pieces, in place: from the end, as no piece lies before its row. */
    for (size_t i = ratio->piece != NULL ? ratio->n : 0; i > 0; i--)
        ratio->value[i - 1] = ratio->value[ratio->piece[i - 1]];
    for (size_t i = 0; i < ratio->n; i++)
        row[i] = (uint32_t)i;
    TRY(sort_with_rows(context, ratio->n, ratio->value, row));
    uint32_t *rank = context_allocate(context, ratio->n, sizeof *rank);
    if (rank == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < ratio->n; i++) {
        /* Keep each distinct value once: m never passes i, so this too is done in place. */
        if (i == 0 || ratio->value[i] != ratio->value[ratio->m - 1])
            ratio->value[ratio->m++] = ratio->value[i];
        rank[row[i]] = (uint32_t)(ratio->m - 1);
    }
    memcpy(ratio->rank, rank, ratio->n * sizeof *rank);
    context_release(context, mark);
    return DEDPUL_OK;
}

void monotonize(struct ratio *ratio, size_t first)
{
    uint32_t highest = 0;
    for (size_t i = first; i < ratio->n; i++) {
        if (ratio->rank[i] > highest)
            highest = ratio->rank[i];
        ratio->rank[i] = highest;
    }
}
