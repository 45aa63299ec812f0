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

enum { MOST_FILES = 5 };

struct set {
    const char *name;
    enum kind kind;
    unsigned n_samples;
    struct laplace negative;      /* of a synthetic set */
    const char *positive;         /* classes that are positive; NULL: values above the mean */
    const char *standardised;     /* the only column of numbers that is standardised; NULL: all */
    const char *file[MOST_FILES]; /* below a directory of the set's name; none: NAME.csv or NAME.csv.gz */
    const char *classifier;       /* the kind of the published network */
    const char *rate;             /* its learning rate */
    struct sample_size {
        double alpha;
        unsigned labeled, positive, negative; /* positive and negative rows are unlabeled */
    } sample[MOST_ALPHAS];                    /* (n_samples) */
};

/* NULL for an index out of range. */
const struct set *set_at(unsigned index);

/* Tells whether the rows are images: these have their classes in separate files, or are files of CIFAR-10. */
int set_has_images(const struct set *set);

/* Tells whether the set is one of the eight tables. */
int set_is_uci(const struct set *set);

/* What a method answers. If it answers with alpha alone, its posteriors for a given alpha are DEDPUL's. */
enum answers { ANSWERS_BOTH, ANSWERS_ALPHA, ANSWERS_POSTERIORS };

/* A method, or a variant of one: the options that it sets before it runs. */
struct variant {
    const char *name;
    const char *title;     /* for tables and figures: "DEDPUL, Gaussian mixtures" */
    const char *published; /* its name in the published results, or NULL */
    int is_ablation;       /* of DEDPUL */
    int needs_table;       /* looks at features, or trains networks of its own */
    enum answers answers;
    unsigned components;       /* of images that it looks at; 0: it does not look at features */
    const char *options[2][2]; /* name and value */
};

/* NULL for an index out of range, and for an unknown name. The first is DEDPUL. */
const struct variant *variant_at(unsigned index);
const struct variant *variant_find(const char *name);

/*
 * Set the options in which the published training differs from the preset "paper": that of a set's
 * classifier, and that of nnPU on the set.
 */
dedpul_status protocol_set_options(const struct set *set, dedpul_options *options, dedpul_error *error);
dedpul_status protocol_set_nnpu(const struct set *set, dedpul_options *options, dedpul_error *error);

/* Sets the options that make the variant. */
dedpul_status protocol_set_variant(const struct set *set, const struct variant *variant,
                                   dedpul_options *options, dedpul_error *error);

#endif
