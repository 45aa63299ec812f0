/* From a table to a model, comparisons of methods or classifiers, and predictions. Include <dedpul.h>. */
#ifndef DEDPUL_TABLES_H
#define DEDPUL_TABLES_H

#include "dedpul_arrow.h"
#include "dedpul_evaluation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tables ---------------------------------------------------------------------------------- */

/* Rows of features, labeled positive or unlabeled. The caller owns it and frees it with dedpul_table_free. */
typedef struct dedpul_table dedpul_table;

/* Numbers, stored by rows. One of the two arrays is NULL. NaN is a missing value; infinities are refused. */
typedef struct dedpul_matrix {
    size_t n, width;
    const double *f64; /* (n, width) */
    const float *f32;  /* (n, width) */
} dedpul_matrix;

/*
 * Reads a table: delimited text with a header, NumPy's .npy (numbers in C order), libsvm text, IDX (the
 * format of MNIST) or CIFAR-10's binary format; each may be gzipped. path "-" is standard input. columns may
 * be NULL for the defaults, allocator for malloc; columns->score is not read. Arrays of 3 or 4 dimensions are
 * images: rows, height, width and perhaps channels.
 */
DEDPUL_API dedpul_status dedpul_table_read(const char *path, const dedpul_columns *columns,
                                           const dedpul_allocator *allocator, dedpul_table **table,
                                           dedpul_error *error);

/*
 * Makes a table from a stream of Apache Arrow's arrays of structs, whose fields are the columns. It reads
 * booleans (as 1 and 0), integers, floats, decimals, texts of all layouts, nulls, and dictionaries of these;
 * a column of another type is refused, unless columns->ignore names it. Nulls and NaN are missing values. A
 * dictionary is a column of levels, as if columns->categorical named it; other texts are read as those of a
 * file are. columns and allocator are as in dedpul_table_read, but if columns->label is NULL, labels are to
 * be set with dedpul_table_set_labels. The stream is used up and released, also on failure; each array is
 * released before the next one is asked for.
 */
DEDPUL_API dedpul_status dedpul_table_from_arrow(struct ArrowArrayStream *rows, const dedpul_columns *columns,
                                                 const dedpul_allocator *allocator, dedpul_table **table,
                                                 dedpul_error *error);

/*
 * Makes a table from a matrix, which is copied. Its columns are called "1", "2", ... weight may be NULL:
 * each row counts once. allocator may be NULL for malloc.
 */
DEDPUL_API dedpul_status dedpul_table_from_matrix(const dedpul_matrix *matrix,
                                                  const unsigned char *label /* (matrix->n) */,
                                                  const double *weight /* (matrix->n) */,
                                                  const dedpul_allocator *allocator, dedpul_table **table,
                                                  dedpul_error *error);

/*
 * Names the columns of a table that was made from a matrix, so that its model finds the columns of files by
 * name. The names are copied.
 */
DEDPUL_API dedpul_status dedpul_table_set_names(dedpul_table *table, const char *const *names /* (columns) */,
                                                dedpul_error *error);

/*
 * Sets the labels of all rows, n of them, which are copied; and the weights, unless they are NULL. Call it
 * before anything else uses the table.
 */
DEDPUL_API dedpul_status dedpul_table_set_labels(dedpul_table *table, size_t n,
                                                 const unsigned char *label /* (n) */,
                                                 const double *weight /* (n) */, dedpul_error *error);

/*
 * Tells which rows belong together, such as those of one patient: rows with the same number, whatever it is,
 * stay in one fold of a fit or comparison, so that no model scores rows of a group that it has learned from.
 * The numbers are copied.
 */
DEDPUL_API dedpul_status dedpul_table_set_groups(dedpul_table *table, const uint32_t *group /* (rows) */,
                                                 dedpul_error *error);

/* Tells that the rows are images: columns are pixels by rows, columns, channels. None may be missing. */
DEDPUL_API dedpul_status dedpul_table_set_shape(dedpul_table *table, size_t height, size_t width,
                                                size_t channels, dedpul_error *error);

/*
 * Gives the labeled rows of a table their kinds; see dedpul_kind. The names are copied. Those of unlabeled
 * rows are NULL or empty.
 */
