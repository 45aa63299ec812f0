/* Doubts about an estimate from scores, as warnings. */
#ifndef DEDPUL_SCORES_DIAGNOSE_H
#define DEDPUL_SCORES_DIAGNOSE_H

#include "solve.h"

/* If the AUC of labeled against unlabeled rows is this high, some column may give the labels away. */
#define PERFECT_AUC 0.999

/* Warns about the scores themselves. Returns the AUC of labeled against unlabeled rows. */
double diagnose_scores(struct context *context, const struct sample *p, const struct sample *u);

/* What an alpha was computed from. */
struct evidence {
    const struct problem *problem;
    const struct densities *densities;
    const struct ratio *ratio;
    const struct solution *solution;
    const double *curve; /* (CURVE_POINTS) D */
    double auc, level;
};

/* Warns about an alpha that was estimated from the scores. */
void diagnose_estimate(struct context *context, const struct evidence *evidence);

/* A bound that the share exceeds with a probability of at most `risk`, whatever the distributions. */
double upper_bound(const struct sample *p, const struct sample *u, double risk);

#endif
