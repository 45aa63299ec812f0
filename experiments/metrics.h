/* How good posteriors are. */
#ifndef DEDPUL_EXPERIMENTS_METRICS_H
#define DEDPUL_EXPERIMENTS_METRICS_H

#include "context.h"

struct metrics {
    double posterior_mae; /* mean |posterior - true posterior|; NaN if the true ones are not known */
    double error;         /* share of rows on the wrong side of 0.5 */
    double f1;            /* of the positives */
    double roc_auc;       /* of positives against negatives */
};

dedpul_status measure(struct context *context, size_t n, const double *posterior /* (n) */,
                      unsigned char *truth /* (n) 1 = positive; only read */,
                      const double *true_posterior /* (n) or NULL */, struct metrics *metrics);

#endif
