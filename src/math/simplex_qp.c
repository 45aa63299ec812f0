/*
 * A fully corrective active set method (Wolfe, "Finding the nearest point in a polytope", 1976, but with many
 * vertices per round). In each round the most violating vertices enter the support, Newton steps are taken on
 * the support, and vertices leave when their weights reach 0.
 */
#include "simplex_qp.h"

#include "parallel.h"
#include "vectorized.h"

#include <math.h>
#include <stdbool.h>

enum {
    MOST_ENTERING = 64,
    MANY_LEAVING = 32, /* if more than one vertex in this many leaves, a new factor is cheaper than changes */
    MOST_ROUNDS = 10000,
    COLUMNS_PER_TASK = 512
};

/*
 * The ridge that is added to the diagonal, relative to its largest entry, because equal rows make K singular.
 * Steps start from the true gradient, so that the ridge shortens them but does not move the minimum (it is a
 * proximal term).
 */
static const double relative_ridge = 1e-10;

dedpul_status simplex_qp_init(struct context *context, size_t n, const double *k, struct simplex_qp *qp)
{
    double largest = 0;
    *qp = (struct simplex_qp){.n = n, .k = k};
    qp->weight = context_allocate(context, n, sizeof *qp->weight);
    qp->gradient = context_allocate(context, n, sizeof *qp->gradient);
    qp->support = context_allocate(context, n, sizeof *qp->support);
    qp->step = context_allocate(context, n, sizeof *qp->step);
    qp->next = context_allocate(context, n, sizeof *qp->next);
    qp->change = context_allocate(context, n, sizeof *qp->change);
    if (qp->weight == NULL || qp->gradient == NULL || qp->support == NULL || qp->step == NULL ||
        qp->next == NULL || qp->change == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        qp->weight[i] = 0;
        largest = fmax(largest, k[i * n + i]);
    }
    qp->shift = largest;
    qp->ridge = relative_ridge * largest;
    return cholesky_init(context, n, &qp->factor);
}

/* ---- the gradient ---- */

/* sum = sum of weighted rows of K - b, in some columns */
VECTORIZED static void add_rows(const struct simplex_qp *qp, const double *b, size_t begin, size_t end)
{
    double *sum = qp->gradient;
    for (size_t i = begin; i < end; i++)
        sum[i] = -b[i];
    for (size_t j = 0; j < qp->factor.n; j++) {
        const double weight = qp->weight[qp->support[j]], *row = qp->k + qp->support[j] * qp->n;
        for (size_t i = begin; i < end; i++)
            sum[i] += weight * row[i];
    }
}

struct gradient_job {
    const struct simplex_qp *qp;
    const double *b;
};

static dedpul_status gradient_task(struct context *context, void *argument, size_t index)
{
    const struct gradient_job *job = argument;
    const size_t begin = index * COLUMNS_PER_TASK, end = begin + COLUMNS_PER_TASK;
    (void)context;
    add_rows(job->qp, job->b, begin, end < job->qp->n ? end : job->qp->n);
    return DEDPUL_OK;
}

static dedpul_status find_gradient(struct context *context, struct simplex_qp *qp, const double *b)
{
    struct gradient_job job = {qp, b};
    return parallel_for(context, (qp->n + COLUMNS_PER_TASK - 1) / COLUMNS_PER_TASK, gradient_task, &job);
}

/* The gap is the linear bound by the gradient: f(w) - f(v) <= 2 (w - v)^T (K w - b), at the best vertex v. */
static struct simplex_minimum judge(const struct simplex_qp *qp, const double *b)
{
    double least = INFINITY, along = 0, target = 0;
    for (size_t i = 0; i < qp->n; i++) {
        least = fmin(least, qp->gradient[i]);
        along += qp->weight[i] * qp->gradient[i];
        target += qp->weight[i] * b[i];
    }
    /* With w^T (K w - b) = along and w^T b = target: w^T K w = along + target. */
    return (struct simplex_minimum){along - target, along + target, 2 * (along - least)};
}

/* ---- the support ---- */

