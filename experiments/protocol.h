/* The published protocol: its sets, shares and samples, its methods, and how its classifiers are trained. */
#ifndef DEDPUL_EXPERIMENTS_PROTOCOL_H
#define DEDPUL_EXPERIMENTS_PROTOCOL_H

#include <dedpul.h>

enum kind { KIND_SYNTHETIC, KIND_DATASETS, N_KINDS };

/* "synthetic", "datasets" */
const char *kind_name(enum kind kind);

/* Negatives of a synthetic set, L(location, scale); positives are L(0, 1). */
struct laplace {
    double location, scale;
};

enum { MOST_ALPHAS = 7 };

struct set {
    const char *name;
    enum kind kind;
    struct laplace negative; /* of a synthetic set */
    double rate;             /* at which its networks learn */
    struct sample_size {
        double alpha;
        unsigned labeled, positive, negative; /* the latter two unlabeled */
    } sample[MOST_ALPHAS];
    unsigned n_samples;
};

/* NULL for an index out of range. */
const struct set *set_at(unsigned index);

/* A method, or a variant of one: what it sets before it runs. */
struct variant {
    const char *name;
    const char *title;         /* for tables and figures: "DEDPUL, Gaussian mixtures" */
    const char *published;     /* its name in the published results, or NULL */
    int is_ablation;           /* of DEDPUL */
    int needs_table;           /* looks at features, or trains networks of its own */
    const char *options[4][2]; /* name and value */
};

/* NULL for an index out of range, and for an unknown name. The first is DEDPUL. */
const struct variant *variant_at(unsigned index);
const struct variant *variant_find(const char *name);

#endif
