/* A fitted model. */
#ifndef DEDPUL_MODEL_MODEL_H
#define DEDPUL_MODEL_MODEL_H

#include "encoding.h"
#include "ensemble.h"

enum { MOST_PARTS = 2 };

/*
 * One ensemble, or several whose logits are z-scored, averaged, and brought back to the mean center and
 * spread: logit = center + spread * mean over parts of (part's logit - its center) / its spread.
 */
struct scorer {
    size_t n_parts;
    struct ensemble part[MOST_PARTS];
    double part_center[MOST_PARTS], part_spread[MOST_PARTS];
    double center, spread;
};

/* (logit, ratio) points for new rows. */
struct curve {
    size_t n;
    double *logit, *ratio; /* (n) logit ascending */
};

struct dedpul_model {
    dedpul_model_info info;
    struct context memory;    /* holds all arrays and texts */
    struct image_shape image; /* of the rows, where they are images */
    struct encoding encoding;
    struct scorer ntc; /* labeled against unlabeled */
    struct curve curve;
    struct scorer pn; /* positive against negative; no parts where there is none */
    double pn_shift;  /* from its logit for equal classes to that for the unlabeled rows' share */
};

dedpul_model *model_create(const dedpul_allocator *allocator, dedpul_error *error);

/* Fills what info says about the parts; plugin is the one they were trained with, or NULL. */
dedpul_status model_describe_parts(dedpul_model *model, const dedpul_classifier *plugin);

dedpul_status scorer_score(struct context *context, const struct scorer *scorer, size_t n,
                           const float *x /* (n, width) */, double *logit /* (n) */);

/* A curve with fewer points, whose heights times `scale` stay within `tolerance` of the given one's. */
dedpul_status curve_thin(struct context *context, size_t n, const double *logit, const double *ratio,
                         double scale, double tolerance, struct context *memory, struct curve *curve);

double sigmoid(double logit);

#endif
