/*
 * libdedpul: positive-unlabeled learning, from a table or from the scores of any classifier.
 *
 * There are labeled positives P and unlabeled rows U. A classifier was trained to tell P from U and
 * gave each row a score in [0, 1], high where the row looks positive. From these scores the library
 * estimates
 *
 *   alpha      the share of positives among the unlabeled rows (an upper bound of it where the two
 *              classes overlap everywhere), and
 *   posterior  for each unlabeled row, the probability that it is positive.
 *
 * The method is DEDPUL (Ivanov, "DEDPUL: Difference-of-Estimated-Densities-based Positive-Unlabeled
 * Learning", 2020); its rivals stand beside it under the same interface, on scores or on a table.
 *
 * Conventions, everywhere in this header:
 *  - A function that can fail returns a dedpul_status; its outputs come last and are written only on
 *    DEDPUL_OK. A trailing dedpul_error * may be NULL; otherwise it receives the message.
 *  - "The call worked" is apart from "the estimate is good": the latter is in the result's warnings.
 *  - Inputs are borrowed for the duration of the call; what is kept is copied.
 *  - Free functions accept NULL.
 *  - There is no global state: calls on distinct objects may run in different threads. Results are
 *    the same bit for bit whatever the number of threads.
 */
#ifndef DEDPUL_H
#define DEDPUL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DEDPUL_API __attribute__((visibility("default")))
#else
#define DEDPUL_API
#endif

#define DEDPUL_VERSION_MAJOR 0
#define DEDPUL_VERSION_MINOR 4
#define DEDPUL_VERSION_PATCH 0

/* "MAJOR.MINOR.PATCH" of the library that is linked, which may differ from the header's. */
DEDPUL_API const char *dedpul_version(void);

/* ---- status and errors ----------------------------------------------------------------------- */

/* X(name, number, text). The numbers are part of the ABI. */
#define DEDPUL_STATUS_LIST(X)                                    \
    X(OK, 0, "success")                                          \
    X(INVALID_ARGUMENT, 1, "an argument or option is not valid") \
    X(INVALID_DATA, 2, "the data are not usable")                \
    X(NO_MEMORY, 3, "out of memory")                             \
    X(IO, 4, "a file could not be read or written")              \
    X(CANCELLED, 5, "stopped by the progress function")

typedef enum dedpul_status {
#define DEDPUL_ENUMERATOR_(name, number, text) DEDPUL_##name = number,
    DEDPUL_STATUS_LIST(DEDPUL_ENUMERATOR_)
#undef DEDPUL_ENUMERATOR_
} dedpul_status;

/* "OK", "INVALID_DATA", ...; "UNKNOWN" for a number that is no status. Static strings. */
DEDPUL_API const char *dedpul_status_name(dedpul_status status);
DEDPUL_API const char *dedpul_status_text(dedpul_status status);

/* Where and why a call failed: names the file, row, column, value or option, and what to do. */
typedef struct dedpul_error {
    dedpul_status status;
    char message[1024]; /* NUL-terminated; shortened where it would not fit */
} dedpul_error;

/* ---- memory ---------------------------------------------------------------------------------- */

/*
 * All memory of the library itself that grows with the data comes from here (not that of XGBoost and oneDNN).
 * One function, as realloc but with size 0 meaning free: resize(context, NULL, size) allocates,
 * resize(context, block, size) changes the size keeping the content, resize(context, block, 0) frees and
 * returns NULL. NULL for size > 0 means failure, and the old block stays. Blocks are aligned for any type. It
 * must be thread-safe where options.threads is not 1, and must outlive what was made with it.
 */
typedef struct dedpul_allocator {
    void *context;
    void *(*resize)(void *context, void *block, size_t size);
} dedpul_allocator;

/* ---- options --------------------------------------------------------------------------------- */

typedef enum dedpul_smoothing {
    DEDPUL_SMOOTHING_TREND = 0, /* monotonize, rolling median, then the soft running maximum */
    DEDPUL_SMOOTHING_PAPER = 1, /* monotonize and rolling median, as in the paper's text */
    DEDPUL_SMOOTHING_NONE = 2   /* the raw density ratio */
} dedpul_smoothing;

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

