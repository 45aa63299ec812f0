/* The classifiers of a fit. */
#ifndef DEDPUL_MODEL_TRAIN_H
#define DEDPUL_MODEL_TRAIN_H

#include "model.h"

struct fit {
    const dedpul_fit_options *options;
    const struct table *table;
    unsigned char *stratum; /* (n_rows) as in folds.h */
    float *x;               /* (n_rows, width) */
    double *logit, *score;  /* (n_rows) cross-fitted */
    dedpul_model *model;
};

/* Labeled against unlabeled rows: fills the model's ntc and the rows' logits. */
dedpul_status train_ntc(struct context *context, const struct fit *fit);

/*
 * Positives against negatives: fills the model's pn. *trained is false where there is nothing to train on,
 * since all unlabeled rows are positive.
 */
dedpul_status train_pn(struct context *context, const struct fit *fit, const dedpul_result *result,
                       bool *trained);

/* Whether the method trains networks of its own after the estimate. */
bool method_trains(const char *method);

/*
 * Trains the networks of such a method with this alpha, which tedn replaces by its own estimate: fills the
 * model's pn, and gives its cross-fitted logits, to which pn_shift is to be added.
 */
dedpul_status train_method(struct context *context, const struct fit *fit, const char *method, double *alpha,
                           double *logit /* (n_rows) */);

/* AUC of labeled against unlabeled rows by any number of each row. */
dedpul_status auc_by(struct context *context, const struct table *table, const double *value /* (n_rows) */,
                     double *auc);

#endif
