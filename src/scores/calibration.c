#include "calibration.h"

#include "chi_square.h"

#include <math.h>

/* Sums of a bin. */
struct bin_sums {
    double labeled, unlabeled;
    double positive, squares; /* sums of posteriors, and of their squares */
};

/* How far the labeled rows of a bin are from what posteriors say, in standard deviations, squared. */
static double surprise(const struct score_groups *groups, double positive, const struct bin_sums *sums)
{
    const double per_positive = groups->total_labeled / positive, expected = per_positive * sums->positive;
    const double variance = expected + per_positive * per_positive * sums->squares; /* of both samples */
    const double distance = sums->labeled - expected;
    return variance > 0 ? distance * distance / variance : 0;
}

static struct calibration_bin bin_of(const struct score_groups *groups, double alpha, size_t first,
                                     size_t last, const struct bin_sums *sums)
{
    const double expected = alpha * sums->labeled / groups->total_labeled * groups->total_unlabeled;
    return (struct calibration_bin){
        .highest = groups->score[first],
        .lowest = groups->score[last],
        .labeled = sums->labeled,
        .unlabeled = sums->unlabeled,
        .posterior = sums->positive / sums->unlabeled,
        .share = fmin(expected / sums->unlabeled, 1),
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

struct calibration calibrate_posteriors(const struct score_groups *groups, double alpha)
{
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
        const struct calibration_bin bin = bin_of(groups, alpha, first, g, &sums);
        calibration.bin[calibration.n++] = bin;
        calibration.difference += fabs(bin.share - bin.posterior) * bin.unlabeled / groups->total_unlabeled;
        squares += surprise(groups, plan.positive, &sums);
        above += sums.positive;
        sums = (struct bin_sums){0, 0, 0, 0};
        first = g + 1;
    }
    if (calibration.n > 1)
        calibration.chance = chi_square_tail(calibration.n - 1, squares);
    return calibration;
}