/*
 * Call dedpul_options_init first, then set what differs. The strings are borrowed until the call
 * that takes the options returns.
 */
typedef struct dedpul_options {
    const char *method;           /* a name of dedpul_method_name; default "dedpul" */
    const char *density;          /* a name of dedpul_density_name; default "kde" */
    dedpul_bandwidth bandwidth_p; /* of P's kernels; default factor 0.12. With gmm and hist only the */
    dedpul_bandwidth bandwidth_u; /* rule counts: auto chooses components or bins. Default factor 0.08 */
    dedpul_smoothing smoothing;   /* default trend */
    dedpul_solver solver;         /* default exact */
    double alpha;                 /* the share when it is known, in [0, 1]; default NaN: estimate it */
    unsigned resamples;           /* of the rows, for an interval; default 0: none */
    double level;                 /* of the interval; default 0.95 */
    int bands;                    /* intervals of posteriors, too; default 0 */
    uint64_t seed; /* default 0. Of all random numbers: folds, networks, gmm, automatic choices, resamples */
    unsigned threads;                  /* default 0: one per online processor */
    const dedpul_allocator *allocator; /* default NULL: malloc */
} dedpul_options;

DEDPUL_API void dedpul_options_init(dedpul_options *options);

/* Sets the option of that name from text, as the command line does ("smoothing", "paper"). */
DEDPUL_API dedpul_status dedpul_options_set(dedpul_options *options, const char *name, const char *value,
                                            dedpul_error *error);

/* What dedpul_options_set accepts, for command lines, bindings and documentation. */
typedef struct dedpul_option_info {
    const char *name;          /* "bandwidth-p" */
    const char *value;         /* "X|Xsd|auto" */
    const char *default_value; /* "0.12sd"; NULL where there is none */
    const char *help;          /* one sentence */
} dedpul_option_info;

DEDPUL_API size_t dedpul_option_count(void);
/* NULL for an index out of range. */
DEDPUL_API const dedpul_option_info *dedpul_option_at(size_t index);

/*
 * The name that comes nearest to a mistyped one, or NULL where none is near: for messages of command
 * lines and bindings about names of their own.
 */
DEDPUL_API const char *dedpul_nearest_name(const char *mistyped, size_t count,
                                           const char *const *names /* (count) */);

/* ---- methods and densities -------------------------------------------------------------------- */

DEDPUL_API size_t dedpul_method_count(void);
/* NULL for an index out of range. Static strings. */
DEDPUL_API const char *dedpul_method_name(size_t index);
DEDPUL_API const char *dedpul_method_summary(size_t index);
/* Whether the method looks at features, not at scores alone, so that it needs a table (dedpul_fit). */
DEDPUL_API int dedpul_method_needs_table(size_t index);

DEDPUL_API size_t dedpul_density_count(void);
DEDPUL_API const char *dedpul_density_name(size_t index);
DEDPUL_API const char *dedpul_density_summary(size_t index);

/* ---- estimation ------------------------------------------------------------------------------ */

/* How alpha was found. */
typedef enum dedpul_rule {
    DEDPUL_RULE_ROOT = 0,      /* alpha_c, the largest root of D */
    DEDPUL_RULE_MAX_SLOPE = 1, /* alpha_n, because D has only the trivial root 0 */
    DEDPUL_RULE_FORMULA = 2,   /* the method's own formula */
    DEDPUL_RULE_GIVEN = 3      /* options.alpha */
} dedpul_rule;

/* "root", "max_slope", "formula", "given"; "unknown" for a number that is no rule. */
DEDPUL_API const char *dedpul_rule_name(dedpul_rule rule);

