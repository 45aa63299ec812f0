/* One entry of a comparison: what a method says about a classifier's scores, and how good these are by it. */
#ifndef DEDPUL_FIT_COMPARED_H
#define DEDPUL_FIT_COMPARED_H

#include "fit_check.h"
#include "guesses.h"

/* Estimates without known negatives; NaN: none. Without alpha's distribution, they have no ranges. */
struct quality {
    struct range auc, average_precision;
    struct range precision; /* of the rows that are more likely positive than not */
    bool is_miscalibrated;  /* posteriors do not agree with the labeled rows */
};

struct compared {
    const struct estimator *method;
    const char *classifier;
    double alpha;     /* NaN if it failed */
    double low, high; /* interval; NaN: none */
    double seconds;
    double auc; /* of labeled against unlabeled rows */
    struct quality quality;
    double
        chance; /* the probability that chance makes the AUC differ so much from the reference's; NaN: it */
                /* was not tested */
    dedpul_status status;
    bool is_reference; /* others are held against it */
    bool differs;      /* from the reference, by more than chance */
    dedpul_error note; /* the message says why it failed, or what else is to be said */
};

struct comparison {
    size_t n;
    struct compared *item; /* (n) */
    double auc, seconds;   /* of the scores, if all entries share them: AUC of labeled against unlabeled */
                           /* rows, and time that they took */
    size_t n_positive, n_unlabeled;
    const struct compared *believed; /* whose alpha all entries are evaluated with; NULL: each with its own */
    struct checked_labels checked;   /* is not done unless the plan asks for it */
};

/* An entry before its estimate. */
struct compared compared_start(const struct estimator *method, const char *classifier);

/*
 * Estimates by the plan's method. Fills the entry but for its quality, and the comparison's numbers of rows.
 * The estimate's arrays are in `memory`.
 */
dedpul_status compared_estimate(struct context *context, const struct fit_rows *rows,
                                const struct fit_plan *plan, struct arena *memory, struct estimate *estimate,
                                struct comparison *comparison, struct compared *compared);

/*
 * Fills the entry's quality, by what the estimate `believed` says of alpha: the entry's own, or another. It
 * has none if that alpha is 0 or 1, if its own is 0, or if posteriors come from networks of its method.
 */
dedpul_status compared_evaluate(struct context *context, const struct fit_rows *rows, double level,
                                const struct estimate *estimate, const struct estimate *believed,
                                struct compared *compared);

/* The work on one entry: what it says and why it fails is apart from the others. */
struct apart {
    struct context context; /* whose error is the entry's note */
    struct warnings warnings;
    struct block *mark;
};

void apart_begin(const struct context *context, const struct warnings *before, struct compared *compared,
                 struct apart *apart);

/* Ends the work with this status. Only a cancelled call is a failure of the whole. */
dedpul_status apart_end(struct context *context, const struct apart *apart, dedpul_status status,
                        struct compared *compared);

/* Writes what is to be said about an entry that succeeded, without the warnings that all share. */
void compared_note(const struct warnings *shared, const struct warnings *own, struct compared *compared);

/* The error if no entry succeeded. */
dedpul_status comparison_check(const struct comparison *comparison, const char *what, dedpul_error *error);

#endif