DEDPUL_API dedpul_status dedpul_table_set_kinds(dedpul_table *table, const char *const *kind /* (rows) */,
                                                dedpul_error *error);

/* Tells that a fit must find the kinds among the labeled rows: nobody knows them. */
DEDPUL_API dedpul_status dedpul_table_find_kinds(dedpul_table *table, dedpul_error *error);

/*
 * Names the columns of a table, separated by commas, on which the chance of a positive to be labeled depends;
 * see dedpul_propensities. They stay features.
 */
DEDPUL_API dedpul_status dedpul_table_set_propensity(dedpul_table *table, const char *names,
                                                     dedpul_error *error);

/* Sets that chance, if it is known. NaN: it is not; this is only for unlabeled rows. The values are copied.
 */
DEDPUL_API dedpul_status dedpul_table_set_propensity_values(dedpul_table *table,
                                                            const double *propensity /* (rows) */,
                                                            dedpul_error *error);

DEDPUL_API size_t dedpul_table_rows(const dedpul_table *table);
DEDPUL_API const unsigned char *dedpul_table_labels(const dedpul_table *table); /* (rows); NULL: none yet */
DEDPUL_API const double *dedpul_table_weights(const dedpul_table *table);  /* (rows); NULL: it has none */
DEDPUL_API const dedpul_ids *dedpul_table_ids(const dedpul_table *table);  /* NULL: it has none */
DEDPUL_API const uint32_t *dedpul_table_groups(const dedpul_table *table); /* (rows) codes of the groups, */
                                                                           /* from 0; NULL: it has none */

DEDPUL_API void dedpul_table_free(dedpul_table *table);

/* What a column of a table is like, in labeled and in unlabeled rows. Weights count. */
typedef struct dedpul_column_summary {
    const char *name;
    double auc; /* how well it tells labeled from unlabeled rows by itself, from 0.5 to 1: numbers by their */
                /* order, texts by the labels of the other half of the rows */
    double missing;                              /* share of the rows that have no value */
    double median_labeled, median_unlabeled;     /* of numbers; NaN: there are none */
    const char *level_labeled, *level_unlabeled; /* the most frequent text; NULL: there is none */
    double share_labeled, share_unlabeled;       /* of that text, among the rows that have one */
} dedpul_column_summary;

/* Read-only. The caller frees it with dedpul_table_summary_free, before the table. */
typedef struct dedpul_table_summary {
    size_t size; /* of this struct as the library knows it */
    size_t n_columns;
    const dedpul_column_summary *const *columns; /* (n_columns) as in the model of the table */
} dedpul_table_summary;

/* threads: 0 for one per online processor. allocator may be NULL for malloc. */
DEDPUL_API dedpul_status dedpul_table_summarise(const dedpul_table *table, unsigned threads,
                                                const dedpul_allocator *allocator,
                                                dedpul_table_summary **summary, dedpul_error *error);

DEDPUL_API void dedpul_table_summary_free(dedpul_table_summary *summary);

/* ---- your own classifier ------------------------------------------------------------------- */

/* The examples that your own classifier learns from. The weights of both classes have the same sum. */
typedef struct dedpul_examples {
    size_t n, width;
    const float *x;             /* (n, width) encoded features */
    const unsigned char *label; /* (n) class 1 or 0 */
    const double *weight;       /* (n) */
    uint64_t seed;
} dedpul_examples;

/*
 * Your own classifier. Set size to sizeof(dedpul_classifier). Functions return 0 for success. With more than
 * one thread, they are called from several threads at once, for different models. The struct is copied; what
 * its context points to must outlive the models that are trained or loaded with it.
 */
typedef struct dedpul_classifier {
    size_t size;      /* of this struct as the program knows it */
    const char *name; /* stored in model files */
    void *context;    /* handed to each function */
    int (*train)(void *context, const dedpul_examples *examples, void **model);
    /* Fills the logits of rows, high for class 1; n may be 0. */
    int (*score)(void *context, const void *model, size_t n, size_t width, const float *x /* (n, width) */,
                 double *logit /* (n) */);
    void (*free)(void *context, void *model);
    /* May be NULL: then models cannot be saved. save returns the size, and fills bytes unless NULL. */
    size_t (*save)(void *context, const void *model, void *bytes);
    int (*load)(void *context, size_t size, const void *bytes, void **model);
} dedpul_classifier;

