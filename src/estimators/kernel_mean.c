#include "kernel_mean.h"

#include "distances.h"
#include "estimator.h"
#include "parallel.h"
#include "rng.h"
#include "simplex_qp.h"
#include "weighted.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 4000, MOST_POSITIVE = 1000, N_WIDTHS = 5 };

/* Widths, in median distances. */
static const double widths[N_WIDTHS] = {0.1, 0.31622776601683794, 1, 3.1622776601683795, 10};

/*
 * The relative error of the squared distance to the hull. The slopes need the distance itself to some 1e-4.
 */
static const double tolerance = 1e-10;

/* The rows that take part, and their mean embeddings with a kernel. */
struct cloud {
    size_t n;
    double *weight;          /* (n) */
    double *p, *u;           /* (n) each row's share of the labeled and of the unlabeled weight */
    double total_p, total_u; /* labeled and unlabeled weight */
    double *k;               /* (n, n) squared distances, then the kernel */
    double *k_p, *k_u;       /* (n) products with the kernel */
    double *target;          /* (n) */
    double p_k_p, p_k_u, u_k_u;
    struct simplex_qp qp;
    struct kernel_mean *found;
};

/* ---- rows ---- */

/*
 * Chooses at most 4000 rows at random, and keeps their order. All labeled rows are taken if there are at most
 * 1000 of them or if the unlabeled ones leave room; the rest are unlabeled rows.
 */
static size_t choose_rows(const struct context *context, const struct feature_rows *rows, uint32_t *chosen)
{
    size_t left[2] = {0, 0}, wanted[2], n = 0;
    struct rng rng[2];
    for (size_t i = 0; i < rows->n; i++)
        left[rows->label[i]] += weight_at(rows->weight, i) > 0;
    const size_t room = left[0] < MOST_ROWS - MOST_POSITIVE ? MOST_ROWS - left[0] : MOST_POSITIVE;
    wanted[1] = left[1] < room ? left[1] : room;
    wanted[0] = left[0] < MOST_ROWS - wanted[1] ? left[0] : MOST_ROWS - wanted[1];
    for (size_t label = 0; label < 2; label++)
        rng_init(&rng[label], context->seed, rng_stream(STREAM_KERNEL_ROWS, label));
    for (size_t i = 0; i < rows->n; i++) {
        const unsigned char label = rows->label[i];
        if (!(weight_at(rows->weight, i) > 0))
            continue;
        /* Taking each row with probability wanted / left gives every choice of that size the same chance. */
        if (rng_uniform(&rng[label]) * (double)left[label]-- < (double)wanted[label]) {
            wanted[label]--;
            chosen[n++] = (uint32_t)i;
        }
    }
    return n;
}

static dedpul_status allocate(struct context *context, struct cloud *cloud)
{
    const size_t n = cloud->n;
    double **const arrays[] = {&cloud->weight, &cloud->p,   &cloud->u,
                               &cloud->k_p,    &cloud->k_u, &cloud->target};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++)
        if ((*arrays[a] = context_allocate(context, n, sizeof **arrays[a])) == NULL)
            return DEDPUL_NO_MEMORY;
    cloud->k = context_allocate(context, n * n, sizeof *cloud->k);
    return cloud->k != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

