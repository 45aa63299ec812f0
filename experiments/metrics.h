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

/* How far posteriors can be trusted as probabilities. */
struct trust {
    double log_loss;    /* mean, by natural logarithms; posteriors count as within [1e-6, 1 - 1e-6] */
    double brier;       /* mean squared error */
    double calibration; /* expected calibration error: mean |mean posterior - share of positives| over */
                        /* CALIBRATION_BINS bins of equally many rows, by posterior */
};

enum { CALIBRATION_BINS = 10 };

/*
 * If the true posteriors are known, all three are what classes drawn by them are expected to give; `truth` is
 * not read then.
 */
dedpul_status measure_trust(struct context *context, size_t n, const double *posterior /* (n) */,
                            const unsigned char *truth /* (n) 1 = positive */,
                            const double *true_posterior /* (n) or NULL */, struct trust *trust);

#endif