/* ---- fitting --------------------------------------------------------------------------------- */

/*
 * A fitted model. Read-only, but only one call at a time may use it. The caller owns it and frees it with
 * dedpul_model_free.
 */
typedef struct dedpul_model dedpul_model;

/*
 * Fits a model. It trains the classifier with cross-fitting, so that each row is scored by models that have
 * not seen it, and estimates alpha and the posteriors from these scores. score may be NULL; otherwise it
 * receives the score of each row. options may be NULL for the defaults.
 */
DEDPUL_API dedpul_status dedpul_fit(const dedpul_table *table, const dedpul_options *options,
                                    dedpul_model **model, dedpul_result **result, double *score /* (rows) */,
                                    dedpul_error *error);

/* ---- comparison ------------------------------------------------------------------------------ */

/* What one method says about the scores of one classifier. */
typedef struct dedpul_compared {
    const char *method;
    dedpul_status status; /* an entry that fails does not stop the others */
    double alpha;         /* NaN if it failed */
    double low, high;     /* interval, also if options.interval is off; NaN: none */
    double seconds;       /* without the time for scores that all entries share */
    int is_reference;     /* others are held against it: the default method, or the best classifier */
    int differs;          /* from the reference, by more than the uncertainty of both; of classifiers: the */
                          /* AUC is lower, by more than chance */
    const char *note;     /* why it failed, or what else is to be said; may be empty */
    const char *classifier; /* the one that gave the scores; NULL if that failed */
    /*
     * How good the scores are, as dedpul_evaluate tells: by this estimate or, of classifiers, all by one
     * alpha. NaN if the method trains networks of its own, or alpha is 0 or 1. low and high are NaN if the
     * method does not know alpha's distribution.
     */
    dedpul_range auc; /* of positives against negatives */
    dedpul_range average_precision;
    dedpul_range precision; /* of the rows that are more likely positive than not */
    double auc_unlabeled;   /* of labeled against unlabeled rows, which needs no alpha */
    double chance; /* of classifiers: the probability that chance alone makes auc_unlabeled differ so much */
                   /* from the reference's, times the number of pairs; NaN: it was not tested */
} dedpul_compared;

/* Several methods on the same rows and scores, or classifiers. Read-only. Freed with dedpul_comparison_free.
 */
typedef struct dedpul_comparison {
    size_t size;                           /* of this struct as the library knows it */
    size_t n_methods;                      /* 0 if classifiers are compared */
    const dedpul_compared *const *methods; /* (n_methods) */
    const char
        *classifier; /* the one that gave the scores: "mlp", "mlp + gbdt", ...; NULL if each is by its */
                     /* own */
    double auc;      /* of labeled against unlabeled scores; NaN if each has its own */
    double seconds;  /* time that the scores took; 0 if each has its own */
    size_t n_positive, n_unlabeled;
    size_t n_warnings; /* about the table and, if methods are compared, the scores and the first estimate */
    const dedpul_warning *warnings;
    size_t n_classifiers;                      /* 0 if methods are compared */
    const dedpul_compared *const *classifiers; /* (n_classifiers) */
    double alpha;         /* for which all classifiers are evaluated; NaN: each method is for its own */
    const char *alpha_of; /* the classifier that it is from: that with the highest AUC by its own alpha */
    const dedpul_label_check *label_check; /* as in dedpul_result; NULL if classifiers are compared */
} dedpul_comparison;

/*
 * Estimates alpha by several methods: "all", "fast" (those that train no networks of their own), or names
 * separated by commas. All use the scores of one cross-fit by the options. nnpu and upu take alpha from
 * dedpul; their answer is the share of rows that they call positive.
 */
DEDPUL_API dedpul_status dedpul_compare(const dedpul_table *table, const dedpul_options *options,
                                        const char *methods, dedpul_comparison **comparison,
                                        dedpul_error *error);

