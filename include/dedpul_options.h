/* Options of libdedpul: one struct for estimates from scores, fits and comparisons. Include <dedpul.h>. */
#ifndef DEDPUL_OPTIONS_H
#define DEDPUL_OPTIONS_H

#include "dedpul_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dedpul_smoothing {
    DEDPUL_SMOOTHING_TREND = 0, /* monotonize, rolling median, then the soft running maximum */
    DEDPUL_SMOOTHING_PAPER = 1, /* monotonize and rolling median, as in the paper's text */
    DEDPUL_SMOOTHING_NONE = 2   /* the raw density ratio */
} dedpul_smoothing;

/* Whether alpha gets an interval, and where from. */
typedef enum dedpul_interval_kind {
    DEDPUL_INTERVAL_OFF = 0,
    DEDPUL_INTERVAL_ON = 1,       /* from alpha's distribution, if the method knows it, or by the bootstrap */
    DEDPUL_INTERVAL_BOOTSTRAP = 2 /* from resamples of the rows */
} dedpul_interval_kind;

/* Posteriors of methods that know alpha's distribution. */
typedef enum dedpul_posterior_kind {
    DEDPUL_POSTERIOR_MEAN = 0, /* the mean over alpha's distribution */
    DEDPUL_POSTERIOR_PLAIN = 1 /* those for alpha: min(scale * ratio, 1) */
} dedpul_posterior_kind;

/* How much work a fit is worth. */
typedef enum dedpul_effort {
    DEDPUL_EFFORT_LOW = 0, /* half the time */
    DEDPUL_EFFORT_NORMAL = 1,
    DEDPUL_EFFORT_HIGH = 2 /* four times as long */
} dedpul_effort;

typedef enum dedpul_solver {
    DEDPUL_SOLVER_EXACT = 0, /* the root of D(alpha), exact */
    DEDPUL_SOLVER_EM = 1     /* the paper's EM from alpha = 1, tolerance 1e-5 */
} dedpul_solver;

typedef enum dedpul_bandwidth_rule {
    DEDPUL_BANDWIDTH_FACTOR = 0,   /* value * standard deviation of the sample's logit scores */
    DEDPUL_BANDWIDTH_ABSOLUTE = 1, /* value, in units of the logit score */
    DEDPUL_BANDWIDTH_AUTO = 2      /* by 5-fold held-out likelihood; value is not read */
} dedpul_bandwidth_rule;

typedef struct dedpul_bandwidth {
    dedpul_bandwidth_rule rule;
    double value;
} dedpul_bandwidth;

typedef enum dedpul_stopping {
    DEDPUL_STOPPING_COMMON = 0, /* one epoch for all models, by the loss of their averaged held-out logits */
    DEDPUL_STOPPING_EACH = 1    /* each model stops by the loss on its own fold */
} dedpul_stopping;

typedef enum dedpul_encode {
    DEDPUL_ENCODE_ONEHOT = 0, /* text columns with more than 2 levels: one feature per level */
    DEDPUL_ENCODE_ORDINAL = 1 /* the level's number in sorted order */
} dedpul_encode;

typedef enum dedpul_scale {
    DEDPUL_SCALE_RANK = 0,     /* ranks to normal quantiles, if there are at least 10 distinct values */
    DEDPUL_SCALE_STANDARD = 1, /* mean 0, standard deviation 1 */
    DEDPUL_SCALE_NONE = 2
} dedpul_scale;

/* The loss of a classifier of positives against negatives; y is its probability that a row is positive. */
typedef enum dedpul_loss {
    DEDPUL_LOSS_SIGMOID = 0, /* 1 - y for positives, y for negatives */
    DEDPUL_LOSS_BRIER = 1,   /* the squares of these */
    DEDPUL_LOSS_LOGISTIC = 2 /* -log y, -log(1 - y) */
} dedpul_loss;

struct dedpul_classifier;

/*
 * Call dedpul_options_init first, then set what differs from the defaults. The strings are borrowed until the
 * call that takes the options returns. Later versions add fields at the end; `size` tells the library which
 * fields the program knows, and the others keep their defaults. dedpul_option_at describes each field that
 * has a name.
 */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): fields are in the order of their versions */
