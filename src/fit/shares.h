/*
 * Another share of positives than at the fit (prior shift): positives and negatives look as they did, but
 * there are more or fewer of them among the new rows.
 */
#ifndef DEDPUL_FIT_SHARES_H
#define DEDPUL_FIT_SHARES_H

#include "model.h"

/* The share among new rows, by their scores; NaN if it could not be estimated. */
struct share_estimate {
    double alpha, low, high; /* the share lies between low and high with a probability of 99% */
};

/* With fewer rows than this there is no estimate. */
enum { FEWEST_NEW_ROWS = 20 };

/*
 * Estimates the share by the labeled scores that the model kept against those of the new rows, which are
 * counted at the kept logits. The plan's method must know alpha's distribution.
 */
dedpul_status share_of_new_rows(struct context *context, const struct model *model,
                                const struct estimate_plan *plan, const double *count /* (kept.n) */,
                                struct share_estimate *share);

/*
 * The posterior for the share `now` of a row whose posterior is known for the share `before`, which is
 * between 0 and 1: odds' = odds * [now / (1 - now)] / [before / (1 - before)].
 */
double posterior_at_share(double posterior, double before, double now);

#endif