/*
 * Compares classifiers without known negatives: each is cross-fitted on the same folds, and options.method
 * estimates alpha and evaluates its scores. They are "all" (those of dedpul_classifier_name that the table
 * allows, and options.plugin), or names separated by commas. options.classifier is not read.
 */
DEDPUL_API dedpul_status dedpul_compare_classifiers(const dedpul_table *table, const dedpul_options *options,
                                                    const char *classifiers, dedpul_comparison **comparison,
                                                    dedpul_error *error);

DEDPUL_API void dedpul_comparison_free(dedpul_comparison *comparison);

/* ---- models ---------------------------------------------------------------------------------- */

/* How a column of the table is used. */
typedef struct dedpul_column_info {
    const char *name;
    const char *use;   /* "rank", "number", "one-hot", "code", "dropped: constant", ... */
    size_t n_levels;   /* of a text column; 0 for numbers */
    size_t n_features; /* number of features that it becomes */
} dedpul_column_info;

/* Describes a model; lives as long as the model. */
typedef struct dedpul_model_info {
    size_t size;            /* of this struct as the library knows it */
    const char *version;    /* of the library that fitted it */
    const char *classifier; /* "mlp", "gbdt", "mlp + gbdt", ... */
    int has_pn;
    const char *trained; /* kind of the networks, if the method trains its own: "mlp"; NULL if it does not */
    size_t height, width, channels; /* of images; 0 if rows are not images */
    double alpha, alpha_c, alpha_n, scale, auc, mean_ratio;
    dedpul_rule rule;
    const char *method;
    size_t n_positive, n_unlabeled;
    size_t n_columns, n_features;
    const dedpul_column_info *const *columns; /* (n_columns) */
    size_t n_members;                         /* trained models */
    size_t n_points;                          /* of the (score, ratio) curve */
    const char *settings;                     /* "name=value" lines: the options of the fit */
    size_t n_kept;     /* scores of the fit that it keeps; 0: it is of a version before 0.8 */
    int has_threshold; /* the fields below are set */
    dedpul_goal goal;  /* what the threshold was chosen to achieve, with goal_value */
    double goal_value;
    double threshold;        /* rows of at least this score are flagged; NaN: no row is */
    size_t n_quantiles;      /* of alpha's distribution, as in dedpul_result; 0: it is not known */
    const double *quantiles; /* (n_quantiles) */
} dedpul_model_info;

DEDPUL_API const dedpul_model_info *dedpul_model_describe(const dedpul_model *model);

/*
 * Evaluates a model by the cross-fitted scores of its fit, of which it keeps enough: neighbours are merged if
 * there are more than 2048 distinct ones. A model of a version before 0.8 has none. The model may be a
 * description. options may be NULL for the defaults.
 */
DEDPUL_API dedpul_status dedpul_model_evaluate(const dedpul_model *model,
                                               const dedpul_evaluate_options *options,
                                               dedpul_evaluation **evaluation, dedpul_error *error);

/*
 * Scores rows that a model has not seen, so that dedpul_estimate and dedpul_evaluate can say how good it is
 * on them. columns are as in dedpul_score_table_read, but columns->score is not read. If columns->label is
 * NULL, the rows of the file are all unlabeled, and the labeled rows are those of the model's fit. With
 * columns->kind, which takes a model that was fitted with kinds, labeled rows of the file are weighted as if
 * kinds had been labeled at the same rate; without it, they are taken for a random draw of the positives.
 * threads: 0 means one per online processor.
 */
DEDPUL_API dedpul_status dedpul_model_score_file(const dedpul_model *model, const char *path,
                                                 const dedpul_columns *columns, unsigned threads,
                                                 dedpul_score_table **table, dedpul_error *error);

/*
 * Estimates again, from the scores of other rows than those of the fit, and makes the answer that of the
 * model: its alpha, its posteriors of new rows, and what dedpul_model_evaluate says. If a table is too large
 * for a fit, fit a sample of its rows, and let the model score the others. Weights are counts of rows. The
 * options should be those of the fit; the method must work on scores alone. The model loses its threshold, if
 * it has one. If the call fails, the model is as before.
 */
