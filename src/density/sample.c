#include "sample.h"

#include "parallel.h"
#include "sort.h"
#include "weighted.h"

#include <math.h>

static int is_taken(const dedpul_sample *rows, const unsigned char *label, unsigned char wanted,
                    size_t row)
{
    return (label == NULL || label[row] == wanted) && weight_at(rows->weight, row) > 0;
}

dedpul_status sample_sort(struct context *context, const dedpul_sample *rows,
                          const unsigned char *label, unsigned char wanted, struct sample *sample)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++)
        n += (size_t)is_taken(rows, label, wanted, i);

    *sample = (struct sample){.n = n};
    sample->score = context_allocate(context, n, sizeof *sample->score);
    sample->row = context_allocate(context, n, sizeof *sample->row);
    if (sample->score == NULL || sample->row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0, k = 0; i < rows->n; i++)
        if (is_taken(rows, label, wanted, i)) {
            sample->score[k] = rows->score[i] + 0.0; /* no -0.0 */
            sample->row[k++] = (uint32_t)i;
        }
    TRY(sort_with_rows(context, n, sample->score, sample->row));

    if (rows->weight != NULL) {
        sample->weight = context_allocate(context, n, sizeof *sample->weight);
        if (sample->weight == NULL)
            return DEDPUL_NO_MEMORY;
        for (size_t i = 0; i < n; i++)
            sample->weight[i] = rows->weight[sample->row[i]];
    }
    sample->total = weighted_total(n, sample->weight);
    return DEDPUL_OK;
}

double logit_of(double score)
{
    return log(score / (1 - score));
}

/* Smallest distance to 0 or 1 of a score strictly inside, at most `nearest`. */
static double nearest_to_bounds(const struct sample *sample, double nearest)
{
    size_t low = 0, high = sample->n;
    while (low < high && sample->score[low] <= 0)
        low++;
    while (high > low && sample->score[high - 1] >= 1)
        high--;
    if (low < high) {
        nearest = fmin(nearest, sample->score[low]);
        nearest = fmin(nearest, 1 - sample->score[high - 1]);
    }
    return nearest;
}

static void clip(struct sample *sample, double margin)
{
    for (size_t i = 0; i < sample->n && sample->score[i] < margin; i++)
        sample->score[i] = margin;
    for (size_t i = sample->n; i > 0 && sample->score[i - 1] > 1 - margin; i--)
        sample->score[i - 1] = 1 - margin;
}

static dedpul_status fill_logits(struct context *context, void *argument, size_t index)
{
    const struct sample *sample = argument;
    const size_t end = parallel_chunk_end(sample->n, index);
    (void)context;
    for (size_t i = index * PARALLEL_CHUNK; i < end; i++)
        sample->logit[i] = logit_of(sample->score[i]);
    return DEDPUL_OK;
}

static dedpul_status transform(struct context *context, struct sample *sample, double margin)
{
    clip(sample, margin);
    sample->logit = context_allocate(context, sample->n, sizeof *sample->logit);
    if (sample->logit == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(parallel_for(context, parallel_chunks(sample->n), fill_logits, sample));
    /* Rounding in log may undo the order of two neighbouring scores by a unit in the last place. */
    for (size_t i = 1; i < sample->n; i++)
        sample->logit[i] = fmax(sample->logit[i], sample->logit[i - 1]);
    return DEDPUL_OK;
}

dedpul_status samples_transform(struct context *context, struct sample *p, struct sample *u)
{
    const double nearest = nearest_to_bounds(p, nearest_to_bounds(u, INFINITY));
    const double margin = isinf(nearest) ? 1e-3 : fmax(1e-12, nearest / 2);
    TRY(transform(context, p, margin));
    return transform(context, u, margin);
}
