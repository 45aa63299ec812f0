#include "distances.h"

#include "parallel.h"
#include "sort.h"
#include "vectorized.h"
#include "weighted.h"

#include <math.h>

struct distance_job {
    size_t n, width;
    const float *x;
    double *square;
};

/* Fills the distances of one row to the rows before it, on both sides of the diagonal. */
VECTORIZED static void fill_row(const struct distance_job *job, size_t i)
{
    enum { LANES = 8 };
    const size_t width = job->width, even = width / LANES * LANES;
    const float *a = job->x + i * width;
    for (size_t j = 0; j < i; j++) {
        const float *b = job->x + j * width;
        double lane[LANES] = {0}, sum = 0;
        for (size_t c = 0; c < even; c += LANES)
            for (size_t k = 0; k < LANES; k++) {
                const double difference = (double)a[c + k] - (double)b[c + k];
                lane[k] += difference * difference;
            }
        for (size_t c = even; c < width; c++) {
            const double difference = (double)a[c] - (double)b[c];
            sum += difference * difference;
        }
        for (size_t k = 0; k < LANES; k++)
            sum += lane[k];
        job->square[i * job->n + j] = job->square[j * job->n + i] = sum;
    }
    job->square[i * job->n + i] = 0;
}

static dedpul_status row_task(struct context *context, void *argument, size_t index)
{
    (void)context;
    fill_row(argument, index);
    return DEDPUL_OK;
}

dedpul_status squared_distances(struct context *context, size_t n, size_t width, const float *x,
                                double *square)
{
    struct distance_job job = {n, width, x, square};
    return parallel_for(context, n, row_task, &job);
}

static double mean_distance(size_t n, const double *square, const double *weight)
{
    const double total = weighted_total(n, weight);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double row = 0;
        for (size_t j = 0; j < i; j++)
            row += weight[j] * sqrt(square[i * n + j]);
        sum += weight[i] * row;
    }
    return sum / (total * (total - 1) / 2);
}

dedpul_status median_distance(struct context *context, size_t n, const double *square, const double *weight,
                              double *median)
{
    enum { MOST = 1000 };
    struct block *mark = context_mark(context);
    const size_t m = n < MOST ? n : MOST, pairs = m * (m + 1) / 2;
    double *key = context_allocate(context, pairs, sizeof *key);
    double *count = context_allocate(context, pairs, sizeof *count);
    double *sorted = context_allocate(context, pairs, sizeof *sorted);
    uint32_t *pair = context_allocate(context, pairs, sizeof *pair);
    if (key == NULL || count == NULL || sorted == NULL || pair == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t a = 0, p = 0; a < m; a++)
        for (size_t b = 0; b <= a; b++, p++) {
            const size_t i = a * n / m, j = b * n / m;
            key[p] = square[i * n + j];
            /* A row of weight w stands for w equal rows: w (w - 1) / 2 pairs at distance 0. */
            count[p] = a != b ? weight[i] * weight[j] : fmax(0, weight[i] * (weight[i] - 1) / 2);
            pair[p] = (uint32_t)p;
        }
    TRY(sort_with_rows(context, pairs, key, pair));
    for (size_t p = 0; p < pairs; p++)
        sorted[p] = count[pair[p]];
    *median = sqrt(weighted_quantile(pairs, key, sorted, 0.5));
    if (!(*median > 0))
        *median = mean_distance(n, square, weight);
    context_release(context, mark);
    return DEDPUL_OK;
}