/* X(name, number, code): doubts about the estimate. The numbers and codes are part of the ABI. */
#define DEDPUL_WARNING_LIST(X)                             \
    X(DISCRETE_SCORES, 1, "discrete_scores")               \
    X(UNINFORMATIVE_SCORES, 2, "uninformative_scores")     \
    X(TRIVIAL_ROOT, 3, "trivial_root")                     \
    X(PRIOR_NOT_SUPPORTED, 4, "prior_not_supported")       \
    X(PERFECT_SCORES, 5, "perfect_scores")                 \
    X(DROPPED_COLUMNS, 6, "dropped_columns")               \
    X(SLOW_NETWORKS, 7, "slow_networks")                   \
    X(MORE_COLUMNS_THAN_ROWS, 8, "more_columns_than_rows") \
    X(NO_NEGATIVES, 9, "no_negatives")                     \
    X(NUMBERS_AS_TEXT, 10, "numbers_as_text")              \
    X(REPEATED_ROWS, 11, "repeated_rows")                  \
    X(DENSITY_MISFIT, 12, "density_misfit")                \
    X(WEAKLY_IDENTIFIED, 13, "weakly_identified")          \
    X(FEW_LABELED_ON_TOP, 14, "few_labeled_on_top")        \
    X(ESTIMATORS_DISAGREE, 15, "estimators_disagree")      \
    X(SELECTED_LABELS, 16, "selected_labels")              \
    X(EPOCH_LIMIT, 17, "epoch_limit")

typedef enum dedpul_warning_code {
#define DEDPUL_ENUMERATOR_(name, number, code) DEDPUL_WARNING_##name = number,
    DEDPUL_WARNING_LIST(DEDPUL_ENUMERATOR_)
#undef DEDPUL_ENUMERATOR_
} dedpul_warning_code;

typedef struct dedpul_warning {
    dedpul_warning_code code;
    const char *name;    /* the code as text, "discrete_scores" */
    const char *message; /* a plain sentence and what to do */
} dedpul_warning;

/*
 * How far alpha may be off by chance: by a bootstrap over labeled and over unlabeled rows, with the densities
 * estimated anew in each resample. The scores stay, so it does not know how uncertain the classifier is.
 */
typedef struct dedpul_interval {
    unsigned resamples; /* that gave an estimate; 0: there is no interval */
    double level;       /* share of such intervals that should hold the true value; NaN: none was asked for */
    double low, high;   /* percentiles of the resamples' alphas */
    double corrected_low, corrected_high; /* the same, corrected for the bias of their median (Efron, 1981) */
    double upper_bound; /* of the best bin estimate: holds with this level whatever the distributions */
} dedpul_interval;

/* Resamples that are enough for an interval. */
#define DEDPUL_ENOUGH_RESAMPLES 200

/* Points of the D(alpha) curve: alpha = 0, 0.001, ..., 1. */
#define DEDPUL_CURVE_POINTS 1001

/*
 * The answer. Read-only; owned by the caller, freed with dedpul_result_free. The arrays over
 * unlabeled rows are in the order of the input.
 */
typedef struct dedpul_result {
    const char *method;  /* static strings: the registered names */
    const char *density; /* NULL where the method uses none */
    double alpha;        /* share of positives among the unlabeled rows (weights counted) */
    double alpha_c;      /* largest root of D, 0 where only the trivial one exists; EM stops just above it */
    double alpha_n;      /* the max_slope estimate */
    dedpul_rule rule;    /* which one alpha is */
    double scale; /* posterior = min(scale * ratio, 1) of each row, but where the method trains networks */
    double mean_ratio;  /* mean of ratio over the unlabeled rows; near 1 for good densities */
    double auc;         /* of labeled against unlabeled scores */
    double bandwidth_p; /* kernel bandwidths used, in logits; NaN where no kernel density was */
    double bandwidth_u;

    size_t n_positive; /* rows */
    size_t n_unlabeled;
    double weight_positive; /* sums of weights; equal to the rows where no weights were given */
    double weight_unlabeled;

    const double *ratio;     /* (n_unlabeled) smoothed density ratio f_p / f_u */
    const double *posterior; /* (n_unlabeled) probability of being positive; of a row with a weight, both */
                             /* are means over the rows that it stands for. nnpu, upu and tedn: by networks */

    dedpul_interval interval;    /* of alpha */
    const double *posterior_low; /* (n_unlabeled) intervals of posteriors, by options.bands; else NULL */
    const double *posterior_high;

    /* Densities of scores, on the logit log(score / (1 - score)), at equal steps of it; none: n_grid is 0. */
    size_t n_grid;
    const double *grid_logit;     /* (n_grid) */
    const double *grid_positive;  /* (n_grid) f_p */
    const double *grid_unlabeled; /* (n_grid) f_u */
    const double *grid_ratio;     /* (n_grid) smoothed; before that it is f_p / f_u */

    /* What dedpul_result_evaluate interpolates: the ratio at each distinct logit of unlabeled rows. */
    size_t n_points;
    const double *point_logit; /* (n_points) ascending */
    const double *point_ratio; /* (n_points) */

    size_t n_curve;            /* DEDPUL_CURVE_POINTS */
    const double *curve_alpha; /* (n_curve) */
    const double *curve_d;     /* (n_curve) D(alpha) = alpha - mean posterior */

    size_t n_warnings;
    const dedpul_warning *warnings; /* (n_warnings) */
} dedpul_result;

