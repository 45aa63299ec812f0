/* How to get from scores to alpha and posteriors. */
#ifndef DEDPUL_SCORES_ESTIMATE_PLAN_H
#define DEDPUL_SCORES_ESTIMATE_PLAN_H

#include "estimator.h"

enum solver {
    SOLVER_EXACT, /* the root of D(alpha), exact */
    SOLVER_EM,    /* the paper's EM from alpha = 1 */
};

/* Where intervals come from. */
enum interval_kind {
    INTERVAL_NONE,
    INTERVAL_BY_METHOD, /* from alpha's distribution, or by resamples if the method does not know it */
    INTERVAL_BOOTSTRAP, /* by resamples */
};

/* This many resamples are enough for an interval. */
enum { ENOUGH_RESAMPLES = 200 };

struct estimate_plan {
    const struct estimator *method;
    struct ratio_plan ratio;
    enum solver solver;
    double alpha;         /* the share if it is known; NaN: estimate it */
    bool plain_posterior; /* min(scale * ratio, 1), even if alpha's distribution is known */
    enum interval_kind interval;
    unsigned resamples; /* for an interval by resamples */
    double level;       /* of intervals and bounds */
    bool bands;         /* intervals of posteriors, too */
};

#endif
