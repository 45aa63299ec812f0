/*
 * Estimators of the proportion, behind one interface: each says what the density ratio at the unlabeled
 * rows is, and what alpha follows from it. Most know scores alone; some look at the features of the rows.
 */
#ifndef DEDPUL_ESTIMATORS_ESTIMATOR_H
#define DEDPUL_ESTIMATORS_ESTIMATOR_H

#include "feature_rows.h"
#include "mixture.h"
#include "ratio.h"
#include "sample.h"

#include <stdbool.h>

/* Where densities are to be drawn. */
struct density_grid {
    size_t n;
    double *logit;                /* (n) ascending */
    double *positive, *unlabeled; /* (n) densities of the logit */
};

struct problem {
    const struct sample *p, *u;
    const dedpul_options *options;
    const struct feature_rows *features; /* NULL where only scores are known */
    /* Written by those who use densities; the bandwidths by those who use kernels. */
    const char *density;
    double bandwidth_p, bandwidth_u;
    double mean_ratio;         /* before smoothing */
    struct density_grid *grid; /* filled in where it is not NULL */
};

struct proportion {
    double alpha_c; /* the root of D, by the solver asked for */
    double alpha_n; /* max_slope */
    double alpha;   /* the estimate */
    dedpul_rule rule;
};

/* How posteriors min(scale r, 1) follow from alpha. */
enum posterior_rule {
    SCALE_IS_ALPHA,     /* scale = alpha, unless alpha was given: then as below */
    SCALE_MEETS_ALPHA,  /* the scale for which the mean posterior is alpha */
    SCALE_ALWAYS_ALPHA, /* scale = alpha, also where it was given */
};

struct estimator {
    const char *name;
    const char *summary;
    bool needs_features;
    enum posterior_rule posterior;
    dedpul_status (*ratio)(struct context *context, struct problem *problem, struct ratio *ratio);
    /* alpha_c and alpha_n are there already; sets alpha and rule. */
    dedpul_status (*alpha)(struct context *context, const struct problem *problem,
                           const struct mixture *mixture, struct proportion *proportion);
};

extern const struct estimator estimator_dedpul, estimator_dedpul_bbe, estimator_simple_alpha, estimator_bbe,
    estimator_en_e1, estimator_en_e3, estimator_en_em, estimator_ntc_tice, estimator_alphamax, estimator_roc,
    estimator_tice, estimator_km1, estimator_km2, estimator_nnpu, estimator_upu, estimator_tedn;

/* The registry; NULL for an index out of range. */
const struct estimator *estimator_at(size_t index);
size_t estimator_count(void);

/* NULL, with the error set, where there is none of that name. */
const struct estimator *estimator_find(const char *name, dedpul_error *error);

/* ---- parts that several estimators share ---- */

/* The smoothed ratio of the options' densities: DEDPUL's. */
dedpul_status density_ratio(struct context *context, struct problem *problem, struct ratio *ratio);

/* The same with the smoothing given, and with the ratios divided by their mean first if asked for. */
dedpul_status density_ratio_smoothed(struct context *context, struct problem *problem,
                                     dedpul_smoothing smoothing, int normalise, struct ratio *ratio);

/* alpha_c, or alpha_n where only the trivial root exists. */
dedpul_status alpha_of_root(struct context *context, const struct problem *problem,
                            const struct mixture *mixture, struct proportion *proportion);

/* Best bin estimate. */
double best_bin(const struct sample *p, const struct sample *u);
dedpul_status alpha_of_best_bin(struct context *context, const struct problem *problem,
                                const struct mixture *mixture, struct proportion *proportion);

#endif
