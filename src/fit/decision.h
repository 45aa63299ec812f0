/* How the scores of new rows become posteriors and flags. */
#ifndef DEDPUL_FIT_DECISION_H
#define DEDPUL_FIT_DECISION_H

#include "shares.h"

enum share_rule {
    SHARE_OF_FIT,
    SHARE_GIVEN,
    SHARE_OF_ROWS, /* estimated from the scores of the new rows */
};

struct predict_plan {
    bool by_pn; /* use the classifier of positives against negatives, which the model must then have */
    enum share_rule share_rule;
    double share; /* if it is given */
    const struct estimate_plan
        *estimate;    /* of the share of new rows; its method knows alpha's distribution */
    bool has_request; /* there is a threshold to be found; if not, it is the model's */
    struct cut_request request;
    struct text_format format; /* of a file's text */
    const char *id;            /* a file's column of identifiers; NULL: none */
    size_t folds; /* of the fit, if rows are to be scored as its rows were; 0: all members score a row */
};

struct decision {
    const struct model *model;
    bool by_pn;         /* as the plan says, or because the method trained networks */
    double share;       /* NaN: that of the fit */
    bool has_threshold; /* rows of at least this score are flagged */
    double threshold;   /* NaN: none is */
};

/* Whether all scores must be known before a row can be decided. */
bool decision_needs_all(const struct predict_plan *plan);

/*
 * Decides, if need be by all the scores of the new rows and by the estimate of their share. It is an error if
 * the model cannot do what the plan asks for.
 */
dedpul_status decide(struct context *context, const struct model *model, const struct predict_plan *plan,
                     size_t n, const double *logit /* (n); NULL: not needed */,
                     const struct share_estimate *share, struct decision *decision);

double decision_posterior(const struct decision *decision, double logit);

static inline bool decision_flags(const struct decision *decision, double score)
{
    return decision->has_threshold && score >= decision->threshold;
}

#endif