/* Chooses up to `most` vertices outside the support with gradients below `level`, the lowest in order. */
static size_t choose(const struct simplex_qp *qp, double level, size_t most, uint32_t *chosen)
{
    const double *gradient = qp->gradient;
    size_t count = 0;
    for (size_t i = 0; i < qp->n; i++) {
        if (qp->weight[i] > 0 || gradient[i] >= level ||
            (count == most && (most == 0 || gradient[i] >= gradient[chosen[most - 1]])))
            continue;
        /* Insert into the sorted list; if the list is full, its last vertex drops out. */
        size_t at = count < most ? count++ : most - 1;
        for (; at > 0 && gradient[chosen[at - 1]] > gradient[i]; at--)
            chosen[at] = chosen[at - 1];
        chosen[at] = (uint32_t)i;
    }
    return count;
}

static void enter(struct simplex_qp *qp, size_t count, const uint32_t *vertex)
{
    const size_t old = qp->factor.n;
    for (size_t a = old; a < old + count; a++) {
        double *row = cholesky_row(&qp->factor, a);
        qp->support[a] = vertex[a - old];
        for (size_t c = 0; c <= a; c++)
            row[c] = qp->k[qp->support[a] * qp->n + qp->support[c]] + qp->shift;
        row[a] += qp->ridge;
    }
    cholesky_append(&qp->factor, count, qp->ridge);
}

/* Removes the vertices of weight 0 from the support. If they are many, the rest is factored again. */
static void leave(struct simplex_qp *qp)
{
    const size_t old = qp->factor.n;
    size_t leaving = 0, first = old, kept = 0;
    for (size_t a = old; a-- > 0;)
        if (qp->weight[qp->support[a]] <= 0) {
            first = a;
            leaving++;
        }
    /* From the last to the first, so that the places of those still to be removed do not move. */
    if (leaving * MANY_LEAVING < old)
        for (size_t a = old; a-- > first;)
            if (qp->weight[qp->support[a]] <= 0)
                cholesky_remove(&qp->factor, a);
    for (size_t a = 0; a < old; a++)
        if (qp->weight[qp->support[a]] > 0)
            qp->support[kept++] = qp->support[a];
    /* Nothing was removed from the factor: its rows before the first leaving vertex still hold. */
    if (qp->factor.n == old) {
        qp->factor.n = first;
        enter(qp, kept - first, qp->support + first);
    }
}

/*
 * Newton's step on the support. Its sum is 0, so that weights still add up to 1: of the s with K s =
 * -gradient we take off the multiple of K^-1 1 that has the same sum (the multiplier of the constraint).
 */
static void find_step(struct simplex_qp *qp)
{
    const size_t n = qp->factor.n;
    double *step = qp->step, *ones = qp->next, sum = 0, sum_ones = 0;
    for (size_t a = 0; a < n; a++) {
        step[a] = -qp->gradient[qp->support[a]];
        ones[a] = 1;
    }
    cholesky_solve(&qp->factor, step);
    cholesky_solve(&qp->factor, ones);
    for (size_t a = 0; a < n; a++) {
        sum += step[a];
        sum_ones += ones[a];
    }
    for (size_t a = 0; a < n; a++)
        step[a] -= sum / sum_ones * ones[a];
}

/* The next weights after a part of the step: 0 if it leads below 0; the others are scaled to the sum 1. */
static void clip_step(struct simplex_qp *qp, double length)
{
    double sum = 0;
    for (size_t a = 0; a < qp->factor.n; a++) {
        qp->next[a] = fmax(0, qp->weight[qp->support[a]] + length * qp->step[a]);
        sum += qp->next[a];
    }
    for (size_t a = 0; a < qp->factor.n; a++)
        qp->next[a] /= sum;
}

/* The next weights after as much of the step as it takes until the first weight reaches 0. */
static void cut_step(struct simplex_qp *qp)
{
    double length = 1;
    for (size_t a = 0; a < qp->factor.n; a++)
        if (qp->step[a] < 0)
            length = fmin(length, qp->weight[qp->support[a]] / -qp->step[a]);
    for (size_t a = 0; a < qp->factor.n; a++) {
        const double weight = qp->weight[qp->support[a]], step = qp->step[a];
        qp->next[a] = step < 0 && weight / -step <= length ? 0 : weight + length * step;
    }
}