static dedpul_status take_rows(struct context *context, const struct feature_rows *rows, struct cloud *cloud)
{
    uint32_t *chosen = context_allocate(context, MOST_ROWS, sizeof *chosen);
    if (chosen == NULL)
        return DEDPUL_NO_MEMORY;
    cloud->n = choose_rows(context, rows, chosen);
    cloud->total_p = cloud->total_u = 0;
    TRY(allocate(context, cloud));
    struct block *mark = context_mark(context);
    float *x = context_allocate(context, cloud->n, rows->width * sizeof *x);
    if (x == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < cloud->n; i++) {
        memcpy(x + i * rows->width, rows->x + chosen[i] * rows->width, rows->width * sizeof *x);
        cloud->weight[i] = weight_at(rows->weight, chosen[i]);
        *(rows->label[chosen[i]] == 1 ? &cloud->total_p : &cloud->total_u) += cloud->weight[i];
    }
    for (size_t i = 0; i < cloud->n; i++) {
        const bool labeled = rows->label[chosen[i]] == 1;
        cloud->p[i] = labeled ? cloud->weight[i] / cloud->total_p : 0;
        cloud->u[i] = labeled ? 0 : cloud->weight[i] / cloud->total_u;
    }
    TRY(squared_distances(context, cloud->n, rows->width, x, cloud->k));
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- the kernel ---- */

struct kernel_job {
    struct cloud *cloud;
    double factor[N_WIDTHS]; /* of squared distances, in the exponent */
    double chosen;
    double *part; /* (n, N_WIDTHS) */
};

/* One row's part of the squared distance of the mean embeddings, c^T K c with c = u - p, for each width. */
static dedpul_status difference_task(struct context *context, void *argument, size_t i)
{
    const struct kernel_job *job = argument;
    const struct cloud *cloud = job->cloud;
    const double c_i = cloud->u[i] - cloud->p[i];
    (void)context;
    for (int w = 0; w < N_WIDTHS; w++) {
        double sum = c_i / 2;
        for (size_t j = 0; j < i; j++)
            sum += (cloud->u[j] - cloud->p[j]) * exp(job->factor[w] * cloud->k[i * cloud->n + j]);
        job->part[i * N_WIDTHS + (size_t)w] = 2 * c_i * sum;
    }
    return DEDPUL_OK;
}

/* One row of the kernel, and its products with the two means. */
static dedpul_status kernel_task(struct context *context, void *argument, size_t i)
{
    const struct kernel_job *job = argument;
    const struct cloud *cloud = job->cloud;
    double *row = cloud->k + i * cloud->n, with_p = 0, with_u = 0;
    (void)context;
    for (size_t j = 0; j < cloud->n; j++) {
        row[j] = exp(job->chosen * row[j]);
        with_p += cloud->p[j] * row[j];
        with_u += cloud->u[j] * row[j];
    }
    cloud->k_p[i] = with_p;
    cloud->k_u[i] = with_u;
    return DEDPUL_OK;
}

/* The width for which the mean embeddings are farthest from each other. */
static dedpul_status choose_width(struct context *context, struct kernel_job *job, double median)
{
    struct cloud *cloud = job->cloud;
    double largest = -INFINITY;
    for (int w = 0; w < N_WIDTHS; w++)
        job->factor[w] = -1 / (2 * widths[w] * median * widths[w] * median);
    TRY(parallel_for(context, cloud->n, difference_task, job));
    for (int w = 0; w < N_WIDTHS; w++) {
        double sum = 0;
        for (size_t i = 0; i < cloud->n; i++)
            sum += job->part[i * N_WIDTHS + (size_t)w];
        if (sum > largest) {
            largest = sum;
            job->chosen = job->factor[w];
            cloud->found->width = widths[w] * median;
        }
    }
    return DEDPUL_OK;
}

static dedpul_status make_kernel(struct context *context, struct cloud *cloud)
{
    struct block *mark = context_mark(context);
    struct kernel_job job = {.cloud = cloud};
    double median;
    job.part = context_allocate(context, cloud->n, N_WIDTHS * sizeof *job.part);
    if (job.part == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(median_distance(context, cloud->n, cloud->k, cloud->weight, &median));
    if (!(median > 0))
        return error_set(
            context->error, DEDPUL_INVALID_DATA,
            "the features of all %zu rows are equal: kernel embeddings (km1, km2) cannot tell rows "
            "apart. Add columns, or use another method",
            cloud->n);
    TRY(choose_width(context, &job, median));
    TRY(parallel_for(context, cloud->n, kernel_task, &job));
    cloud->p_k_p = cloud->p_k_u = cloud->u_k_u = 0;
    for (size_t i = 0; i < cloud->n; i++) {
        cloud->p_k_p += cloud->p[i] * cloud->k_p[i];
        cloud->p_k_u += cloud->p[i] * cloud->k_u[i];
        cloud->u_k_u += cloud->u[i] * cloud->k_u[i];
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- distances to the hull ---- */

/* d(lambda): distance of the mean embedding lambda U + (1 - lambda) P from the convex hull of all rows. */
static dedpul_status distance(struct context *context, struct cloud *cloud, double lambda, double *d)
{
    const double mu = 1 - lambda;
    struct simplex_minimum minimum;
    *d = 0;
    if (lambda <= 1) /* it is itself a mean of rows, so it lies in the hull */
        return DEDPUL_OK;
    for (size_t i = 0; i < cloud->n; i++)
        cloud->target[i] = lambda * cloud->k_u[i] + mu * cloud->k_p[i];
    TRY(simplex_qp_solve(context, &cloud->qp, cloud->target, tolerance, &minimum));
    cloud->found->gap = fmax(cloud->found->gap, minimum.gap / minimum.square);
    const double square = minimum.value + lambda * lambda * cloud->u_k_u + 2 * lambda * mu * cloud->p_k_u +
                          mu * mu * cloud->p_k_p;
    if (square > minimum.gap) /* otherwise it cannot be told from 0 */
        *d = sqrt(square);
    return DEDPUL_OK;
}

static dedpul_status slope(struct context *context, struct cloud *cloud, double lambda, double step,
                           double *found)
{
    double here, beyond;
    TRY(distance(context, cloud, lambda, &here));
    TRY(distance(context, cloud, lambda + step, &beyond));
    *found = (beyond - here) / step;
    return DEDPUL_OK;
}

static dedpul_status find_threshold(struct context *context, struct cloud *cloud,
                                    enum kernel_mean_threshold kind, double *threshold)
{
    if (kind == KERNEL_MEAN_2) {
        *threshold = 1 / sqrt(fmin(cloud->total_p, cloud->total_u));
        return DEDPUL_OK;
    }
    /* For large lambda, the slope of d approaches the distance between the two means. */
    const double last = sqrt(fmax(0, cloud->u_k_u - 2 * cloud->p_k_u + cloud->p_k_p));
    double first;
    TRY(slope(context, cloud, 1, 0.05, &first));
    *threshold = 0.8 * first + 0.2 * last;
    return DEDPUL_OK;
}

dedpul_status kernel_mean(struct context *context, const struct feature_rows *rows,
                          enum kernel_mean_threshold kind, struct kernel_mean *found)
{
    struct block *mark = context_mark(context);
    struct cloud cloud = {.found = found};
    double threshold, left = 0.5, right = 10;
    *found = (struct kernel_mean){0};
    TRY(take_rows(context, rows, &cloud));
    TRY(make_kernel(context, &cloud));
    TRY(simplex_qp_init(context, cloud.n, cloud.k, &cloud.qp));
    TRY(find_threshold(context, &cloud, kind, &threshold));
    while (right - left >= 0.04) {
        const double lambda = (left + right) / 2;
        double steep;
        TRY(slope(context, &cloud, lambda, 0.02, &steep));
        *(steep > threshold ? &right : &left) = lambda;
    }
    const double lambda = (left + right) / 2;
    found->alpha = fmax(0, (lambda - 1) / lambda);
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- estimators ---- */

static dedpul_status find_alpha(struct context *context, const struct problem *problem,
                                enum kernel_mean_threshold kind, struct proportion *proportion)
{
    struct kernel_mean found;
    TRY(kernel_mean(context, problem->features, kind, &found));
    proportion->alpha = found.alpha;
    proportion->rule = RULE_FORMULA;
    return DEDPUL_OK;
}

static dedpul_status alpha_km1(struct context *context, const struct problem *problem,
                               const struct mixture *mixture, struct proportion *proportion)
{
    (void)mixture;
    return find_alpha(context, problem, KERNEL_MEAN_1, proportion);
}

static dedpul_status alpha_km2(struct context *context, const struct problem *problem,
                               const struct mixture *mixture, struct proportion *proportion)
{
    (void)mixture;
    return find_alpha(context, problem, KERNEL_MEAN_2, proportion);
}

const struct estimator estimator_km1 = {
    .name = "km1",
    .summary = "kernel means of the features; posteriors from DEDPUL's ratio",
    .needs_features = true,
    .posterior = SCALE_MEETS_ALPHA,
    .ratio = density_ratio,
    .alpha = alpha_km1,
};

const struct estimator estimator_km2 = {
    .name = "km2",
    .summary = "the same, with a threshold by the number of rows",
    .needs_features = true,
    .posterior = SCALE_MEETS_ALPHA,
    .ratio = density_ratio,
    .alpha = alpha_km2,
};