/* Of a weight, and of the sum of a sample's weights. */
#define DEDPUL_LARGEST_WEIGHT 1e15

/*
 * Scores of one sample. Each score is finite and in [0, 1]. weight may be NULL (each row counts
 * once); otherwise each weight is finite and >= 0 and has the meaning of a count: a row of weight 3
 * answers like three equal rows. A row of weight 0 has no influence, yet gets its posterior.
 */
typedef struct dedpul_sample {
    size_t n;
    const double *score;  /* (n) */
    const double *weight; /* (n) or NULL */
} dedpul_sample;

/*
 * From two arrays. Each sample needs at least 2 rows (total weight at least 2), and the scores must
 * not all be equal. options may be NULL for the defaults.
 */
DEDPUL_API dedpul_status dedpul_estimate_two(const dedpul_sample *positive, const dedpul_sample *unlabeled,
                                             const dedpul_options *options, dedpul_result **result,
                                             dedpul_error *error);

/* From one array with labels: 1 = labeled positive, 0 = unlabeled. */
DEDPUL_API dedpul_status dedpul_estimate(const dedpul_sample *rows,
                                         const unsigned char *label /* (rows->n) */,
                                         const dedpul_options *options, dedpul_result **result,
                                         dedpul_error *error);

/*
 * Ratio and posterior for scores that took no part in the estimate: the result's (score, ratio)
 * curve is interpolated, linear in the logit, constant beyond its ends. ratio and posterior may be
 * NULL where not wanted. Networks of a method that trains them are in its model, not in the result. Only
 * scale and the points are read, so that a result that was stored can be evaluated by these.
 */
DEDPUL_API dedpul_status dedpul_result_evaluate(const dedpul_result *result, size_t n,
                                                const double *score /* (n) */, double *ratio /* (n) */,
                                                double *posterior /* (n) */, dedpul_error *error);

DEDPUL_API void dedpul_result_free(dedpul_result *result);

/*
 * Writes CSV files of a result: "row,score,ratio,posterior" for each unlabeled row, row counted from 1, to
 * the path `posteriors`, and "alpha,d" to the path `curve`; either may be NULL. Files appear whole, and an
 * existing one is replaced at the end; where one cannot be written, neither appears. rows and label are
 * those that the result was made from; label is NULL where it was made from two arrays, and rows the
 * unlabeled one.
 */
DEDPUL_API dedpul_status dedpul_result_write(const dedpul_result *result, const dedpul_sample *rows,
                                             const unsigned char *label, const char *posteriors,
                                             const char *curve, dedpul_error *error);

/*
 * Writes a score file, "row,label,score" for each row, that dedpul_score_table_read understands; with a
 * column of weights where rows->weight is not NULL.
 */
DEDPUL_API dedpul_status dedpul_scores_write(const char *path, const dedpul_sample *rows,
                                             const unsigned char *label /* (rows->n) */, dedpul_error *error);

/* ---- score files ----------------------------------------------------------------------------- */

