/*
 * Randomised subspace iteration (Halko, Martinsson, Tropp, "Finding structure with randomness", 2011,
 * algorithm 4.4) in the space of the columns. A random subspace is multiplied with the covariance a few
 * times, which turns it towards the components of largest variance. Each product is one pass over the rows,
 * so that the covariance matrix is never formed. The components are then found within the subspace.
 */
#include "pca.h"

#include "eigen.h"
#include "gemm.h"
#include "normal.h"
#include "parallel.h"
#include "rng.h"
#include "sort.h"
#include "weighted.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { OVERSAMPLING = 10, POWER_ITERATIONS = 3, BLOCK = 512, MOST_TASKS = 64 };

struct pca {
    size_t n, width, wanted;
    const float *x;
    const double *weight;
    size_t k;       /* dimensions of the subspace */
    double *mean;   /* (width) */
    double *basis;  /* (k, width) of the subspace, orthonormal rows */
    float *basis32; /* (k, width) the same, rounded, for products with rows */
    size_t tasks, rows_per_task;
    double *part; /* (tasks, k, width) */
    float *projected;
};

static dedpul_status pca_init(struct context *context, struct pca *pca)
{
    const size_t least = pca->n < pca->width ? pca->n : pca->width;
    pca->k = pca->wanted + OVERSAMPLING < least ? pca->wanted + OVERSAMPLING : least;
    pca->rows_per_task = pca->n / MOST_TASKS + 1 > BLOCK ? pca->n / MOST_TASKS + 1 : BLOCK;
    pca->tasks = (pca->n + pca->rows_per_task - 1) / pca->rows_per_task;
    pca->mean = context_allocate(context, pca->width, sizeof *pca->mean);
    pca->basis = context_allocate(context, pca->k * pca->width, sizeof *pca->basis);
    pca->basis32 = context_allocate(context, pca->k * pca->width, sizeof *pca->basis32);
    pca->part = context_allocate(context, pca->tasks * pca->k * pca->width, sizeof *pca->part);
    return pca->mean != NULL && pca->basis != NULL && pca->basis32 != NULL && pca->part != NULL
               ? DEDPUL_OK
               : DEDPUL_NO_MEMORY;
}

/* ---- passes over the rows ---- */

static size_t task_end(const struct pca *pca, size_t index)
{
    const size_t end = (index + 1) * pca->rows_per_task;
    return end < pca->n ? end : pca->n;
}

static dedpul_status mean_task(struct context *context, void *argument, size_t index)
{
    const struct pca *pca = argument;
    double *sum = pca->part + index * pca->width;
    (void)context;
    memset(sum, 0, pca->width * sizeof *sum);
    for (size_t i = index * pca->rows_per_task; i < task_end(pca, index); i++)
        for (size_t j = 0; j < pca->width; j++)
            sum[j] += weight_at(pca->weight, i) * (double)pca->x[i * pca->width + j];
    return DEDPUL_OK;
}

/* A block of rows, and their coordinates in the subspace. */
struct block_of_rows {
    size_t begin, n;
    float *centered; /* (n, width) */
    float *inside;   /* (n, k) */
};

