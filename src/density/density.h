/*
 * One-dimensional densities of scores, behind one interface. kde and gmm are densities of the logit score,
 * and hist is a density of the score. The factor between the two is the same for P and U, so it cancels in
 * f_p/f_u.
 */
#ifndef DEDPUL_DENSITY_DENSITY_H
#define DEDPUL_DENSITY_DENSITY_H

#include "sample.h"

enum sample_role { ROLE_P, ROLE_U };

enum bandwidth_rule {
    BANDWIDTH_FACTOR,   /* value * standard deviation of the sample's logits */
    BANDWIDTH_ABSOLUTE, /* value, in logits */
    BANDWIDTH_AUTO,     /* by held-out likelihood */
};

struct bandwidth {
    enum bandwidth_rule rule;
    double value;
};

struct density_kind;

/* How to estimate the densities of both samples. */
struct density_plan {
    const struct density_kind *kind;
    struct bandwidth bandwidth_p, bandwidth_u;
};

/* How to estimate the density of one of the samples. */
struct density_request {
    enum sample_role role;
    struct bandwidth bandwidth; /* kinds without a bandwidth only look if the rule is auto */
};

struct density {
    const struct density_kind *kind;
    double size;       /* bandwidth, number of components or number of bins */
    const void *state; /* what else the kind needs; borrowed, or in the context's memory */
};

struct density_kind {
    const char *name;
    const char *summary;
    bool has_bandwidth; /* density.size is a bandwidth in logits */
    bool is_of_score;   /* a density of the score, not of its logit */
    dedpul_status (*fit)(struct context *context, const struct sample *sample,
                         const struct density_request *request, struct density *density);
    dedpul_status (*evaluate)(struct context *context, const struct density *density,
                              const struct sample *points, double *out /* (points->n) */);
    /* Called after both densities were fitted, to settle what they must share; may be NULL. */
    dedpul_status (*settle)(struct context *context, const struct sample *p, const struct sample *u,
                            const struct density_plan *plan, struct density *f_p, struct density *f_u);
};

/* The registry: a new density is one file and one word here. The first is the default. */
#define DENSITY_KINDS(X) X(kde) X(gmm) X(histogram)

#define X(name) extern const struct density_kind density_##name;
DENSITY_KINDS(X)
#undef X

/* NULL for an index out of range. */
const struct density_kind *density_kind_at(size_t index);
size_t density_kind_count(void);

/* Finds a kind by its name. Returns NULL, with the error set, if there is none. */
const struct density_kind *density_kind_find(const char *name, dedpul_error *error);

/* Fits the densities of both samples. */
dedpul_status densities_fit(struct context *context, const struct sample *p, const struct sample *u,
                            const struct density_plan *plan, struct density *f_p, struct density *f_u);

#endif