/* Which columns of the file hold what. The strings are borrowed. */
typedef struct dedpul_columns {
    const char *label;    /* default "label" */
    const char *score;    /* default "score" */
    const char *weight;   /* default NULL: each row counts once */
    const char *positive; /* the label of labeled positives, or several separated by commas, every other */
                          /* value being unlabeled; default NULL: labels are 1/0, 1/-1, true/false or p/u */
    const char *ignore;   /* of a table: columns to leave out, separated by commas; default NULL */
    size_t most_levels;   /* of a table: a text column with more distinct texts is refused; default 256 */
    const char *labels;   /* of a table: a file that has the labels, one per row, in its column `label`, or */
                          /* in its only one where columns have no names; default NULL: the table has them */
    const char *shape;    /* of a table whose other columns are the pixels of images, by rows, columns and */
                          /* channels: "28x28", "32x32x3"; default NULL: as the file has it */
} dedpul_columns;

DEDPUL_API void dedpul_columns_init(dedpul_columns *columns);

/* Rows of a score file. Read-only; owned by the caller. */
typedef struct dedpul_score_table {
    dedpul_sample rows;
    const unsigned char *label; /* (rows.n) 1 = labeled positive, 0 = unlabeled */
} dedpul_score_table;

/*
 * Reads a delimited text file (comma, semicolon or tab, found from the header line; gzip is
 * recognised). path "-" is standard input. columns may be NULL for the defaults, allocator for malloc.
 */
DEDPUL_API dedpul_status dedpul_score_table_read(const char *path, const dedpul_columns *columns,
                                                 const dedpul_allocator *allocator,
                                                 dedpul_score_table **table, dedpul_error *error);

DEDPUL_API void dedpul_score_table_free(dedpul_score_table *table);

/* ---- tables ---------------------------------------------------------------------------------- */

/* Rows of features, labeled positive or unlabeled. Read-only; owned by the caller. */
typedef struct dedpul_table dedpul_table;

/* Numbers by rows; one of the two arrays is NULL. NaN is a missing value; infinities are refused. */
typedef struct dedpul_matrix {
    size_t n, width;
    const double *f64; /* (n, width) */
    const float *f32;  /* (n, width) */
} dedpul_matrix;

/*
 * Reads a table: delimited text with a header, NumPy's .npy (numbers in C order), libsvm text, IDX (as of
 * MNIST) or CIFAR-10's binary format, each also gzipped; path "-" is standard input. columns->score is not
 * read. Arrays of 3 or 4 dimensions are images: rows, height, width and perhaps channels.
 */
DEDPUL_API dedpul_status dedpul_table_read(const char *path, const dedpul_columns *columns,
                                           const dedpul_allocator *allocator, dedpul_table **table,
                                           dedpul_error *error);

/* A table of a matrix, which is copied; its columns are called "1", "2", ... weight may be NULL. */
DEDPUL_API dedpul_status dedpul_table_from_matrix(const dedpul_matrix *matrix,
                                                  const unsigned char *label /* (matrix->n) */,
                                                  const double *weight /* (matrix->n) */,
                                                  const dedpul_allocator *allocator, dedpul_table **table,
                                                  dedpul_error *error);

/* Names for the columns of a table of a matrix, so that its model finds those of files; they are copied. */
DEDPUL_API dedpul_status dedpul_table_set_names(dedpul_table *table, const char *const *names /* (columns) */,
                                                dedpul_error *error);

/* Rows are images: their columns are the pixels by rows, columns, channels. None may be missing. */
DEDPUL_API dedpul_status dedpul_table_set_shape(dedpul_table *table, size_t height, size_t width,
                                                size_t channels, dedpul_error *error);

DEDPUL_API size_t dedpul_table_rows(const dedpul_table *table);
DEDPUL_API const unsigned char *dedpul_table_labels(const dedpul_table *table); /* (rows) */
DEDPUL_API const double *dedpul_table_weights(const dedpul_table *table); /* (rows); NULL: it has none */

DEDPUL_API void dedpul_table_free(dedpul_table *table);

/* ---- classifiers ----------------------------------------------------------------------------- */

