/* Trains the classifiers of a fit. */
#ifndef DEDPUL_FIT_TRAIN_H
#define DEDPUL_FIT_TRAIN_H

#include "fit_rows.h"
#include "kinds.h"

/* A training that a fit will do. */
struct planned_training {
    const struct classifier *classifier;
    struct training_settings settings;
};

/* The non-traditional classifier has at most this many: `auto` trains each kind. */
enum { MOST_PLANNED = 8 };

/* The examples of the non-traditional classifier: labeled and unlabeled rows as they are. */
struct examples train_examples(const struct fit_rows *rows);

/* Lists the trainings of train_ntc in their order, and returns their number. */
size_t train_plan_ntc(const struct examples *examples, const struct fit_plan *plan,
                      struct planned_training planned[MOST_PLANNED]);

/* Gives that of train_method. */
struct planned_training train_plan_method(const struct examples *examples, const struct fit_plan *plan);

/* Trains the non-traditional classifier: labeled against unlabeled rows. rows->logit is not read. */
dedpul_status train_ntc(struct context *context, const struct fit_rows *rows, const struct fit_plan *plan,
                        struct arena *memory, struct scorer *ntc, double *logit /* (n_rows) */);

/*
 * Trains positives against negatives, with the kinds of classifiers in `like`. *trained is false if there is
 * nothing to train on, because nearly all unlabeled rows are positive.
 */
dedpul_status train_pn(struct context *context, const struct fit_rows *rows, const struct fit_plan *plan,
                       const struct estimate *estimate, const struct scorer *like, struct arena *memory,
                       struct pn_scorer *pn, bool *trained);

/*
 * Trains labeled rows of one kind against those of the others, with the kinds of classifiers in `like`. Fills
 * the logits of all rows; those of labeled rows are cross-fitted, and unlabeled ones take no part.
 */
dedpul_status train_kind(struct context *context, const struct fit_rows *rows, const struct fit_plan *plan,
                         const struct scorer *like, const struct kinds *kinds, uint32_t kind,
                         struct arena *memory, struct scorer *scorer, double *logit /* (n_rows) */);

/*
 * Trains the networks of a method that has some, with this alpha; tedn replaces it by its own estimate. Fills
 * their cross-fitted logits, to which the caller must add pn->shift.
 */
dedpul_status train_method(struct context *context, const struct fit_rows *rows, const struct fit_plan *plan,
                           struct arena *memory, struct pn_scorer *pn, double *alpha,
                           double *logit /* (n_rows) */);

/* The AUC of labeled against unlabeled rows, by a number that each row has. */
dedpul_status auc_by(struct context *context, const struct table *table, const double *value /* (n_rows) */,
                     double *auc);

#endif
