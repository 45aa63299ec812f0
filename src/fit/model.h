/* A fitted model. */
#ifndef DEDPUL_FIT_MODEL_H
#define DEDPUL_FIT_MODEL_H

#include "column_profile.h"
#include "cuts.h"
#include "estimate.h"
#include "fit_scores.h"
#include "model_kinds.h"

/* A classifier of positives against negatives. */
struct pn_scorer {
    struct scorer scorer; /* has no parts if the model has no such classifier */
    double shift; /* added to the logit, which is for equal classes, to get that for the share alpha */
};

/* (logit, ratio) points, between which the ratio of new rows is interpolated. */
struct curve {
    size_t n;
    double *logit, *ratio; /* (n) logit ascending */
};

/* Rows of at least this score are flagged. */
struct model_threshold {
    bool is_set;
    struct cut_request request; /* what it was chosen to achieve */
    double score;               /* NaN: no row is flagged */
};

/* All arrays and texts of a model are in its memory. */
struct model {
    struct arena memory;
    const char *version;  /* of the library that fitted it */
    const char *settings; /* "name=value" lines: the options of the fit */
    const struct estimator *method;
    struct solution solution;
    double auc;
    size_t n_positive, n_unlabeled;
    struct image_shape image; /* of the rows, if they are images */
    struct encoding encoding;
    struct column_profiles profiles;
    struct scorer ntc; /* labeled against unlabeled: the non-traditional classifier */
    struct curve curve;
    struct pn_scorer pn;
    struct fit_scores kept;
    struct model_threshold threshold;
    struct model_kinds kinds; /* of positives, if the fit was told of any */
};

/*
 * Whether predictions are by networks of positives against negatives: as asked for, or because the method
 * trained some.
 */
static inline bool predicts_by_pn(const struct model *model, bool asked)
{
    return asked || estimator_trains(model->method);
}

/* It is an error, with this advice, if the model is of a version whose models kept no scores. */
dedpul_status model_check_kept(const struct model *model, const char *advice, dedpul_error *error);

/* model_init makes an empty model; model_close frees what it holds. */
void model_init(struct model *model, const dedpul_allocator *allocator);
void model_close(struct model *model);

/*
 * Computes logits of rows: labeled against unlabeled, as if kinds had been labeled at the same rate. Fills
 * the parts of the kinds, unless `part` is NULL. `beside` is as for scorer_score.
 */
dedpul_status model_score(struct context *context, const struct model *model, size_t n,
                          const float *x /* (n, width) */, const struct beside *beside,
                          double *logit /* (n) */, double *part /* (n, kinds.n) */);

/*
 * Scores new rows as cross-fitting scored those of the fit: each by the members that left out one of its
 * folds. Folds are dealt by the rows' places, of which `first` is that of row 0. The number of folds is the
 * fit's.
 */
dedpul_status scorer_score_as_fit(struct context *context, const struct scorer *scorer, size_t folds,
                                  size_t first, size_t n, const float *x /* (n, width) */,
                                  const struct beside *beside, double *logit /* (n) */);

/* Makes a curve with fewer points; its heights times `scale` stay within `tolerance` of the given one. */
dedpul_status curve_thin(struct context *context, size_t n, const double *logit, const double *ratio,
                         double scale, double tolerance, struct arena *memory, struct curve *curve);

#endif
