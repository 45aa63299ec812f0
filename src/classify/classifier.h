/* Classifiers that learn to tell two classes apart, behind one interface. */
#ifndef DEDPUL_CLASSIFY_CLASSIFIER_H
#define DEDPUL_CLASSIFY_CLASSIFIER_H

#include "bytes.h"
#include "image_shape.h"
#include "risk.h"
#include "settings.h"

/*
 * Examples of class 1 and class 0, which a classifier learns to tell apart. Each is a row of the matrix; a
 * row may be an example more than once. Both classes count the same in total, whatever their weights.
 */
struct examples {
    size_t n_rows, width;
    const float *x;           /* (n_rows, width) */
    struct image_shape image; /* of a row, if rows are images */
    size_t n;
    const uint32_t *row;        /* (n) of the matrix; NULL: example i is row i */
    const unsigned char *label; /* (n) class 1 or 0 */
    const double *weight;       /* (n) counts; NULL: each example counts once */
};

static inline size_t example_row(const struct examples *examples, size_t index)
{
    return examples->row != NULL ? examples->row[index] : index;
}

/* Copies the given rows of the matrix to x, one after the other. */
void examples_gather(const struct examples *examples, size_t n, const uint32_t *row /* (n) */,
                     float *x /* (n, width) */);

/* Early stopping scores at most this many held-out rows per class. */
enum { MOST_WATCHED = 20000 };

/*
 * One of the models that are trained side by side. It learns from the examples of rows outside its fold, and
 * early stopping watches it on some rows inside its fold.
 */
struct member {
    const unsigned char *fold; /* (n_rows) the fold of each row, in one partition */
    unsigned held_out;         /* the member's own fold */
    size_t n_watched;
    const uint32_t *watched; /* (n_watched) rows */
    double *logit;           /* (n_watched) filled by `watch` */
};

static inline bool member_learns_from(const struct member *member, size_t row)
{
    return member->fold[row] != member->held_out;
}

struct training {
    const struct examples *examples;
    size_t n_members;
    const struct member *member; /* (n_members) */
    const struct training_settings *settings;
    const struct risk *risk; /* its alpha may change between epochs */
};

/* How long training goes on: epochs of networks, rounds of trees. */
struct schedule {
    unsigned fewest; /* the first one that may be chosen */
    unsigned most;
    unsigned patience;
    unsigned partitions; /* of the rows into folds, each with its own models */
};

/*
 * Roughly how long training takes, in seconds of one core of a common machine. Only the ratios of such times
 * count, because a fit measures its own speed.
 */
struct training_time {
    double start;   /* before the first epoch */
    double epoch;   /* or round, of all members */
    double epochs;  /* training often ends after so many; 0: not known */
    double by_fall; /* how much longer it goes on if its loss falls slowly; see training_end.c */
};

struct classifier;

/* How to load models from bytes. */
struct loading {
    size_t width;                 /* features of a row */
    bool only_described;          /* models will not score rows, so they need not be complete */
    bool only_singles;            /* networks have no precision: all are in single precision */
    const struct classifier *own; /* the program's own, which is not in the registry; may be NULL */
    const struct plugin *plugin;  /* what `own` needs */
};

/*
 * A kind of classifier. Its functions work on the whole set of members, so that an implementation may train
 * them one by one on all cores, or all at once with batched operations. What members compute must not depend
 * on the number of threads.
 */
struct classifier {
    const char *name;
    const char *summary;
    bool for_images;          /* rows must have a shape */
    bool takes_risks;         /* can minimise any risk, not only RISK_CLASSES */
    const char *unit;         /* the unit of training: "epochs", "rounds"; NULL: training is a single step */
    const char *limit_option; /* the option that limits training: "--epochs" */
    /* What a model calls its kind; NULL: `name`. */
    const char *(*model_name)(const void *model);
    struct schedule (*schedule)(const struct examples *examples, const struct training_settings *settings);
    /* Estimates the floating-point operations of training; NULL: they are few for any table. */
    double (*work)(const struct examples *examples, const struct training_settings *settings);
    /* NULL: not known. */
    struct training_time (*time)(const struct examples *examples, const struct training_settings *settings);

    /* Creates a set of untrained members. What `training` points to must stay until `destroy`. */
    dedpul_status (*create)(struct context *context, const struct training *training, void **set);
    /* Trains each active member for one epoch. */
    dedpul_status (*advance)(struct context *context, void *set, const bool *active /* (n_members) */);
    /* Fills the logits of each active member for its watched rows. */
    dedpul_status (*watch)(struct context *context, void *set, const bool *active /* (n_members) */);
    /* Remembers the state that these members had at the last `watch`; `finish` will use it. */
    dedpul_status (*keep)(struct context *context, void *set, const bool *which /* (n_members) */);
    /* Makes a trained model in `memory`, from the state kept. */
    dedpul_status (*finish)(struct context *context, void *set, size_t member, struct arena *memory,
                            void **model);
    void (*destroy)(void *set); /* accepts a set whose creation failed, and NULL */

    /* Computes logits of rows. A model is used by one thread at a time. */
    dedpul_status (*score)(struct context *context, const void *model, size_t n,
                           const float *x /* (n, width) */, double *logit /* (n) */);
    /* Writes a model as bytes that any machine can load, and loads it from them. */
    dedpul_status (*save)(struct context *context, const void *model, struct bytes *bytes);
    dedpul_status (*load)(struct context *context, const struct loading *loading, struct bytes_reader *bytes,
                          struct arena *memory, void **model);
    void (*close)(void *model); /* accepts NULL */
};

/* The built-in ones: a new classifier is one file and one word here. */
#define CLASSIFIERS(X) X(mlp) X(gbdt) X(logistic) X(conv)

#define X(name) extern const struct classifier classifier_##name;
CLASSIFIERS(X)
#undef X

size_t classifier_count(void);
const struct classifier *classifier_at(size_t index);

/* Finds a built-in classifier by its name. Returns NULL if there is none. */
const struct classifier *classifier_find(const char *name);

#endif
