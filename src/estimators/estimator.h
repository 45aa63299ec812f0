/*
 * Estimators of the proportion, behind one interface. Each computes the density ratio at the unlabeled rows,
 * and alpha from it. Most use scores alone; some look at the features of the rows.
 */
#ifndef DEDPUL_ESTIMATORS_ESTIMATOR_H
#define DEDPUL_ESTIMATORS_ESTIMATOR_H

#include "density.h"
#include "feature_rows.h"
#include "mixture.h"
#include "ratio.h"
#include "risk.h"
#include "scales.h"

/* The points where densities are drawn, and their values there. */
struct density_grid {
    size_t n;
    double *logit;                /* (n) ascending */
    double *positive, *unlabeled; /* (n) densities of the logit */
};

enum smoothing {
    SMOOTHING_TREND, /* monotonize, rolling median, then the soft running maximum */
    SMOOTHING_PAPER, /* monotonize and rolling median */
    SMOOTHING_NONE,
};

/* How to get from scores to the density ratio. */
struct ratio_plan {
    struct density_plan density;
    enum smoothing smoothing;
};

struct problem {
    const struct sample *p, *u;
    const struct ratio_plan *plan;
    const struct feature_rows *features; /* NULL if only scores are known */
};

/* The densities behind a ratio, written by methods that use them. */
struct densities {
    const struct density_kind *kind; /* NULL: none were used */
    double bandwidth_p, bandwidth_u; /* of kernel densities; NaN for other kinds */
    double mean_ratio;               /* before smoothing */
    struct density_grid *grid;       /* filled in unless it is NULL */
};

static inline struct densities no_densities(struct density_grid *grid)
{
    return (struct densities){NULL, NAN, NAN, NAN, grid};
}

/* How alpha was found. */
enum rule {
    RULE_ROOT,      /* alpha_c */
    RULE_MAX_SLOPE, /* alpha_n, because D has only the trivial root 0 */
    RULE_FORMULA,   /* the method's own formula */
    RULE_GIVEN,     /* the caller gave it */
    RULE_MEDIAN,    /* of alpha's distribution */
};

struct proportion {
    double alpha_c; /* the root of D, by the solver asked for */
    double alpha_n; /* max_slope */
    double alpha;   /* the estimate */
    enum rule rule;
};

/* How the scale of the posteriors follows from alpha. */
enum posterior_rule {
    SCALE_IS_ALPHA,     /* scale = alpha; if alpha was given, as below */
    SCALE_MEETS_ALPHA,  /* the scale for which the mean posterior is alpha */
    SCALE_ALWAYS_ALPHA, /* scale = alpha, even if alpha was given */
};

struct estimator {
    const char *name;
    const char *summary;
    bool needs_features;
    enum risk_kind training; /* networks trained on this risk give the posteriors (and, with RISK_CVIR, */
                             /* alpha); RISK_CLASSES: the method trains no networks of its own */
    enum posterior_rule posterior;
    dedpul_status (*ratio)(struct context *context, const struct problem *problem,
                           struct densities *densities, struct ratio *ratio);
    bool pools_root; /* alpha's distribution is pooled with the root of D */
    /* Finds alpha's distribution, whose median is the estimate; NULL: the method does not know it. */
    dedpul_status (*distribution)(struct context *context, const struct problem *problem,
                                  struct alpha_quantiles *quantiles);
    /* Methods without it: sets alpha and rule; alpha_c and alpha_n are set already. */
    dedpul_status (*alpha)(struct context *context, const struct problem *problem,
                           const struct mixture *mixture, struct proportion *proportion);
};

/*
 * The registry: a new estimator is one file and one word here. The first is the default; those that need
 * features are last.
 */
#define ESTIMATORS(X) \
    X(pooled)         \
    X(learned)        \
    X(dedpul)         \
    X(dedpul_bbe)     \
    X(simple_alpha)   \
    X(bbe)            \
    X(en_e1)          \
    X(en_e3)          \
    X(en_em)          \
    X(ntc_tice)       \
    X(alphamax)       \
    X(roc)            \
    X(tice)           \
    X(km1)            \
    X(km2)            \
    X(nnpu)           \
    X(upu)            \
    X(tedn)

#define X(name) extern const struct estimator estimator_##name;
ESTIMATORS(X)
#undef X

/* NULL for an index out of range. */
const struct estimator *estimator_at(size_t index);
size_t estimator_count(void);

/* Finds an estimator by its name. Returns NULL, with the error set, if there is none. */
const struct estimator *estimator_find(const char *name, dedpul_error *error);

/* Tells whether the method trains networks of its own. */
static inline bool estimator_trains(const struct estimator *estimator)
{
    return estimator->training != RISK_CLASSES;
}

/* Tells whether these networks need an alpha that is found before their training. */
static inline bool estimator_takes_alpha(const struct estimator *estimator)
{
    return estimator->training == RISK_UPU || estimator->training == RISK_NNPU;
}

/* ---- parts that several estimators share ---- */

/* DEDPUL's ratio: that of the plan's densities, smoothed. */
dedpul_status density_ratio(struct context *context, const struct problem *problem,
                            struct densities *densities, struct ratio *ratio);

/* The same with the given smoothing; `normalise` divides the ratios by their mean first. */
dedpul_status density_ratio_smoothed(struct context *context, const struct problem *problem,
                                     enum smoothing smoothing, bool normalise, struct densities *densities,
                                     struct ratio *ratio);

/* alpha_c, or alpha_n if only the trivial root exists. */
dedpul_status alpha_of_root(struct context *context, const struct problem *problem,
                            const struct mixture *mixture, struct proportion *proportion);

/* Best bin estimate. */
double best_bin(const struct sample *p, const struct sample *u);
dedpul_status alpha_of_best_bin(struct context *context, const struct problem *problem,
                                const struct mixture *mixture, struct proportion *proportion);

#endif
