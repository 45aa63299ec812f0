/* scores -> sorted samples -> densities -> ratio -> mixture -> alpha and posteriors. */
#ifndef DEDPUL_SCORES_ESTIMATE_H
#define DEDPUL_SCORES_ESTIMATE_H

#include "interval.h"
#include "solve.h"

/* The input of an estimate. With labels, both members hold the same rows; without, each is a whole sample. */
struct score_input {
    struct scored_rows positive, unlabeled;
    const unsigned char *label;          /* (n) 1 = labeled positive, 0 = unlabeled; NULL: two samples */
    const struct feature_rows *features; /* the features of these rows; NULL: not known */
};

/* The answer. The arrays over unlabeled rows are in the order of the input. */
struct estimate {
    struct solution solution;
    struct densities densities; /* with the grid that is drawn */
    double auc;                 /* of labeled against unlabeled scores */
    size_t n_positive, n_unlabeled;
    double weight_positive, weight_unlabeled;
    double *ratio, *posterior; /* (n_unlabeled) */
    struct interval interval;
    double *posterior_low, *posterior_high; /* (n_unlabeled); NULL: no bands */
    struct density_grid grid;               /* n is 0 if no densities were used */
    double *grid_ratio;                     /* (grid.n) smoothed */
    size_t n_points;
    double *point_logit, *point_ratio; /* (n_points) the ratio at each distinct logit of unlabeled rows */
    double curve_d[CURVE_POINTS];      /* D at curve_alpha(0), curve_alpha(1), ... */
};

/* The estimate's arrays are in `memory`. If the method needs features, the input must have them. */
dedpul_status estimate(struct context *context, const struct score_input *input,
                       const struct estimate_plan *plan, struct arena *memory, struct estimate *estimate);

#endif