DEDPUL_API size_t dedpul_classifier_count(void);
/* NULL for an index out of range. Static strings. */
DEDPUL_API const char *dedpul_classifier_name(size_t index);
DEDPUL_API const char *dedpul_classifier_summary(size_t index);

/* What a classifier of your own learns from: rows of two classes whose weights have the same sum. */
typedef struct dedpul_examples {
    size_t n, width;
    const float *x;             /* (n, width) encoded features */
    const unsigned char *label; /* (n) class 1 or 0 */
    const double *weight;       /* (n) */
    uint64_t seed;
} dedpul_examples;

/*
 * A classifier of your own. Functions return 0 for success. With more than one thread they are called from
 * several threads at once, for different models. The struct is copied; what its context points to must
 * outlive the models trained or loaded with it.
 */
typedef struct dedpul_classifier {
    const char *name; /* stored in model files */
    void *context;    /* handed to each function */
    int (*train)(void *context, const dedpul_examples *examples, void **model);
    /* Logits of rows, high for class 1; n may be 0. */
    int (*score)(void *context, const void *model, size_t n, size_t width, const float *x /* (n, width) */,
                 double *logit /* (n) */);
    void (*free)(void *context, void *model);
    /* Both may be NULL: then models cannot be saved. save gives the size, and fills bytes where not NULL. */
    size_t (*save)(void *context, const void *model, void *bytes);
    int (*load)(void *context, size_t size, const void *bytes, void **model);
} dedpul_classifier;

/* ---- fitting --------------------------------------------------------------------------------- */

typedef enum dedpul_encode {
    DEDPUL_ENCODE_ONEHOT = 0, /* text columns with more than 2 levels: one feature per level */
    DEDPUL_ENCODE_ORDINAL = 1 /* the level's number in sorted order */
} dedpul_encode;

typedef enum dedpul_scale {
    DEDPUL_SCALE_RANK = 0,     /* ranks to normal quantiles, where there are at least 10 distinct values */
    DEDPUL_SCALE_STANDARD = 1, /* mean 0, standard deviation 1 */
    DEDPUL_SCALE_NONE = 2
} dedpul_scale;

typedef enum dedpul_stopping {
    DEDPUL_STOPPING_COMMON = 0, /* one epoch for all models, by the loss of their averaged held-out logits */
    DEDPUL_STOPPING_EACH = 1    /* each model by the loss on its own fold */
} dedpul_stopping;

/* Of a classifier of positives against negatives; y is its probability that a row is positive. */
typedef enum dedpul_loss {
    DEDPUL_LOSS_SIGMOID = 0, /* 1 - y for positives, y for negatives */
    DEDPUL_LOSS_BRIER = 1,   /* the squares of these */
    DEDPUL_LOSS_LOGISTIC = 2 /* -log y, -log(1 - y) */
} dedpul_loss;

/* What a long call is at. */
typedef struct dedpul_progress {
    const char *stage;  /* "mlp", "gbdt", "predict", ... */
    size_t step, steps; /* epochs or rounds; rows, with steps = 0 where the end is not known */
    double loss;        /* held out, balanced; NaN where there is none */
    size_t best_step;   /* the one with the lowest loss so far; 0: none */
} dedpul_progress;

/* Called from the calling thread. Not 0 ends the call with DEDPUL_CANCELLED. */
typedef int dedpul_progress_function(void *context, const dedpul_progress *progress);

/* Call dedpul_fit_options_init first, then set what differs. The strings are borrowed until the fit returns.
 */
