/*
 * Scott, "A rate of convergence for mixture proportion estimation, with application to learning from noisy
 * labels", 2015. Above any threshold, alpha is at most (share of U) / (share of P). So the estimate is the
 * lowest quotient of an upper bound of the first and a lower bound of the second, along the ROC curve.
 */
#include "binomial.h"
#include "estimator.h"
#include "thresholds.h"

#include <math.h>

static const double confidence = 0.9;

/* Weights above the thresholds that may matter, from the highest down. */
struct curve {
    size_t n;
    double *above_p, *above_u; /* (n) ascending */
    double total_p, total_u;
};

/* Keeps the first of the thresholds with the same labeled rows above: it has the fewest unlabeled rows. */
static dedpul_status curve_fill(struct context *context, const struct sample *p, const struct sample *u,
                                struct curve *curve)
{
    const size_t most = p->n < u->n + 1 ? p->n : u->n + 1; /* one threshold is above all unlabeled rows */
    struct thresholds at = thresholds_of(p->n, p->score, p->weight, u->n, u->score, u->weight);
    *curve = (struct curve){.total_p = p->total, .total_u = u->total};
    curve->above_p = context_allocate(context, most, sizeof *curve->above_p);
    curve->above_u = context_allocate(context, most, sizeof *curve->above_u);
    if (curve->above_p == NULL || curve->above_u == NULL)
        return DEDPUL_NO_MEMORY;
    double before = 0;
    while (thresholds_next(&at))
        if (at.above_a > before) {
            curve->above_p[curve->n] = before = at.above_a;
            curve->above_u[curve->n++] = at.above_b;
        }
    return DEDPUL_OK;
}

/* A lower bound of the quotients at thresholds first .. last. If first = last, it is the quotient. */
static double quotient(const struct curve *curve, size_t first, size_t last)
{
    return binomial_upper(curve->above_u[first], curve->total_u, confidence) /
           binomial_lower(curve->above_p[last], curve->total_p, confidence);
}

/*
 * The lower of `best` and the lowest quotient among thresholds first .. last, by branch and bound. Both
 * bounds grow with their counts. So if the quotient of the outermost bounds of a stretch is not below the
 * best, no threshold of the stretch is, and we can skip it; otherwise we halve it. This is the minimum over
 * all thresholds, up to the rounding of the bounds, but of 1e6 thresholds it looks at a few thousand.
 */
static double lowest_quotient(const struct curve *curve, size_t first, size_t last, double best)
{
    const double least = quotient(curve, first, last);
    if (!(least < best) || first == last)
        return fmin(least, best);
    const size_t middle = first + (last - first) / 2;
    best = lowest_quotient(curve, first, middle, best);
    return lowest_quotient(curve, middle + 1, last, best);
}

static dedpul_status alpha_of_roc(struct context *context, const struct problem *problem,
                                  const struct mixture *mixture, struct proportion *proportion)
{
    struct block *mark = context_mark(context);
    struct curve curve;
    (void)mixture;
    TRY(curve_fill(context, problem->p, problem->u, &curve));
    double best = 1;
    const size_t step = curve.n / 256 + 1; /* with a good start, more stretches can be skipped */
    for (size_t i = 0; i < curve.n; i += step)
        best = fmin(best, quotient(&curve, i, i));
    if (curve.n > 0)
        best = lowest_quotient(&curve, 0, curve.n - 1, best);
    proportion->alpha = best;
    proportion->rule = RULE_FORMULA;
    context_release(context, mark);
    return DEDPUL_OK;
}

const struct estimator estimator_roc = {
    .name = "roc",
    .summary = "lowest quotient of binomial bounds along the ROC curve (Scott)",
    .posterior = SCALE_MEETS_ALPHA,
    .ratio = density_ratio,
    .alpha = alpha_of_roc,
};
