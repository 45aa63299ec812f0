/* How good a classifier is, and what its thresholds achieve, without known negatives. */
#ifndef DEDPUL_SCORES_EVALUATION_H
#define DEDPUL_SCORES_EVALUATION_H

#include "calibration.h"
#include "cuts.h"
#include "estimate.h"
#include "scenarios.h"

struct evaluation_input {
    const struct score_input *rows;
    struct row_values values;
    struct alpha_belief belief;
};

struct evaluation_plan {
    struct cut_request request;
    double level; /* of the ranges */
};

/* What a threshold achieves among the unlabeled rows. If it flags none, the score is NaN, and so is
 * precision. */
struct threshold {
    double score;     /* rows with at least this score, or logit, are flagged */
    double posterior; /* of the rows with this score */
    double rows;      /* weight of the rows that are flagged */
    struct range precision, recall, lift, f1;
};

/* The same for rows whose classes are known. */
struct known_truth {
    double rows, positive; /* weight; no rows: nothing is known */
    double auc, average_precision, best_f1;
    double flagged, precision, recall, lift, f1; /* at the threshold in force */
};

struct evaluation {
    double weight_labeled, weight_unlabeled;
    struct range auc, average_precision, best_f1;
    struct threshold chosen;
    size_t n_curve;
    struct threshold *curve; /* (n_curve) from the highest score down */
    struct calibration calibration;
    struct known_truth truth;
};

/* The curve is in `memory`. */
dedpul_status evaluate(struct context *context, const struct evaluation_input *input,
                       const struct evaluation_plan *plan, struct arena *memory,
                       struct evaluation *evaluation);

#endif
