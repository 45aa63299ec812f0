/* Doubts about an estimate from scores, as warnings. */
#ifndef DEDPUL_SCORES_DIAGNOSE_H
#define DEDPUL_SCORES_DIAGNOSE_H

#include "solve.h"

/* From this AUC of labeled against unlabeled rows on, the labels may be given away. */
#define PERFECT_AUC 0.999

/* About the scores themselves; gives the AUC of labeled against unlabeled ones. */
double diagnose_scores(struct context *context, const struct sample *p, const struct sample *u);

/* What led to an alpha. */
struct evidence {
    const struct problem *problem;
    const struct densities *densities;
    const struct ratio *ratio;
    const struct solution *solution;
    const double *curve; /* (CURVE_POINTS) D */
    double auc, level;
};

/* About an alpha that was estimated from them. */
void diagnose_estimate(struct context *context, const struct evidence *evidence);

#endif
