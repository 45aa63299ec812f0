#include "calibration.h"

#include "binomial.h"
#include "chi_square.h"

#include <math.h>

/* Sums of a bin. */
struct bin_sums {
    double labeled, unlabeled;
    double positive, squares; /* sums of posteriors, and of their squares */
};

struct assumption {
    double alpha, level; /* of ranges */
};

/* How far the labeled rows of a bin are from what posteriors say, in standard deviations, squared. */
static double surprise(const struct score_groups *groups, double positive, const struct bin_sums *sums)
{
    const double per_positive = groups->total_labeled / positive, expected = per_positive * sums->positive;
    const double variance = expected + per_positive * per_positive * sums->squares; /* of both samples */
    const double distance = sums->labeled - expected;
    return variance > 0 ? distance * distance / variance : 0;
}

/*
 * The share of positives, if there are so many as alpha says and as many of them are in the bin as of the
 * labeled rows. The range is by the chance of drawing both samples, as that of recall.
 */
static struct range share_of(const struct score_groups *groups, const struct assumption *assumed,
                             const struct bin_sums *sums)
{
    const double positive = assumed->alpha * groups->total_unlabeled;
    const double size = 1 / (1 / groups->total_labeled + 1 / positive);
    const double part = sums->labeled / groups->total_labeled, confidence = (1 + assumed->level) / 2;
    const double most = positive / sums->unlabeled;
    return (struct range){fmin(most * part, 1), fmin(most * binomial_lower(part * size, size, confidence), 1),
                          fmin(most * binomial_upper(part * size, size, confidence), 1)};
}

static struct calibration_bin bin_of(const struct score_groups *groups, const struct assumption *assumed,
                                     size_t first, size_t last, const struct bin_sums *sums)
{
    return (struct calibration_bin){
        .highest = groups->score[first],
        .lowest = groups->score[last],
        .labeled = sums->labeled,
        .unlabeled = sums->unlabeled,
        .posterior = sums->positive / sums->unlabeled,
        .share = share_of(groups, assumed, sums),
    };
}

/* The fewest labeled rows that a bin should have. */
enum { FEWEST_LABELED = 5 };

/* How groups are shared out to bins. */
struct bin_plan {
    double bins;        /* how many are wanted */
    double positive;    /* sum of all posteriors */
    size_t last_scored; /* last group with unlabeled rows; a bin without any would say nothing */
};

static struct bin_plan plan_bins(const struct score_groups *groups)
{
    struct bin_plan plan = {
        .bins = fmax(fmin(floor(groups->total_labeled / FEWEST_LABELED), CALIBRATION_BINS_MOST), 1)};
    for (size_t g = 0; g < groups->n; g++) {
        plan.positive += groups->unlabeled[g] * groups->posterior[g];
        if (groups->unlabeled[g] > 0)
            plan.last_scored = g;
    }
    return plan;
}

static void add_group(const struct score_groups *groups, size_t g, struct bin_sums *sums)
{
    const double rows = groups->unlabeled[g], posterior = groups->posterior[g];
    sums->labeled += groups->labeled[g];
    sums->unlabeled += rows;
    sums->positive += rows * posterior;
    sums->squares += rows * posterior * posterior;
}

struct calibration calibrate_posteriors(const struct score_groups *groups, double alpha, double level)
{
    const struct assumption assumed = {alpha, level};
    const struct bin_plan plan = plan_bins(groups);
    struct calibration calibration = {.chance = 1};
    struct bin_sums sums = {0, 0, 0, 0};
    double above = 0, squares = 0;
    size_t first = 0;
    for (size_t g = 0; g < groups->n; g++) {
        add_group(groups, g, &sums);
        const double number = (double)calibration.n + 1;
        const bool is_full = above + sums.positive >= number / plan.bins * plan.positive * (1 - 1e-12);
        const bool has_next = number < plan.bins && g < plan.last_scored;
        if (g + 1 < groups->n && !(is_full && has_next))
            continue;
        const struct calibration_bin bin = bin_of(groups, &assumed, first, g, &sums);
        calibration.bin[calibration.n++] = bin;
        calibration.difference +=
            fabs(bin.share.value - bin.posterior) * bin.unlabeled / groups->total_unlabeled;
        squares += surprise(groups, plan.positive, &sums);
        above += sums.positive;
        sums = (struct bin_sums){0, 0, 0, 0};
        first = g + 1;
    }
    if (calibration.n > 1)
        calibration.chance = chi_square_tail(calibration.n - 1, squares);
    return calibration;
}
