/*
 * The fast Gauss transform in one dimension (Greengard and Strain, 1991). Lengths are in bandwidths.
 *
 * Sources and targets fall into boxes of width 1/2; only boxes that hold any are stored. For a source
 * at s = a + t and a target at b + v, a and b the centres of their boxes and d = b - a,
 *
 *   exp(-(d + v - t)^2 / 2) = sum_k (-v)^k / k!  sum_j h_{j+k}(d)  t^j / j!,
 *
 * where h_n(d) = exp(-d^2/2) He_n(d) are Hermite functions. So all that matters of a box of sources is its
 * moments sum_s weight t^j / j!, and at a box of targets all source boxes within reach add up to one
 * polynomial in v. With |t|, |v| <= 1/4 and 22 terms each, the relative error of a kernel value is below
 * 1e-12 up to the farthest corner, d = 9.
 */
#include "gauss_transform.h"

#include "parallel.h"
#include "weighted.h"

#include <math.h>
#include <string.h>

enum {
    TERMS = 22,
    REACH = 18,         /* boxes on either side: 9 bandwidths */
    FEW_PAIRS = 16,     /* up to this many pairs of points, direct summation is cheaper than the series */
    LANES = 8,          /* points processed side by side, so that the compiler can use vectors */
    BOXES_PER_TASK = 16 /* enough work for a task: boxes hold many points, or there are many boxes */
};

static const double box_width = 0.5;

struct box {
    double index;      /* floor(position / box_width) */
    size_t begin, end; /* its points */
};

struct transform {
    double factor;
    double origin, scale; /* position = (point - origin) * scale, scale = 1 / bandwidth */
    const double *source, *weight, *target;
    double *out;
    size_t n_source_boxes, n_target_boxes;
    struct box *source_box, *target_box;
    double (*moment)[TERMS];              /* (n_source_boxes) */
    double hermite[REACH + 1][2 * TERMS]; /* h_n at d = 0, 1/2, ..., 9 */
};

/* By the recurrence He_{n+1}(d) = d He_n(d) - n He_{n-1}(d). */
static void fill_hermite(double hermite[REACH + 1][2 * TERMS])
{
    for (int i = 0; i <= REACH; i++) {
        const double d = i * box_width;
        double *h = hermite[i];
        h[0] = exp(-d * d / 2);
        h[1] = d * h[0];
        for (int n = 1; n + 1 < 2 * TERMS; n++)
            h[n + 1] = d * h[n] - n * h[n - 1];
    }
}

static double position_of(const struct transform *transform, double point)
{
    return (point - transform->origin) * transform->scale;
}

/* Makes the box of the point at `begin`, with all points after it that fall into the same box. */
static struct box next_box(const struct transform *transform, size_t n, const double *point, size_t begin)
{
    struct box box = {floor(position_of(transform, point[begin]) / box_width), begin, begin + 1};
    while (box.end < n && position_of(transform, point[box.end]) / box_width < box.index + 1)
        box.end++;
    return box;
}

static dedpul_status make_boxes(struct context *context, const struct transform *transform, size_t n,
                                const double *point, struct box **boxes, size_t *n_boxes)
{
    const double range = position_of(transform, point[n - 1]) - position_of(transform, point[0]);
    const double most = range / box_width + 2; /* boxes in the range; there is also at most one per point */
    struct box *box = context_allocate(context, most < (double)n ? (size_t)most : n, sizeof *box);
    if (box == NULL)
        return DEDPUL_NO_MEMORY;
    *n_boxes = 0;
    for (size_t i = 0; i < n; i = box[*n_boxes - 1].end)
        box[(*n_boxes)++] = next_box(transform, n, point, i);
    *boxes = box;
    return DEDPUL_OK;
}

static double box_centre(const struct box *box)
{
    return (box->index + 0.5) * box_width;
}

/* moment_j = sum over the box's sources of weight t^j / j!. */
static dedpul_status sum_moments(struct context *context, void *argument, size_t task)
{
    const struct transform *transform = argument;
    const size_t first = task * BOXES_PER_TASK;
    (void)context;
    for (size_t b = first; b < first + BOXES_PER_TASK && b < transform->n_source_boxes; b++) {
        const struct box *box = &transform->source_box[b];
        const double centre = box_centre(box);
        double sum[TERMS][LANES] = {{0}};
        for (size_t begin = box->begin; begin < box->end; begin += LANES) {
            double t[LANES] = {0}, power[LANES] = {0};
            for (size_t lane = 0; lane < LANES && begin + lane < box->end; lane++) {
                t[lane] = position_of(transform, transform->source[begin + lane]) - centre;
                power[lane] = weight_at(transform->weight, begin + lane);
            }
            /* power starts as the weight and becomes weight t^j; lanes without a point have weight 0. */
            for (int j = 0; j < TERMS; j++)
                for (int lane = 0; lane < LANES; lane++) {
                    sum[j][lane] += power[lane];
                    power[lane] *= t[lane];
                }
        }
        double factorial = 1;
        for (int j = 0; j < TERMS; j++) {
            double total = 0;
            for (int lane = 0; lane < LANES; lane++)
                total += sum[j][lane];
            transform->moment[b][j] = total / factorial;
            factorial *= j + 1;
        }
    }
    return DEDPUL_OK;
}

