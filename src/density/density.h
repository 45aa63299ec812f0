/*
 * One-dimensional densities of scores, behind one interface. kde and gmm are densities of the logit
 * score, hist of the score; the factor between the two is the same for P and U and cancels in f_p/f_u.
 */
#ifndef DEDPUL_DENSITY_DENSITY_H
#define DEDPUL_DENSITY_DENSITY_H

#include "sample.h"

enum sample_role { ROLE_P, ROLE_U };

/* What the user asked for, for one of the samples. */
struct density_request {
    enum sample_role role;
    dedpul_bandwidth bandwidth; /* kernel densities; of the others only the rule auto is read */
};

struct density {
    const struct density_kind *kind;
    double size;       /* bandwidth, number of components, number of bins */
    const void *state; /* what the kind needs beside it; borrowed, or in the context's memory */
};

struct density_kind {
    const char *name;
    const char *summary;
    dedpul_status (*fit)(struct context *context, const struct sample *sample,
                         const struct density_request *request, struct density *density);
    dedpul_status (*evaluate)(struct context *context, const struct density *density,
                              const struct sample *points, double *out /* (points->n) */);
};

extern const struct density_kind density_kde, density_gmm, density_histogram;

/* The registry; NULL for an index out of range. */
const struct density_kind *density_kind_at(size_t index);
size_t density_kind_count(void);

/* NULL, with the error set, where there is none of that name. */
const struct density_kind *density_kind_find(const char *name, dedpul_error *error);

/* The densities of both samples, by the options' density and bandwidths. */
dedpul_status densities_fit(struct context *context, const struct sample *p, const struct sample *u,
                            const dedpul_options *options, struct density *f_p, struct density *f_u);

#endif
