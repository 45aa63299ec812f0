/* Doubts about an estimate from scores, as warnings. */
#ifndef DEDPUL_API_DIAGNOSE_H
#define DEDPUL_API_DIAGNOSE_H

#include "solve.h"

/* About the scores themselves; gives the AUC of labeled against unlabeled ones. */
double diagnose_scores(struct context *context, const struct sample *p, const struct sample *u);

/* About an alpha that was estimated from them. */
void diagnose_estimate(struct context *context, const struct problem *problem, const struct ratio *ratio,
                       const struct solution *solution, const double curve[DEDPUL_CURVE_POINTS], double auc);

#endif