typedef struct dedpul_fit_options {
    dedpul_options estimate; /* from scores to alpha; seed, threads and allocator of the whole fit */
    const char *classifier;  /* a name of dedpul_classifier_name, "auto" or "blend"; default NULL: blend, */
                             /* mlp for a single feature, conv for images, or gbdt where networks would */
                             /* take too long */
    const dedpul_classifier *plugin; /* a classifier of your own, in place of `classifier`; default NULL */
    int pn;                          /* also train a classifier of positives against negatives; default 0 */
    unsigned folds;                  /* of cross-fitting; default 5 */
    unsigned ensemble;               /* partitions into folds, each with its own models; default 3. */
                                     /* From 100,000 rows on, gbdt makes do with one */
    dedpul_stopping stopping;        /* default common */
    dedpul_encode encode;            /* default one-hot */
    dedpul_scale scale;              /* default rank */
    unsigned pca; /* km1, km2 and tice look at this many principal components; default 0: at all features */

    const char *layers;   /* widths of hidden layers, "512,512"; "none"; default "auto": those two, or for */
                          /* a single feature 64, without batch norm and dropout */
    int batch_norm;       /* default 1 */
    double dropout;       /* default 0.5 */
    double rate;          /* of Adam; default NaN: 1e-4; 1e-3 for a single feature, 1e-2 for logistic */
    double decay;         /* default 1e-4 */
    unsigned batch;       /* rows of each class in a step; default 64 */
    unsigned epoch_steps; /* an epoch has at least so many steps; default 12 */
    unsigned epochs;      /* at most; default 250 */
    unsigned min_epochs;  /* default 8 */
    unsigned patience;    /* in epochs; default 15 */

    dedpul_loss loss; /* of nnpu and upu; default Brier */
    double nn_beta;   /* nnpu steps back where its risk of negatives is below -nn_beta; default 0 */
    double nn_gamma;  /* with this factor; default 1 */

    unsigned tree_depth;    /* default 5 */
    double tree_rate;       /* default 0.05 */
    double tree_l2;         /* default 10 */
    unsigned tree_rounds;   /* at most; default 500 */
    unsigned tree_patience; /* in rounds; default 20 */

    dedpul_progress_function *progress; /* default NULL */
    void *progress_context;
} dedpul_fit_options;

DEDPUL_API void dedpul_fit_options_init(dedpul_fit_options *options);

/*
 * Sets the option of that name from text, also those of dedpul_options. "preset" sets several at once:
 * "paper" for the published protocol, "default" for the defaults.
 */
DEDPUL_API dedpul_status dedpul_fit_options_set(dedpul_fit_options *options, const char *name,
                                                const char *value, dedpul_error *error);

/* What dedpul_fit_options_set accepts beside dedpul_option_at. */
DEDPUL_API size_t dedpul_fit_option_count(void);
DEDPUL_API const dedpul_option_info *dedpul_fit_option_at(size_t index);

/* A fitted model. Read-only, but used by one call at a time; owned by the caller. */
typedef struct dedpul_model dedpul_model;

/*
 * Fits: trains the classifier with cross-fitting, each row being scored by models that have not seen it, and
 * estimates alpha and the posteriors from these scores. score may be NULL; else it receives each row's score.
 * options may be NULL for the defaults.
 */
DEDPUL_API dedpul_status dedpul_fit(const dedpul_table *table, const dedpul_fit_options *options,
                                    dedpul_model **model, dedpul_result **result, double *score /* (rows) */,
                                    dedpul_error *error);

/* ---- comparison ------------------------------------------------------------------------------ */

/* What one method says. */
typedef struct dedpul_compared {
    const char *method;
    dedpul_status status; /* one that fails does not stop the others */
    double alpha;         /* NaN where it failed */
    double low, high; /* interval, by DEDPUL_ENOUGH_RESAMPLES unless the options say otherwise; NaN: none */
    double seconds;   /* without those of the scores, which are shared */
    int is_reference; /* the one that the others are held against: dedpul */
    int differs;      /* from it, by more than the uncertainty of both */
    const char *note; /* why it failed, or what else is to be said; may be empty */
} dedpul_compared;

/* Several methods on the same rows and scores. Read-only; owned by the caller. */
typedef struct dedpul_comparison {
    size_t n_methods;
    const dedpul_compared *methods; /* (n_methods) */
    const char *classifier;         /* that gave the scores: "mlp", "mlp + gbdt", ... */
    double auc;                     /* of labeled against unlabeled scores */
    double seconds;                 /* that the scores took */
    size_t n_positive, n_unlabeled;
    size_t n_warnings; /* about the table, the scores, and the first method's estimate */
    const dedpul_warning *warnings;
} dedpul_comparison;

