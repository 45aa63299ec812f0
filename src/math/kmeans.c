#include "kmeans.h"

#include "parallel.h"
#include "rng.h"
#include "vectorized.h"
#include "weighted.h"

#include <math.h>
#include <string.h>

enum { STARTS = 8, MOST_STEPS = 100 };

/* ---- distances ---- */

VECTORIZED static double squared_distance(size_t width, const double *center, const float *x)
{
    enum { LANES = 8 };
    const size_t even = width / LANES * LANES;
    double lane[LANES] = {0}, sum = 0;
    for (size_t c = 0; c < even; c += LANES)
        for (size_t j = 0; j < LANES; j++) {
            const double difference = center[c + j] - (double)x[c + j];
            lane[j] += difference * difference;
        }
    for (size_t c = even; c < width; c++)
        sum += (center[c] - (double)x[c]) * (center[c] - (double)x[c]);
    for (size_t j = 0; j < LANES; j++)
        sum += lane[j];
    return sum;
}

uint32_t kmeans_nearest(size_t k, size_t width, const double *center, const float *x, double *square)
{
    uint32_t nearest = 0;
    double least = INFINITY;
    for (uint32_t j = 0; j < k; j++) {
        const double distance = squared_distance(width, center + j * width, x);
        if (distance < least) {
            least = distance;
            nearest = j;
        }
    }
    if (square != NULL)
        *square = least;
    return nearest;
}

/* ---- one start ---- */

struct start {
    size_t k; /* centers that it has */
    double *center, cost;
};

struct search {
    const struct kmeans_rows *rows;
    size_t k;
    struct start *start; /* (STARTS) */
};

static void put_center(const struct kmeans_rows *rows, size_t row, double *center)
{
    for (size_t c = 0; c < rows->width; c++)
        center[c] = (double)rows->x[row * rows->width + c];
}

/* Draws a row with a chance in proportion to its weight times its squared distance; n: all of these are 0. */
static size_t draw_row(const struct kmeans_rows *rows, const double *square, struct rng *rng)
{
    double total = 0, below = 0;
    size_t last = rows->n;
    for (size_t i = 0; i < rows->n; i++)
        total += weight_at(rows->weight, i) * square[i];
    const double at = rng_uniform(rng) * total;
    for (size_t i = 0; i < rows->n; i++) {
        const double own = weight_at(rows->weight, i) * square[i];
        below += own;
        if (own > 0)
            last = i;
        if (own > 0 && below > at)
            break;
    }
    return last;
}

/* Chooses the first centers: each is a row, far from those before it. Gives up where all rows are centers. */
static void place_centers(const struct search *search, struct rng *rng, double *square, struct start *start)
{
    const struct kmeans_rows *rows = search->rows;
    for (size_t i = 0; i < rows->n; i++)
        square[i] = 1;
    for (start->k = 0; start->k < search->k; start->k++) {
        double *center = start->center + start->k * rows->width;
        const size_t row = draw_row(rows, square, rng);
        if (row == rows->n)
            return;
        put_center(rows, row, center);
        for (size_t i = 0; i < rows->n; i++) {
            const double own = squared_distance(rows->width, center, rows->x + i * rows->width);
            square[i] = start->k == 0 ? own : fmin(square[i], own);
        }
    }
}

/* Moves each center to the mean of its rows. A center without rows stays where it is. */
static void move_centers(const struct kmeans_rows *rows, const uint32_t *nearest, size_t k, double *sum,
                         double *weight, double *center)
{
    memset(sum, 0, k * rows->width * sizeof *sum);
    memset(weight, 0, k * sizeof *weight);
    for (size_t i = 0; i < rows->n; i++) {
        const double own = weight_at(rows->weight, i);
        double *of_center = sum + nearest[i] * rows->width;
        weight[nearest[i]] += own;
        for (size_t c = 0; c < rows->width; c++)
            of_center[c] += own * (double)rows->x[i * rows->width + c];
    }
    for (size_t j = 0; j < k; j++)
        for (size_t c = 0; c < rows->width && weight[j] > 0; c++)
            center[j * rows->width + c] = sum[j * rows->width + c] / weight[j];
}

/* Finds the nearest center of each row. Returns whether any row has another one than before. */
static bool find_nearest(const struct kmeans_rows *rows, struct start *start, uint32_t *nearest)
{
    bool changed = false;
    start->cost = 0;
    for (size_t i = 0; i < rows->n; i++) {
        double square;
        const uint32_t own =
            kmeans_nearest(start->k, rows->width, start->center, rows->x + i * rows->width, &square);
        changed = changed || own != nearest[i];
        nearest[i] = own;
        start->cost += weight_at(rows->weight, i) * square;
    }
    return changed;
}

static dedpul_status run_start(struct context *context, void *argument, size_t index)
{
    const struct search *search = argument;
    const struct kmeans_rows *rows = search->rows;
    struct start *start = &search->start[index];
    double *square = context_allocate(context, rows->n, sizeof *square);
    uint32_t *nearest = context_allocate(context, rows->n, sizeof *nearest);
    double *sum = context_allocate(context, search->k * rows->width, sizeof *sum);
    double *weight = context_allocate(context, search->k, sizeof *weight);
    struct rng rng;
    if (square == NULL || nearest == NULL || sum == NULL || weight == NULL)
        return DEDPUL_NO_MEMORY;
    rng_init(&rng, context->seed, rng_stream(STREAM_KMEANS, index));
    place_centers(search, &rng, square, start);
    for (size_t i = 0; i < rows->n; i++)
        nearest[i] = UINT32_MAX;
    for (size_t step = 0; find_nearest(rows, start, nearest) && step < MOST_STEPS; step++)
        move_centers(rows, nearest, start->k, sum, weight, start->center);
    return DEDPUL_OK;
}

/* ---- the best one ---- */

dedpul_status kmeans(struct context *context, const struct kmeans_rows *rows, size_t *k, double *center)
{
    struct block *mark = context_mark(context);
    struct start start[STARTS] = {{.k = 0}};
    const size_t size = *k * rows->width;
    double *centers = context_allocate(context, STARTS * size, sizeof *centers);
    if (centers == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t s = 0; s < STARTS; s++)
        start[s].center = centers + s * size;
    struct search search = {rows, *k, start};
    TRY(parallel_for(context, STARTS, run_start, &search));
    size_t best = 0;
    for (size_t s = 1; s < STARTS; s++)
        best = start[s].cost < start[best].cost ? s : best;
    *k = start[best].k;
    memcpy(center, start[best].center, *k * rows->width * sizeof *center);
    context_release(context, mark);
    return DEDPUL_OK;
}