/* Adds one source box to the targets' series: the inner sum over j above, for each k. */
static void add_box(const double *hermite, int side, const double *moment, double series[TERMS])
{
    /*
     * The table has h_n for d >= 0 only. For a source box on the right, h_{j+k}(-d) = (-1)^j (-1)^k
     * h_{j+k}(d): the first sign goes to the moments, the second to the sums.
     */
    double signed_moment[TERMS];
    for (int j = 0; j < TERMS; j++)
        signed_moment[j] = side < 0 && j % 2 != 0 ? -moment[j] : moment[j];
    for (int k = 0; k < TERMS; k++) {
        double inner = 0;
        for (int j = 0; j < TERMS; j++)
            inner += hermite[j + k] * signed_moment[j];
        series[k] += side < 0 && k % 2 != 0 ? -inner : inner;
    }
}

static void add_pairs(const struct transform *transform, const struct box *from, const struct box *to)
{
    for (size_t i = to->begin; i < to->end; i++)
        for (size_t j = from->begin; j < from->end; j++) {
            const double distance = (transform->target[i] - transform->source[j]) * transform->scale;
            transform->out[i] +=
                transform->factor * weight_at(transform->weight, j) * exp(-distance * distance / 2);
        }
}

/* Adds the polynomial sum_k series_k (-v)^k / k! at the box's targets. */
static void add_series(const struct transform *transform, const struct box *box, const double series[TERMS])
{
    const double centre = box_centre(box);
    double coefficient[TERMS];
    double factorial = 1;
    for (int k = 0; k < TERMS; k++) {
        coefficient[k] = transform->factor * series[k] / factorial;
        factorial *= -(k + 1); /* the sign of (-v)^k goes into the coefficient */
    }
    for (size_t begin = box->begin; begin < box->end; begin += LANES) {
        const size_t count = box->end - begin < LANES ? box->end - begin : LANES;
        double v[LANES] = {0}, value[LANES] = {0};
        for (size_t lane = 0; lane < count; lane++)
            v[lane] = position_of(transform, transform->target[begin + lane]) - centre;
        /* Horner's scheme. A sum next to 0 may come out negative by the truncation of the series. */
        for (int k = TERMS - 1; k >= 0; k--)
            for (int lane = 0; lane < LANES; lane++)
                value[lane] = value[lane] * v[lane] + coefficient[k];
        for (size_t lane = 0; lane < count; lane++)
            transform->out[begin + lane] += fmax(value[lane], 0);
    }
}

/* Returns the first source box at or right of an index. */
static size_t first_source_box(const struct transform *transform, double index)
{
    size_t low = 0, high = transform->n_source_boxes;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (transform->source_box[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static dedpul_status evaluate_boxes(struct context *context, void *argument, size_t task)
{
    const struct transform *transform = argument;
    const size_t first = task * BOXES_PER_TASK;
    (void)context;
    for (size_t b = first; b < first + BOXES_PER_TASK && b < transform->n_target_boxes; b++) {
        const struct box *to = &transform->target_box[b];
        double series[TERMS] = {0};
        memset(transform->out + to->begin, 0, (to->end - to->begin) * sizeof *transform->out);
        for (size_t s = first_source_box(transform, to->index - REACH);
             s < transform->n_source_boxes && transform->source_box[s].index <= to->index + REACH; s++) {
            const struct box *from = &transform->source_box[s];
            if ((from->end - from->begin) * (to->end - to->begin) <= FEW_PAIRS) {
                add_pairs(transform, from, to);
                continue;
            }
            const int distance = (int)(to->index - from->index);
            add_box(transform->hermite[distance < 0 ? -distance : distance], distance, transform->moment[s],
                    series);
        }
        add_series(transform, to, series);
    }
    return DEDPUL_OK;
}

static size_t tasks_for(size_t n_boxes)
{
    return (n_boxes + BOXES_PER_TASK - 1) / BOXES_PER_TASK;
}

dedpul_status gauss_transform(struct context *context, size_t n_source, const double *source,
                              const double *weight, double bandwidth, double factor, size_t n_target,
                              const double *target, double *out)
{
    struct block *mark = context_mark(context);
    struct transform transform = {
        .factor = factor,
        .origin = source[0],
        .scale = 1 / bandwidth,
        .source = source,
        .weight = weight,
        .target = target,
        .out = out,
    };
    fill_hermite(transform.hermite);
    TRY(make_boxes(context, &transform, n_source, source, &transform.source_box, &transform.n_source_boxes));
    TRY(make_boxes(context, &transform, n_target, target, &transform.target_box, &transform.n_target_boxes));
    transform.moment = context_allocate(context, transform.n_source_boxes, sizeof *transform.moment);
    if (transform.moment == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(parallel_for(context, tasks_for(transform.n_source_boxes), sum_moments, &transform));
    TRY(parallel_for(context, tasks_for(transform.n_target_boxes), evaluate_boxes, &transform));
    context_release(context, mark);
    return DEDPUL_OK;
}
