#include "tail_curve.h"

#include "weighted.h"

#include <math.h>

enum { LOW_POINTS = 40, HIGH_POINTS = TAIL_POINTS - LOW_POINTS };

void tail_shares(double share[TAIL_POINTS])
{
    for (size_t j = 0; j < LOW_POINTS; j++)
        share[j] = pow(10, -3.3 + 3.0 * (double)j / (LOW_POINTS - 1));
    for (size_t j = 0; j < HIGH_POINTS; j++)
        share[LOW_POINTS + j] = 1 - pow(10, -0.35 - 2.15 * (double)j / (HIGH_POINTS - 1));
}

/*
 * Weights that are whole numbers are counts of rows. Others tell how much a row stands for, and then the
 * sample is worth (sum of w)^2 / (sum of w^2) rows, where w are the weights of the rows before they were
 * binned. Rows of groups that are alike are worth fewer, too.
 */
static double effective_size(const struct sample *sample)
{
    double squares = sample->squares;
    for (size_t i = 0; sample->squares <= 0 && i < sample->n && sample->weight != NULL; i++)
        squares += sample->weight[i] * sample->weight[i];
    const double size = sample_has_counts(sample) ? sample->total : sample->total * sample->total / squares;
    return size / (1 + sample->excess);
}

/* ---- the curve ---- */

/* A point of the polyline through the rows of P: weight of P and of U above it, and the logit there. */
struct knot {
    double p, u, logit;
};

/* The polyline as it grows, and the points of the grid that it has passed. */
struct tracing {
    const double *share; /* (TAIL_POINTS) */
    double total_p, total_u;
    struct knot last;
    size_t passed;
    struct tail_curve *curve;
};

static void trace_to(struct tracing *tracing, struct knot next)
{
    const struct knot last = tracing->last;
    for (; tracing->passed < TAIL_POINTS; tracing->passed++) {
        const double at = tracing->share[tracing->passed] * tracing->total_p;
        if (at > next.p)
            break;
        const double way = next.p > last.p ? (at - last.p) / (next.p - last.p) : 1;
        tracing->curve->above[tracing->passed] = (last.u + way * (next.u - last.u)) / tracing->total_u;
        tracing->curve->claim[tracing->passed] = last.logit + way * (next.logit - last.logit);
    }
    tracing->last = next;
}

/*
 * Goes from the highest value down. Each row of P gives a point at the middle of its weight. Rows of P that
 * tie are spread evenly over the rows of U that tie with them, so that the order of equal scores does not
 * matter.
 */
void tail_curve_of(const struct sample *p, const struct sample *u, struct tail_curve *curve)
{
    double share[TAIL_POINTS];
    tail_shares(share);
    *curve = (struct tail_curve){.n_p = effective_size(p), .n_u = effective_size(u)};
    const double half_row = p->total / curve->n_p / 2;
    struct tracing tracing = {share, p->total, u->total, {0, 0, p->logit[p->n - 1]}, 0, curve};
    double above_p = 0, above_u = 0;
    for (size_t i = p->n, j = u->n; i > 0;) {
        const double value = p->logit[i - 1];
        double tied_p = 0, tied_u = 0;
        for (; j > 0 && u->logit[j - 1] > value; j--)
            above_u += weight_at(u->weight, j - 1);
        for (; j > 0 && u->logit[j - 1] == value; j--)
            tied_u += weight_at(u->weight, j - 1);
        for (; i > 0 && p->logit[i - 1] == value; i--)
            tied_p += weight_at(p->weight, i - 1);
        const double first = fmin(0.5, half_row / tied_p), end = 1 - first;
        trace_to(&tracing, (struct knot){above_p + first * tied_p, above_u + first * tied_u, value});
        trace_to(&tracing, (struct knot){above_p + end * tied_p, above_u + end * tied_u, value});
        above_p += tied_p;
        above_u += tied_u;
    }
    trace_to(&tracing, (struct knot){p->total, u->total, p->logit[0]});
}

/* ---- inputs of the network ---- */

/* Slopes are steeper only by chance, or at places that say nothing about alpha. */
static float log_slope(double rise, double run, double least)
{
    return (float)fmin(fmax(log((rise + least) / (run + least)), -7), 7);
}

/*
 * By how much the scores claim more than the curve shows, in each band of points. Claims are known up to a
 * constant, so the middle band is subtracted. Scores with errors claim too much at their top; how this grows
 * towards the top tells them from scores that only go too far.
 */
static void overclaims(const struct tail_curve *curve, const double share[TAIL_POINTS], double least,
                       float input[TAIL_BANDS - 1])
{
    static const size_t end[TAIL_BANDS + 1] = {0, 6, 12, 18, 24, 30, 36, 42, 48, TAIL_POINTS - 1};
    enum { MIDDLE = 6 };
    const double largest = 2.5;
    double over[TAIL_BANDS];
    for (size_t b = 0; b < TAIL_BANDS; b++) {
        const size_t from = end[b], to = end[b + 1];
        double claims = 0;
        for (size_t j = from; j <= to; j++)
            claims += curve->claim[j] / (double)(to - from + 1);
        /* A slope is f_u / f_p. */
        over[b] =
            claims + (double)log_slope(curve->above[to] - curve->above[from], share[to] - share[from], least);
    }
    for (size_t b = 0, k = 0; b < TAIL_BANDS; b++)
        if (b != MIDDLE)
            input[k++] = (float)fmin(fmax(over[b] - over[MIDDLE], -largest), largest);
}

void tail_curve_inputs(const struct tail_curve *curve, float input[TAIL_INPUTS])
{
    const double least = 0.5 / curve->n_u;
    double share[TAIL_POINTS], share_before = 0, above_before = 0;
    tail_shares(share);
    for (size_t j = 0; j < TAIL_POINTS; j++) {
        input[j] = log_slope(curve->above[j] - above_before, share[j] - share_before, least);
        input[TAIL_POINTS + j] = log_slope(curve->above[j], share[j], least);
        share_before = share[j];
        above_before = curve->above[j];
    }
    overclaims(curve, share, least, input + 2 * (size_t)TAIL_POINTS);
    /* Beyond the sizes that were simulated, the network knows nothing. */
    input[TAIL_INPUTS - 2] = (float)log(fmin(fmax(curve->n_p, 10), 3e5));
    input[TAIL_INPUTS - 1] = (float)log(fmin(fmax(curve->n_u, 50), 1e7));
}