typedef struct dedpul_options {
    size_t size; /* of this struct as the program knows it; dedpul_options_init writes it */

    const char *method;  /* a name of dedpul_method_name; default "pooled" */
    const char *density; /* a name of dedpul_density_name; default "kde" */
    /* Bandwidths of the kernels for P and U. For gmm and hist, auto chooses components or bins, a factor is
     */
    /* not read, and a value in logits is an error. */
    dedpul_bandwidth bandwidth_p;      /* default factor 0.12 */
    dedpul_bandwidth bandwidth_u;      /* default factor 0.08 */
    dedpul_smoothing smoothing;        /* default trend */
    dedpul_solver solver;              /* default exact */
    double alpha;                      /* the share if it is known, in [0, 1]; default NaN: estimate it */
    unsigned resamples;                /* for an interval by the bootstrap; default 0: 200, if it is wanted */
    double level;                      /* of the interval; default 0.95 */
    int bands;                         /* whether posteriors get intervals too; default 0 */
    uint64_t seed;                     /* of all random numbers; default 0 */
    unsigned threads;                  /* default 0: one per online processor */
    const dedpul_allocator *allocator; /* default NULL: malloc */
    dedpul_progress_function *progress; /* default NULL */
    void *progress_context;

    /* The fields below are about fits of tables; estimates from scores do not read them. */
    const char *classifier; /* a name of dedpul_classifier_name; default NULL: blend, mlp for a single */
                            /* feature, conv for images, or gbdt if networks would take too long */
    const struct dedpul_classifier *plugin; /* your own classifier, instead of `classifier`; default NULL */
    int pn;                   /* also train a classifier of positives against negatives; default 0 */
    unsigned folds;           /* of cross-fitting; default 5 */
    unsigned ensemble;        /* partitions into folds, each with its own models; default 0: by effort */
    dedpul_stopping stopping; /* default common */
    dedpul_encode encode;     /* default one-hot */
    dedpul_scale scale;       /* default rank */
    unsigned pca; /* km1, km2 and tice look at this many principal components; default 0: at all features */

    const char *layers;   /* widths of hidden layers, "32,32"; "none"; default "auto": by effort, or for */
                          /* a single feature 64, without batch norm and dropout */
    int batch_norm;       /* default 1 */
    double dropout;       /* default 0.5 */
    double rate;          /* of Adam; default NaN: 2e-3; 1e-3 for a single feature, 1e-2 for logistic, */
                          /* 1e-4 for conv */
    double decay;         /* default 1e-4 */
    unsigned batch;       /* rows of each class in a step; default 32 */
    unsigned epoch_steps; /* an epoch has at least this many steps; default 12 */
    unsigned epochs;      /* at most; default 250 */
    unsigned min_epochs;  /* default 8 */
    unsigned patience;    /* in epochs; default 15 */

    dedpul_loss loss; /* of nnpu and upu; default Brier */
    double nn_beta;   /* nnpu steps back if its risk of negatives is below -nn_beta; default 0 */
    double nn_gamma;  /* with this factor; default 1 */

    unsigned tree_depth;    /* default 4 */
    double tree_rate;       /* default NaN: by effort */
    double tree_l2;         /* default 10 */
    unsigned tree_rounds;   /* at most; default 500 */
    unsigned tree_patience; /* in rounds; default 20 */

    /* These are about all estimates. */
    dedpul_interval_kind interval;   /* default off; resamples > 0 and bands ask for one, too */
    dedpul_posterior_kind posterior; /* default mean */

    dedpul_effort effort; /* of a fit; default normal. It chooses ensemble, layers and tree_rate, if they */
                          /* have their defaults */
    /*
     * Of dedpul_estimate: if a row stands for several with weights that are no counts, as those of
     * dedpul_bins_query do, the sum of the squares of their weights, so that it is known how many rows the
     * weights are worth. (rows->n) borrowed; default NULL: each row is one.
     */
    const double *squares;
    int check_labels; /* of a fit: is it plausible that labeled rows are a random draw? default 0 */
} dedpul_options;

/* Fills in the defaults of the fields that a struct of this size has. Call dedpul_options_init instead. */
DEDPUL_API void dedpul_options_init_sized(dedpul_options *options, size_t size);

static inline void dedpul_options_init(dedpul_options *options)
{
    dedpul_options_init_sized(options, sizeof *options);
}

/*
 * Sets the option of that name from text, as the command line does ("smoothing", "paper"). "preset" sets
 * several options at once: "paper" for the published protocol, "default" for the defaults.
 */
DEDPUL_API dedpul_status dedpul_options_set(dedpul_options *options, const char *name, const char *value,
                                            dedpul_error *error);

/* What kind of value an option takes. */
typedef enum dedpul_option_kind {
    DEDPUL_OPTION_NUMBER = 0, /* from `least` to `most` */
    DEDPUL_OPTION_WHOLE = 1,  /* a whole number from `least` to `most` */
    DEDPUL_OPTION_CHOICE = 2, /* one of the words in `value`, "trend|paper|none" */
    DEDPUL_OPTION_TEXT = 3    /* a name, or another form that `value` shows */
} dedpul_option_kind;

/* Describes an option of dedpul_options_set, for command lines, bindings and documentation. */
typedef struct dedpul_option_info {
    const char *name;          /* "bandwidth-p" */
    const char *value;         /* "X|Xsd|auto" */
    const char *default_value; /* "0.12sd"; NULL if there is none */
    const char *help;          /* one sentence */
    dedpul_option_kind kind;
    double least, most; /* bounds of a number; both are 0 for other kinds */
    int needs_table;    /* 1 if it is about fits; estimates from scores do not read it */
} dedpul_option_info;

DEDPUL_API size_t dedpul_option_count(void);
/* NULL for an index out of range. */
DEDPUL_API const dedpul_option_info *dedpul_option_at(size_t index);

/*
 * Returns the name nearest to a mistyped one, or NULL if none is near. Command lines and bindings can use it
 * in messages about their own names.
 */
DEDPUL_API const char *dedpul_nearest_name(const char *mistyped, size_t count,
                                           const char *const *names /* (count) */);

/* ---- names of methods, densities and classifiers ----------------------------------------------- */

DEDPUL_API size_t dedpul_method_count(void);
/* NULL for an index out of range. Static strings. */
DEDPUL_API const char *dedpul_method_name(size_t index);
DEDPUL_API const char *dedpul_method_summary(size_t index);
/* Returns 1 if the method looks at features, not at scores alone, so that it needs a table (dedpul_fit). */
DEDPUL_API int dedpul_method_needs_table(size_t index);

DEDPUL_API size_t dedpul_density_count(void);
DEDPUL_API const char *dedpul_density_name(size_t index);
DEDPUL_API const char *dedpul_density_summary(size_t index);

DEDPUL_API size_t dedpul_classifier_count(void);
DEDPUL_API const char *dedpul_classifier_name(size_t index);
DEDPUL_API const char *dedpul_classifier_summary(size_t index);

#ifdef __cplusplus
}
#endif

#endif
