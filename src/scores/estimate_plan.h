/* How to get from scores to alpha and posteriors. */
#ifndef DEDPUL_SCORES_ESTIMATE_PLAN_H
#define DEDPUL_SCORES_ESTIMATE_PLAN_H

#include "estimator.h"

enum solver {
    SOLVER_EXACT, /* the root of D(alpha), exact */
    SOLVER_EM,    /* the paper's EM from alpha = 1 */
};

struct estimate_plan {
    const struct estimator *method;
    struct ratio_plan ratio;
    enum solver solver;
    double alpha;       /* the share if it is known; NaN: estimate it */
    unsigned resamples; /* for an interval; 0: none */
    double level;       /* of intervals and bounds */
    bool bands;         /* intervals of posteriors, too */
};

#endif
