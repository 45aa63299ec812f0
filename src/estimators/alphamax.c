/*
 * AlphaMax (Jain, White and Radivojac, "Estimating the class prior and posterior from noisy positives and
 * unlabeled data", 2016), on histograms of the scores. The highest likelihood that is possible with a share a
 * of positives is flat up to alpha and falls from there.
 */
#include "estimator.h"
#include "share_likelihood.h"
#include "weighted.h"

#include <math.h>

enum { MOST_BINS = 10, N_SHARES = 99, MEDIAN_REACH = 2, RATE_REACH = 10 };

/* Labeled rows above all unlabeled ones would make a bin of their own if they fill this share of a bin. */
static const double least_bin = 0.5;

/* Shares of P and U in bins of neighbouring scores; u > 0. */
struct bins {
    size_t n;
    double p[MOST_BINS], u[MOST_BINS];
    bool misses_labeled; /* labeled rows above all unlabeled ones would make a bin of their own */
};

/* Weight of the rows with the given score, from *at on. */
static double take(const struct sample *sample, double score, size_t *at)
{
    double weight = 0;
    for (; *at < sample->n && sample->score[*at] <= score; ++*at)
        weight += weight_at(sample->weight, *at);
    return weight;
}

/*
 * Makes bins of equal mass. P and U count the same, so that bins are narrow among positives even if alpha is
 * low. There are few bins, and fewer still in small samples, because noise in the highest of their ratios
 * makes the curve fall early; these numbers did best on samples of known alpha. Ties stay together, and every
 * bin has unlabeled rows: the few labeled rows that chance puts above all unlabeled ones join the last bin.
 */
static void fill_bins(const struct sample *p, const struct sample *u, struct bins *bins)
{
    const double wanted = fmin(MOST_BINS, 2 + floor(fmin(p->total, u->total) / 100));
    size_t i = 0, j = 0;
    double below_p = 0, below_u = 0, here_p = 0, here_u = 0, edge = 1;
    bins->n = 0;
    while (i < p->n || j < u->n) {
        const double score = fmin(i < p->n ? p->score[i] : 1, j < u->n ? u->score[j] : 1);
        here_p += take(p, score, &i);
        here_u += take(u, score, &j);
        const double mass = wanted * ((below_p + here_p) / p->total + (below_u + here_u) / u->total) / 2;
        const bool full = mass >= edge || (i == p->n && j == u->n);
        if (full && here_u > 0 && (double)bins->n < wanted) {
            bins->p[bins->n] = here_p / p->total;
            bins->u[bins->n++] = here_u / u->total;
            below_p += here_p;
            below_u += here_u;
            here_p = here_u = 0;
            edge = floor(mass) + 1;
        }
    }
    bins->misses_labeled = here_u == 0 && wanted * here_p / p->total / 2 >= least_bin;
    bins->p[bins->n - 1] += here_p / p->total; /* labeled rows above all unlabeled ones */
    bins->u[bins->n - 1] += here_u / u->total;
}

/* The median over a window that reaches up to MEDIAN_REACH values to both sides; equally far on both. */
static double median_at(const double *value /* (N_SHARES) */, size_t place)
{
    size_t reach = place < N_SHARES - 1 - place ? place : N_SHARES - 1 - place;
    reach = reach < MEDIAN_REACH ? reach : MEDIAN_REACH;
    double sorted[2 * MEDIAN_REACH + 1];
    for (size_t i = 0; i <= 2 * reach; i++) {
        const double next = value[place - reach + i];
        size_t k = i;
        for (; k > 0 && sorted[k - 1] > next; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = next;
    }
    return sorted[reach];
}

/* The mean drop per point from one point to a later one. */
static double drop_rate(const double *curve, size_t from, size_t to)
{
    return to > from ? (curve[from] - curve[to]) / (double)(to - from) : 0;
}

/*
 * Finds where the curve, which goes from 1 to 0, begins to fall: where its rate of falling grows most,
 * relative to how far it has come down.
 */
static size_t elbow(const double *curve /* (N_SHARES) */)
{
    size_t best = 0;
    double best_gain = -INFINITY;
    for (size_t j = 0; j < N_SHARES; j++) {
        const size_t left = j < RATE_REACH ? 0 : j - RATE_REACH;
        const size_t right = j + RATE_REACH < N_SHARES ? j + RATE_REACH : N_SHARES - 1;
        const double gain = (drop_rate(curve, j, right) - drop_rate(curve, left, j)) / (0.01 + 1 - curve[j]);
        if (gain > best_gain) {
            best_gain = gain;
            best = j;
        }
    }
    return best;
}

static double share_at(size_t j)
{
    return (double)(j + 1) / (N_SHARES + 1);
}

static dedpul_status alpha_of_elbow(struct context *context, const struct problem *problem,
                                    const struct mixture *mixture, struct proportion *proportion)
{
    struct bins bins;
    double highest[N_SHARES], curve[N_SHARES], share[MOST_BINS];
    (void)context;
    (void)mixture;
    fill_bins(problem->p, problem->u, &bins);
    proportion->rule = RULE_FORMULA;
    if (bins.misses_labeled) { /* a bin of P where U has none: any share above 0 has a likelihood of 0 */
        proportion->alpha = 0;
        return DEDPUL_OK;
    }
    for (size_t j = 0; j < N_SHARES; j++) {
        highest[j] = share_likelihood(bins.n, bins.p, bins.u, share_at(j), share);
        highest[j] = j > 0 ? fmin(highest[j - 1], highest[j]) : highest[j]; /* it falls but for rounding */
    }
    for (size_t j = 0; j < N_SHARES; j++)
        curve[j] = median_at(highest, j);
    const double end = curve[N_SHARES - 1], range = curve[0] - end;
    for (size_t j = 0; j < N_SHARES; j++)
        curve[j] = (curve[j] - end) / range;
    /* If P and U do not differ, the curve falls by rounding alone: all unlabeled rows may be positive. */
    proportion->alpha = range > 1e-12 ? share_at(elbow(curve)) : 1;
    return DEDPUL_OK;
}

const struct estimator estimator_alphamax = {
    .name = "alphamax",
    .summary = "where the likelihood of histograms begins to fall with the share (AlphaMax)",
    .posterior = SCALE_MEETS_ALPHA,
    .ratio = density_ratio,
    .alpha = alpha_of_elbow,
};