static dedpul_status block_start(struct context *context, const struct pca *pca, size_t index,
                                 struct block_of_rows *block)
{
    block->begin = index * pca->rows_per_task;
    block->n = 0;
    block->centered = context_allocate(context, BLOCK * pca->width, sizeof *block->centered);
    block->inside = context_allocate(context, BLOCK * pca->k, sizeof *block->inside);
    return block->centered != NULL && block->inside != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

/* Goes to the task's next block; false if there is none. */
static bool block_next(const struct pca *pca, size_t end, struct block_of_rows *block)
{
    block->begin += block->n;
    block->n = end - block->begin < BLOCK ? end - block->begin : BLOCK;
    const float *x = pca->x + block->begin * pca->width;
    for (size_t i = 0; i < block->n; i++)
        for (size_t j = 0; j < pca->width; j++)
            block->centered[i * pca->width + j] = (float)((double)x[i * pca->width + j] - pca->mean[j]);
    if (block->n > 0)
        multiply_nt(block->n, pca->k, pca->width, block->centered, pca->basis32, block->inside);
    return block->n > 0;
}

/*
 * A task's part of B C, for the basis B and the covariance C times the total weight. With centered rows X and
 * weights W, C = X^T W X, so B C = (W X B^T)^T X: block_next gives X B^T, which is weighted here.
 */
static dedpul_status multiply_task(struct context *context, void *argument, size_t index)
{
    const struct pca *pca = argument;
    const size_t size = pca->k * pca->width;
    double *part = pca->part + index * size;
    float *sum = context_allocate(context, size, sizeof *sum);
    struct block_of_rows block;
    TRY(block_start(context, pca, index, &block));
    if (sum == NULL)
        return DEDPUL_NO_MEMORY;
    memset(part, 0, size * sizeof *part);
    while (block_next(pca, task_end(pca, index), &block)) {
        for (size_t i = 0; pca->weight != NULL && i < block.n; i++)
            for (size_t c = 0; c < pca->k; c++)
                block.inside[i * pca->k + c] *= (float)pca->weight[block.begin + i];
        /* Products are in float; sums over blocks are in double, so that large tables lose few digits. */
        multiply_tn(pca->k, pca->width, block.n, block.inside, block.centered, sum);
        for (size_t c = 0; c < size; c++)
            part[c] += (double)sum[c];
    }
    return DEDPUL_OK;
}

static dedpul_status project_task(struct context *context, void *argument, size_t index)
{
    const struct pca *pca = argument;
    struct block_of_rows block;
    TRY(block_start(context, pca, index, &block));
    while (block_next(pca, task_end(pca, index), &block))
        memcpy(pca->projected + block.begin * pca->k, block.inside, block.n * pca->k * sizeof *block.inside);
    return DEDPUL_OK;
}

/* Runs a pass and adds up its parts in order, so that the sum does not depend on the number of threads. */
static dedpul_status sum_pass(struct context *context, struct pca *pca, parallel_task *task, size_t size,
                              double *sum)
{
    TRY(parallel_for(context, pca->tasks, task, pca));
    memset(sum, 0, size * sizeof *sum);
    for (size_t t = 0; t < pca->tasks; t++)
        for (size_t c = 0; c < size; c++)
            sum[c] += pca->part[t * size + c];
    for (size_t c = 0; c < size; c++)
        if (!isfinite(sum[c]))
            return error_set(context->error, DEDPUL_INVALID_DATA,
                             "principal components (pca): the features are too large. Scale them");
    return DEDPUL_OK;
}

/* ---- the subspace ---- */

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++)
        sum += a[j] * b[j];
    return sum;
}

/* Gram and Schmidt's method. A vector that depends on those before it becomes 0. */
static void orthonormalise(struct pca *pca)
{
    const size_t width = pca->width;
    for (size_t c = 0; c < pca->k; c++) {
        double *vector = pca->basis + c * width;
        const double before = dot(width, vector, vector);
        /*
         * After one round, rounding leaves nearly dependent vectors far from orthogonal; a second one helps.
         */
        for (int twice = 0; twice < 2; twice++)
            for (size_t d = 0; d < c; d++) {
                const double *other = pca->basis + d * width, along = dot(width, vector, other);
                for (size_t j = 0; j < width; j++)
                    vector[j] -= along * other[j];
            }
        const double after = dot(width, vector, vector);
        /* What is left of a dependent vector is rounding error, which must not be blown up to length 1. */
        const double scale = after > 1e-12 * before ? 1 / sqrt(after) : 0;
        for (size_t j = 0; j < width; j++)
            vector[j] *= scale;
    }
}