/*
 * Estimates alpha by several methods: "all", or names separated by commas. Scores come from one cross-fit by
 * the options. nnpu and upu, which take alpha from dedpul, say what share of rows they call positive.
 */
DEDPUL_API dedpul_status dedpul_compare(const dedpul_table *table, const dedpul_fit_options *options,
                                        const char *methods, dedpul_comparison **comparison,
                                        dedpul_error *error);

DEDPUL_API void dedpul_comparison_free(dedpul_comparison *comparison);

/* ---- models ---------------------------------------------------------------------------------- */

/* How a column of the table is used. */
typedef struct dedpul_column_info {
    const char *name;
    const char *use;   /* "rank", "number", "one-hot", "code", "dropped: constant", ... */
    size_t n_levels;   /* of a text column; 0 for numbers */
    size_t n_features; /* that it becomes */
} dedpul_column_info;

/* What a model is; lives as long as it. */
typedef struct dedpul_model_info {
    const char *version;    /* of the library that fitted it */
    const char *classifier; /* "mlp", "gbdt", "mlp + gbdt", ... */
    int has_pn;
    const char
        *trained; /* networks of a method that trains them, whose posteriors count: "mlp"; NULL: none */
    size_t height, width, channels; /* of images; 0 where rows are none */
    double alpha, alpha_c, alpha_n, scale, auc, mean_ratio;
    dedpul_rule rule;
    const char *method;
    size_t n_positive, n_unlabeled;
    size_t n_columns, n_features;
    const dedpul_column_info *columns; /* (n_columns) */
    size_t n_members;                  /* trained models */
    size_t n_points;                   /* of the (score, ratio) curve */
    const char *settings;              /* "name=value" lines: the options of the fit */
} dedpul_model_info;

DEDPUL_API const dedpul_model_info *dedpul_model_describe(const dedpul_model *model);

typedef struct dedpul_predict_options {
    int pn;           /* by the classifier of positives against negatives; default 0. Where */
                      /* the method trained networks, these answer in any case */
    unsigned threads; /* default 0: one per online processor */
    dedpul_progress_function *progress; /* default NULL */
    void *progress_context;
} dedpul_predict_options;

DEDPUL_API void dedpul_predict_options_init(dedpul_predict_options *options);

/*
 * Score and posterior of new rows (by options->pn, the score is that of positives against as many negatives),
 * whose columns are those of the fit in the same order, text columns being impossible here. score and
 * posterior may be NULL where not wanted; options for the defaults.
 */
DEDPUL_API dedpul_status dedpul_model_predict(const dedpul_model *model, const dedpul_matrix *rows,
                                              const dedpul_predict_options *options, double *score /* (n) */,
                                              double *posterior /* (n) */, dedpul_error *error);

/* What predicting a file met. */
typedef struct dedpul_prediction {
    size_t rows;
    double mean_posterior;
    size_t unseen;             /* cells of text columns with a level that the fit had not seen */
    const char *unseen_column; /* the first column with one, or NULL; lives as long as the model */
} dedpul_prediction;

/*
 * The same for a file as of dedpul_table_read, whatever its size: "row,score,posterior" for each row, counted
 * from 1, to the path `out`, or standard output for "-". Columns are found by name. A file appears whole or
 * not at all.
 */
DEDPUL_API dedpul_status dedpul_model_predict_file(const dedpul_model *model, const char *path,
                                                   const dedpul_predict_options *options, const char *out,
                                                   dedpul_prediction *prediction, dedpul_error *error);

/* Model files: the same bytes for the same model on every machine. Load only files that you trust. */
DEDPUL_API dedpul_status dedpul_model_save(const dedpul_model *model, const char *path, dedpul_error *error);

/* plugin: the classifier of your own that the model was fitted with; else NULL. */
DEDPUL_API dedpul_status dedpul_model_load(const char *path, const dedpul_classifier *plugin,
                                           const dedpul_allocator *allocator, dedpul_model **model,
                                           dedpul_error *error);

DEDPUL_API void dedpul_model_free(dedpul_model *model);

#ifdef __cplusplus
}
#endif

#endif