DEDPUL_API dedpul_status dedpul_model_estimate(dedpul_model *model, const dedpul_sample *rows,
                                               const unsigned char *label /* (rows->n) */,
                                               const dedpul_options *options, dedpul_result **result,
                                               dedpul_error *error);

/*
 * Makes the evaluation's threshold that of the model: predictions flag the rows of at least its score. The
 * evaluation must be one of the model or of its fit's scores.
 */
DEDPUL_API dedpul_status dedpul_model_set_threshold(dedpul_model *model, const dedpul_evaluation *evaluation,
                                                    dedpul_error *error);

/* Call dedpul_predict_options_init first. */
typedef struct dedpul_predict_options {
    size_t size;      /* of this struct as the program knows it; dedpul_predict_options_init writes it */
    int pn;           /* use the classifier of positives against negatives; default 0. If */
                      /* the method trained networks, these are always used */
    unsigned threads; /* default 0: one per online processor */
    dedpul_progress_function *progress; /* default NULL */
    void *progress_context;
    double
        alpha; /* posteriors are for this share of positives among the new rows; default NaN: that of the */
               /* fit */
    int alpha_auto;    /* estimate that share from the scores of the new rows; default 0. Files are then */
                       /* written when all rows are read, and 8 bytes of each are kept until then */
    unsigned reserved; /* padding */
    const dedpul_evaluate_options *threshold; /* only its goal and value are read; a number and a share of */
                                              /* rows are of the new rows. Default NULL: the model's, if it */
                                              /* has one */
    const char *decimal; /* how a file of delimited text is written, as in dedpul_columns; default NULL: */
                         /* found from its first rows, whatever the fitted file had */
    const char *header;  /* as in dedpul_columns; default NULL: "yes" */
    const char *id;      /* a file's column of identifiers; default NULL: none */
    unsigned
        folds; /* of an array or a stream of rows that the model has not seen: score them as those of the */
               /* fit were, each by the members that left out one of the fit's folds, of which there are */
               /* this many, so that scores of both are alike. Default 0: all members score every row */
    unsigned reserved_end; /* padding */
} dedpul_predict_options;

/* Fills in the defaults for a struct of this size. Call dedpul_predict_options_init instead. */
DEDPUL_API void dedpul_predict_options_init_sized(dedpul_predict_options *options, size_t size);

static inline void dedpul_predict_options_init(dedpul_predict_options *options)
{
    dedpul_predict_options_init_sized(options, sizeof *options);
}

/* Sets alpha or alpha_auto from text, as the command line does: a share, or "auto". */
DEDPUL_API dedpul_status dedpul_predict_options_set_alpha(dedpul_predict_options *options, const char *value,
                                                          dedpul_error *error);

/*
 * A column of new rows that differs from that of the unlabeled rows of the fit, by more than chance and by so
 * much that it matters. Shares are of rows.
 */
typedef struct dedpul_drift {
    const char *column; /* its name; lives as long as the model */
    const char *change; /* the values whose share rose most: "above 15.9", "3.4 to 3.6", "'red'", "unseen */
                        /* levels", "missing"; also if these have become fewer */
    double share_before, share; /* of these values: at the fit, and now */
    double missing_before, missing;
    double out_of_range;      /* numbers below or above all that the fit had */
    double unseen;            /* levels that the fit had not seen */
    double mean_before, mean; /* of numbers; NaN for texts, or if all are missing */
    double distance;          /* share of the new rows that would have to change */
    double chance; /* at most this share of batches like the fit's rows has such a column; it is below 0.01 */
} dedpul_drift;