static void round_basis(struct pca *pca)
{
    for (size_t c = 0; c < pca->k * pca->width; c++)
        pca->basis32[c] = (float)pca->basis[c];
}

static dedpul_status find_subspace(struct context *context, struct pca *pca)
{
    struct rng rng;
    rng_init(&rng, context->seed, rng_stream(STREAM_PROJECTION, 0));
    /* Normal vectors have uniform directions. The shift keeps the quantile's argument above 0. */
    for (size_t c = 0; c < pca->k * pca->width; c++)
        pca->basis[c] = normal_quantile(rng_uniform(&rng) + 0x1p-54);
    orthonormalise(pca);
    round_basis(pca);
    /* With as many dimensions as columns the subspace is the whole space, and iterations change nothing. */
    for (int i = 0; pca->k < pca->width && i < POWER_ITERATIONS; i++) {
        TRY(sum_pass(context, pca, multiply_task, pca->k * pca->width, pca->basis));
        orthonormalise(pca);
        round_basis(pca);
    }
    return DEDPUL_OK;
}

/* Turns a column of Ritz coefficients into a component's loadings, the largest of which is positive. */
static void fill_component(const struct pca *pca, const double *ritz, size_t column, float *component)
{
    double largest = 0;
    for (size_t j = 0; j < pca->width; j++) {
        double loading = 0;
        for (size_t c = 0; c < pca->k; c++)
            loading += ritz[c * pca->k + column] * pca->basis[c * pca->width + j];
        component[j] = (float)loading;
        if (fabs(loading) > fabs(largest))
            largest = loading;
    }
    for (size_t j = 0; largest < 0 && j < pca->width; j++)
        component[j] = -component[j];
}

/*
 * Finds the eigenvectors of the covariance within the subspace (Rayleigh and Ritz): those of the small matrix
 * B C B^T give the coefficients of the components in the basis B. The components replace basis32.
 */
static dedpul_status find_components(struct context *context, struct pca *pca)
{
    const size_t k = pca->k, width = pca->width;
    double *product = context_allocate(context, k * width, sizeof *product);
    double *inside = context_allocate(context, k * k, sizeof *inside);
    double *ritz = context_allocate(context, k * k, sizeof *ritz);
    double *key = context_allocate(context, k, sizeof *key);
    uint32_t *order = context_allocate(context, k, sizeof *order);
    if (product == NULL || inside == NULL || ritz == NULL || key == NULL || order == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(sum_pass(context, pca, multiply_task, k * width, product));
    for (size_t c = 0; c < k; c++)
        for (size_t d = 0; d <= c; d++)
            inside[c * k + d] = inside[d * k + c] = dot(width, product + c * width, pca->basis + d * width);
    eigen_symmetric(k, inside, ritz);
    for (size_t c = 0; c < k; c++) {
        key[c] = -inside[c * k + c]; /* the largest variance comes first */
        order[c] = (uint32_t)c;
    }
    TRY(sort_numbers(context, k, key, order));
    for (size_t c = 0; c < pca->wanted; c++)
        fill_component(pca, ritz, order[c], pca->basis32 + c * width);
    pca->k = pca->wanted;
    return DEDPUL_OK;
}

dedpul_status principal_components(struct context *context, size_t n, size_t width, const float *x,
                                   const double *weight, size_t wanted, float *projected)
{
    struct block *mark = context_mark(context);
    struct pca pca = {
        .n = n, .width = width, .wanted = wanted, .x = x, .weight = weight, .projected = projected};
    TRY(pca_init(context, &pca));
    TRY(sum_pass(context, &pca, mean_task, width, pca.mean));
    const double total = weighted_total(n, weight);
    for (size_t j = 0; j < width; j++)
        pca.mean[j] /= total;
    TRY(find_subspace(context, &pca));
    TRY(find_components(context, &pca));
    TRY(parallel_for(context, pca.tasks, project_task, &pca));
    context_release(context, mark);
    return DEDPUL_OK;
}