/*
 * Fills `change` with how the gradient changes from the present to the next weights, and returns how the
 * value changes. The factor holds K plus shift plus ridge; a move sums to 0, so that the shift has no effect,
 * and the ridge's part is taken off. For a move m, the value changes by 2 m^T (K w - b) + m^T K m.
 */
static double find_change(struct simplex_qp *qp)
{
    const size_t n = qp->factor.n;
    double value = 0;
    for (size_t a = 0; a < n; a++)
        qp->change[a] = qp->next[a] - qp->weight[qp->support[a]];
    cholesky_multiply(&qp->factor, qp->change);
    for (size_t a = 0; a < n; a++) {
        const double move = qp->next[a] - qp->weight[qp->support[a]];
        qp->change[a] -= qp->ridge * move;
        value += (2 * qp->gradient[qp->support[a]] + qp->change[a]) * move;
    }
    return value;
}

/* Tries clipped steps: they remove many vertices at once, but may lead upwards. */
static bool try_clipped(struct simplex_qp *qp)
{
    for (double length = 1; length > 0.01; length /= 4) {
        clip_step(qp, length);
        if (find_change(qp) < 0)
            return true;
    }
    return false;
}

/* Takes steps until none makes a vertex leave. */
static void descend(struct simplex_qp *qp)
{
    for (size_t before = SIZE_MAX; qp->factor.n < before;) {
        before = qp->factor.n;
        find_step(qp);
        /* A cut step stays inside the simplex and never leads upwards, but may remove only one vertex. */
        if (!try_clipped(qp)) {
            cut_step(qp);
            (void)find_change(qp);
        }
        for (size_t a = 0; a < before; a++) {
            qp->weight[qp->support[a]] = qp->next[a];
            qp->gradient[qp->support[a]] += qp->change[a];
        }
        leave(qp);
    }
}

/* Makes the weights add up to 1 again: rounding lets their sum drift. */
static void normalise(struct simplex_qp *qp)
{
    double sum = 0;
    for (size_t a = 0; a < qp->factor.n; a++)
        sum += qp->weight[qp->support[a]];
    for (size_t a = 0; a < qp->factor.n; a++)
        qp->weight[qp->support[a]] /= sum;
}

/*
 * How many vertices to let in next: twice as many as stayed of the last ones. If none stayed, half as many,
 * because each may have been in the way of another.
 */
static size_t next_count(const struct simplex_qp *qp, size_t count, const uint32_t *vertex)
{
    size_t stayed = 0;
    for (size_t c = 0; c < count; c++)
        stayed += qp->weight[vertex[c]] > 0;
    const size_t next = stayed > 0 ? 2 * stayed : (count + 1) / 2;
    return count == 0 || next > MOST_ENTERING ? MOST_ENTERING : next;
}

dedpul_status simplex_qp_solve(struct context *context, struct simplex_qp *qp, const double *b,
                               double tolerance, struct simplex_minimum *minimum)
{
    uint32_t entering[MOST_ENTERING];
    size_t most = 0; /* none enter in the first round, which finds the minimum on the last answer's support */
    if (qp->factor.n == 0) {
        qp->weight[0] = 1;
        enter(qp, 1, (const uint32_t[]){0});
    }
    for (int round = 0; round < MOST_ROUNDS; round++) {
        TRY(find_gradient(context, qp, b));
        *minimum = judge(qp, b);
        if (minimum->gap <= tolerance * minimum->square)
            return DEDPUL_OK;
        /*
         * w^T (K w - b), the mean gradient. Moving weight to a vertex lowers the value if it is below this.
         */
        const double level = (minimum->value + minimum->square) / 2;
        const size_t count = choose(qp, level, most, entering);
        enter(qp, count, entering);
        descend(qp);
        normalise(qp);
        most = next_count(qp, count, entering);
    }
    return error_set(
        context->error, DEDPUL_INVALID_DATA,
        "the nearest point of the kernel's convex hull was not found: after %d rounds the gap is "
        "%.3g of the square, above %.3g. Rescale the features",
        MOST_ROUNDS, minimum->gap / minimum->square, tolerance);
}