/* What was found beside scores and posteriors. Read-only. Freed with dedpul_prediction_free. */
typedef struct dedpul_prediction {
    size_t size; /* of this struct as the library knows it */
    size_t rows;
    double mean_posterior;
    size_t unseen;             /* cells of text columns with a level that the fit had not seen */
    const char *unseen_column; /* the first column with one, or NULL; lives as long as the model */
    size_t n_compared; /* columns that were compared with those of the fit; 0 if there are fewer than 20 */
                       /* rows, for images, and for models of versions before 0.8 */
    size_t n_drifted;
    const dedpul_drift *const *drifted; /* (n_drifted) columns that moved, the farthest first */
    double alpha;                       /* the share of positives that posteriors are for */
    /* That share by the scores of the new rows, and an interval that should hold it in 99% of cases; NaN: not
     */
    /* estimated, because rows are too few, scores are by other networks, or the model is older than 0.8. */
    double batch_alpha, batch_low, batch_high;
    int has_threshold; /* there is one */
    unsigned reserved; /* padding */
    double threshold;  /* rows of at least this score are flagged; NaN: none is */
    size_t flagged;    /* number of these rows */
    size_t n_warnings;
    const dedpul_warning *warnings;  /* (n_warnings) */
    const double *score, *posterior; /* (rows) if dedpul_model_predict_arrow predicted them; else NULL */
    /* Of a model with kinds of positives: see dedpul_kind. Names live as long as the model. */
    size_t n_kinds;
    const char *const *kind_names; /* (n_kinds) */
    const double *kind_posterior;  /* (rows, n_kinds) of being positive and of this kind; NULL: the rows went
                                      to a file */
} dedpul_prediction;

DEDPUL_API void dedpul_prediction_free(dedpul_prediction *prediction);

/*
 * Computes score and posterior of new rows. The columns must be those of the fit in the same order; the model
 * must not have text columns. With options->pn, the score is that of positives against as many negatives.
 * score, posterior and prediction may be NULL if they are not wanted; options may be NULL for the defaults.
 */
DEDPUL_API dedpul_status dedpul_model_predict(const dedpul_model *model, const dedpul_matrix *rows,
                                              const dedpul_predict_options *options, double *score /* (n) */,
                                              double *posterior /* (n) */, dedpul_prediction **prediction,
                                              dedpul_error *error);

/*
 * The same for a file that dedpul_table_read can read, whatever its size. It writes "row,score,posterior" for
 * each row (rows count from 1) to the path `out`; "-" is standard output. If there is a threshold, a column
 * "positive" follows: 1 for flagged rows, or 0. If the model has kinds of positives, a column of posteriors
 * for each of them follows. Identifiers are the first column, as in dedpul_result_write. Columns are found by
 * name. The file appears whole or not at all. prediction may be NULL.
 */
DEDPUL_API dedpul_status dedpul_model_predict_file(const dedpul_model *model, const char *path,
                                                   const dedpul_predict_options *options, const char *out,
                                                   dedpul_prediction **prediction, dedpul_error *error);

/*
 * The same for a stream of Apache Arrow's arrays, as dedpul_table_from_arrow reads them, piece by piece. The
 * prediction has score and posterior of each row. Columns are found by name; those of a model whose columns
 * have none, by their order. The stream is used up and released, also on failure.
 */
DEDPUL_API dedpul_status dedpul_model_predict_arrow(const dedpul_model *model, struct ArrowArrayStream *rows,
                                                    const dedpul_predict_options *options,
                                                    dedpul_prediction **prediction, dedpul_error *error);

/* Saves a model. A model gives the same bytes on every machine. Load only files that you trust. */
DEDPUL_API dedpul_status dedpul_model_save(const dedpul_model *model, const char *path, dedpul_error *error);

/*
 * Loads a model. plugin is your own classifier if the model was fitted with one, or NULL. allocator may be
 * NULL for malloc.
 */
DEDPUL_API dedpul_status dedpul_model_load(const char *path, const dedpul_classifier *plugin,
                                           const dedpul_allocator *allocator, dedpul_model **model,
                                           dedpul_error *error);

/*
 * Loads a model without the trained classifiers: enough for dedpul_model_describe, not for predictions.
 */
DEDPUL_API dedpul_status dedpul_model_load_description(const char *path, const dedpul_allocator *allocator,
                                                       dedpul_model **model, dedpul_error *error);

/* Tells by its first bytes whether a file is a model; 0 also if it cannot be read, or is no regular file. */
DEDPUL_API int dedpul_is_model(const char *path);

DEDPUL_API void dedpul_model_free(dedpul_model *model);

#ifdef __cplusplus
}
#endif

#endif
