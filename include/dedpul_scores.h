/* From the scores of any classifier to alpha and posteriors. Include <dedpul.h>. */
#ifndef DEDPUL_SCORES_H
#define DEDPUL_SCORES_H

#include "dedpul_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- estimation ------------------------------------------------------------------------------ */

/* How alpha was found. */
typedef enum dedpul_rule {
    DEDPUL_RULE_ROOT = 0,      /* alpha_c, the largest root of D */
    DEDPUL_RULE_MAX_SLOPE = 1, /* alpha_n, because D has only the trivial root 0 */
    DEDPUL_RULE_FORMULA = 2,   /* the method's own formula */
    DEDPUL_RULE_GIVEN = 3,     /* options.alpha */
    DEDPUL_RULE_MEDIAN = 4     /* of alpha's distribution, if the method knows it */
} dedpul_rule;

/* "root", "max_slope", "formula", "given", "median"; "unknown" for a number that is not a rule. */
DEDPUL_API const char *dedpul_rule_name(dedpul_rule rule);

/* A doubt about the answer. Later versions will not change this struct. */
typedef struct dedpul_warning {
    dedpul_warning_code code;
    const char *name;    /* the code as text, "discrete_scores" */
    const char *message; /* what is wrong and what to do */
} dedpul_warning;

/*
 * How far alpha may be off. The methods "pooled" and "learned" know alpha's distribution: its quantiles were
 * learned on simulated problems, in which samples and scores err by chance, and checked on real ones
 * (docs/RESULTS.md). Other methods have intervals by a bootstrap over labeled and over unlabeled rows.
 * Densities are estimated again in each resample, but the scores stay the same, so it does not include how
 * uncertain the classifier is.
 */
typedef struct dedpul_interval {
    size_t size;        /* of this struct as the library knows it */
    unsigned resamples; /* those that gave an estimate; 0: the interval does not come from resamples */
    double level;       /* share of such intervals that should hold the true value */
    /* The interval; NaN: there is none, only level and bound are set. By resamples, it has the percentiles */
    /* of their alphas, corrected for the bias of their median (Efron, 1981). */
    double low, high;
    double percentile_low, percentile_high; /* the plain percentiles; else the same as low and high */
    double upper_bound; /* by best bin estimation: alpha is below it with this level; it assumes nothing */
                        /* about the distributions */
} dedpul_interval;

/* This many resamples are enough for an interval. */
#define DEDPUL_ENOUGH_RESAMPLES 200

/*
 * A kind of positives. Kinds may have been labeled at different rates; within a kind, labeled rows must be a
 * random draw. low and high are the ends of an interval of the share, from resamples of the rows; the scores
 * stay the same.
 */
typedef struct dedpul_kind {
    const char *name;
    size_t n_labeled;        /* rows */
    double weight_labeled;   /* of these */
    double share, low, high; /* of the unlabeled rows that are positives of this kind */
    double label_rate;       /* share of the positives of this kind that are labeled; its range follows */
    double label_rate_low, label_rate_high; /* from that of the share */
    const double *posterior;                /* (n_unlabeled) probability of being positive and of this kind */
} dedpul_kind;

/* What a check of the labels says of the positives of one kind. */
typedef struct dedpul_checked_kind {
    const char *name; /* "kind 1", ... if kinds were found */
    const char
        *traits; /* what tells its labeled rows from others: "'age' high, 'job' is 'student'"; may be "" */
    size_t n_labeled; /* labeled rows that look most like this kind */
    /* Between these lies the share of its positives that is labeled, but for chance; NaN: too few rows. */
    double label_rate_low, label_rate_high;
    double deviation; /* from a rate for all kinds, in standard deviations; above 0: labeled too often */
} dedpul_checked_kind;

/*
 * Whether it is plausible that labeled rows are a random draw of the positives. Then the p-value is below
 * `level` in at most that share of fits.
 */
typedef struct dedpul_label_check {
    double p_value;
    double level;      /* 0.05; below it there is a warning */
    double label_rate; /* the share of the positives that is labeled, if it is the same for all kinds */
    int has_found_kinds;
    size_t n_kinds;
    const dedpul_checked_kind *const *kinds; /* (n_kinds) */
} dedpul_label_check;

/* Rows whose value of a column, or whose bin of its numbers, is the same; see dedpul_propensities. */
typedef struct dedpul_propensity_group {
    const char *column, *values;
    size_t n_labeled;  /* rows */
    double propensity; /* share of the positives that are labeled */
} dedpul_propensity_group;

/*
 * The chance of a positive to be labeled, e, if it is known or depends on columns; see dedpul_columns. The
 * unlabeled positives are then no mirror of the labeled ones: for each labeled row there are (1 - e) / e of
 * them, and this is what it weighs.
 */
typedef struct dedpul_propensities {
    size_t size;            /* of this struct as the library knows it */
    double lowest, highest; /* of labeled rows */
    double mean;            /* of all positives */
    double alpha_without;   /* the estimate as if the chance were the same for all */
    double
        alpha_by_values; /* what known chances say by themselves: sum of (1 - e) / e over labeled rows, by */
                         /* the number of unlabeled ones; NaN: they were estimated */
    size_t n_groups;     /* 0 if they are known */
    const dedpul_propensity_group *const *groups; /* (n_groups) by columns, as they were named */
} dedpul_propensities;

/* Points of the D(alpha) curve: alpha = 0, 0.001, ..., 1. */
#define DEDPUL_CURVE_POINTS 1001

/*
 * The answer. Read-only. The caller owns it and frees it with dedpul_result_free. The arrays over
 * unlabeled rows are in the order of the input.
 */
typedef struct dedpul_result {
    size_t size;         /* of this struct as the library knows it */
    const char *method;  /* static strings: the registered names */
    const char *density; /* NULL if the method uses none */
    double alpha;        /* share of positives among the unlabeled rows (weights counted) */
    double alpha_c;      /* largest root of D, 0 if only the trivial one exists; EM stops just above it */
    double alpha_n;      /* the max_slope estimate */
    dedpul_rule rule;    /* how alpha was found */
    double scale;        /* of posteriors: the mean of min(scale * ratio, 1) is alpha; see also `scales` */
    double mean_ratio;   /* mean of ratio over the unlabeled rows; with dedpul, near 1 for good densities */
    double auc;          /* of labeled against unlabeled scores */
    double bandwidth_p;  /* kernel bandwidths used, in logits; NaN without a kernel density */
    double bandwidth_u;

    size_t n_positive; /* rows */
    size_t n_unlabeled;
    double weight_positive; /* sums of weights; equal to the rows if no weights were given */
    double weight_unlabeled;

    /* For a row with a weight, both are means over the rows that it stands for. */
    const double *ratio;     /* (n_unlabeled) smoothed density ratio f_p / f_u */
    const double *posterior; /* (n_unlabeled) probability of being positive; nnpu, upu, tedn: by networks */

    const dedpul_interval *interval; /* of alpha; NULL: none was asked for */
    const double *posterior_low;     /* (n_unlabeled) intervals of posteriors; NULL without options.bands */
    const double *posterior_high;

    /*
     * Densities of the logit log(score / (1 - score)), at equal steps of it; n_grid is 0 if there are none.
     */
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

    /*
     * The posterior of a row, unless the method trains networks, is the sum of
     * scale_weights[k] * min(scales[k] * ratio, 1). With plain posteriors there is one scale, `scale`.
     */
    size_t n_scales;
    const double *scales;        /* (n_scales) */
    const double *scale_weights; /* (n_scales) add up to 1 */

    /* alpha's distribution, if the method knows it; its median is `alpha`, also if that was given. */
    size_t n_quantiles;            /* 0: not known */
    const double *quantile_levels; /* (n_quantiles) ascending: 0.025, ... */
    const double *quantiles;       /* (n_quantiles) of alpha */

    /* Kinds of positives, if the table of the fit has them; see dedpul_kind. Their shares add up to alpha. */
    size_t n_kinds;
    const dedpul_kind *const *kinds; /* (n_kinds) */
    /*
     * What each row of the table counts, as if kinds had been labeled at the same rate, or labels were a
     * random draw; the result, and the scores of the fit, are about rows with these weights. NULL: there are
     * no kinds and no propensities.
     */
    const double *row_weights;             /* (rows of the table) */
    const dedpul_label_check *label_check; /* NULL: it was not asked for, or a warning says why it failed */
    const uint32_t
        *row_kinds; /* (rows of the table) the place of a labeled row's kind in `kinds`; n_kinds: */
                    /* the row is unlabeled. NULL: there are no kinds */

    const dedpul_propensities *propensities; /* NULL: none were named or given */
} dedpul_result;

/* The largest weight, and the largest sum of a sample's weights. */
#define DEDPUL_LARGEST_WEIGHT 1e15

/*
 * Scores of one sample. Each score is finite and in [0, 1]. Densities are estimated on logits; for these,
 * scores below 1e-12 and above 1 - 1e-12 count as these two. weight may be NULL: each row counts once.
 * Otherwise each weight is finite, >= 0, and a count: a row of weight 3 counts like three equal rows. A row
 * of weight 0 has no influence but still gets a posterior.
 */
typedef struct dedpul_sample {
    size_t n;
    const double *score;  /* (n) */
    const double *weight; /* (n) or NULL */
} dedpul_sample;

/*
 * Estimates from two arrays. Each sample needs at least 2 rows (total weight at least 2), and the scores
 * must not all be equal. options may be NULL for the defaults.
 */
DEDPUL_API dedpul_status dedpul_estimate_two(const dedpul_sample *positive, const dedpul_sample *unlabeled,
                                             const dedpul_options *options, dedpul_result **result,
                                             dedpul_error *error);

/* Estimates from one array with labels: 1 = labeled positive, 0 = unlabeled. */
DEDPUL_API dedpul_status dedpul_estimate(const dedpul_sample *rows,
                                         const unsigned char *label /* (rows->n) */,
                                         const dedpul_options *options, dedpul_result **result,
                                         dedpul_error *error);

/*
 * Computes ratio and posterior for scores that took no part in the estimate. It interpolates the
 * result's (score, ratio) curve: linear in the logit, constant beyond its ends. ratio and posterior may
 * be NULL if they are not wanted. A method that trains networks has them in its model, not in the result.
 * Only the scales and the points are read, so a result that was stored needs only these to be evaluated; if
 * n_scales is 0, the only scale is `scale`.
 */
DEDPUL_API dedpul_status dedpul_result_evaluate(const dedpul_result *result, size_t n,
                                                const double *score /* (n) */, double *ratio /* (n) */,
                                                double *posterior /* (n) */, dedpul_error *error);

DEDPUL_API void dedpul_result_free(dedpul_result *result);

/* Identifiers of rows. Later versions will not change this struct. */
typedef struct dedpul_ids {
    const char *name;     /* of their column */
    const char *bytes;    /* the texts, one behind the other */
    const size_t *offset; /* (rows + 1) text i is bytes offset[i] to offset[i + 1] - 1 */
} dedpul_ids;

/*
 * Writes CSV files of a result: "row,score,ratio,posterior" for each unlabeled row (rows count from 1) to the
 * path `posteriors`, and "alpha,d" to the path `curve`. Either path may be NULL. Files appear whole, and an
 * existing file is replaced at the end; if one cannot be written, neither is renamed to its place. rows and
 * label must be those that the result was made from. If it was made from two arrays, label is NULL and rows
 * is the unlabeled one. ids has the identifiers of these rows, or is NULL. They are the first column, of the
 * name that theirs has; it is called "id" if files of rows have another column of that name ("row", "score").
 */
DEDPUL_API dedpul_status dedpul_result_write(const dedpul_result *result, const dedpul_sample *rows,
                                             const unsigned char *label, const dedpul_ids *ids,
                                             const char *posteriors, const char *curve, dedpul_error *error);

/*
 * Writes a score file that dedpul_score_table_read understands: "row,label,score" for each row, and a column
 * of weights if rows->weight is not NULL. ids is as in dedpul_result_write.
 */
DEDPUL_API dedpul_status dedpul_scores_write(const char *path, const dedpul_sample *rows,
                                             const unsigned char *label /* (rows->n) */,
                                             const dedpul_ids *ids, dedpul_error *error);

/*
 * Writes "row,kind" for each labeled row of a table of n rows, with an empty kind if the result has no kinds.
 * ids is as in dedpul_result_write.
 */
DEDPUL_API dedpul_status dedpul_row_kinds_write(const char *path, const dedpul_result *result, size_t n,
                                                const unsigned char *label /* (n) */, const dedpul_ids *ids,
                                                dedpul_error *error);

/* ---- score files ----------------------------------------------------------------------------- */

/* Which columns of the file hold what. The strings are borrowed. Call dedpul_columns_init first. */
typedef struct dedpul_columns {
    size_t size;          /* of this struct as the program knows it; dedpul_columns_init writes it */
    const char *label;    /* default "label" */
    const char *score;    /* default "score" */
    const char *weight;   /* default NULL: each row counts once */
    const char *positive; /* the label of labeled positives, or several separated by commas; every other */
                          /* value means unlabeled. Default NULL: labels are 1/0, 1/-1, true/false or p/u */
    /* The fields below are about tables. */
    const char *ignore; /* columns to leave out, separated by commas; default NULL */
    size_t most_levels; /* a text column with more distinct texts is refused; default 256 */
    const char *labels; /* a file that has the labels, one per row, in its column `label`, or in its only */
                        /* column if columns have no names; default NULL: the table has the labels */
    const char *shape;  /* the other columns are the pixels of images, by rows, columns and channels: */
                        /* "28x28", "32x32x3"; default NULL: as the file has it */
    /* The true classes of some unlabeled rows of a score file, in the words of the labels; an empty cell, NA,
     */
    /* ... is a class that is not known. Default NULL: none is known. */
    const char *truth;
    const char *decimal; /* the decimal sign of numbers in delimited text, "," or "."; default NULL: found */
                         /* from the first rows */
    const char *header;  /* "no": line 1 of delimited text is data, and columns are called 1, 2, ...; */
                         /* default NULL: "yes" */
    const char *score_scale; /* what scores are: "probability", "percent" (0 to 100) or "logit" (-700 to */
                             /* 700); default NULL: "probability" */
    const char *categorical; /* columns of a table whose numbers are codes: each is a level, as texts are; */
                             /* separated by commas; default NULL */
    /* The identifiers of rows, which are kept as they are and never a feature; default NULL: there are none.
     */
    const char *id;
    const char *group; /* rows of a table with the same text in this column stay together, those of a */
                       /* patient or a site; an empty cell is a group of its own. It is never a feature; */
                       /* default NULL: each row is by itself */
    dedpul_progress_function *progress; /* is told how much of the file is read; default NULL */
    void *progress_context;
    const char *squares; /* sums of squares of weights in a score file, as dedpul_bins_query gives them; */
                         /* default NULL: none, see dedpul_options */
    const char *kind; /* the kinds of a table's labeled rows, if kinds may have been labeled at different */
                      /* rates; empty for unlabeled rows, and never a feature; "auto": a fit finds them; */
                      /* default NULL: there is one */
    const char
        *propensity; /* columns of a table, separated by commas, on which the chance of a positive to */
                     /* be labeled depends; they stay features; default NULL: it is the same for all */
    const char
        *propensity_value; /* that chance, if it is known: above 0 and at most 1 in labeled rows, may */
                           /* be empty in the others; never a feature; default NULL: it is not known */
} dedpul_columns;

/* Fills in the defaults of the fields that a struct of this size has. Call dedpul_columns_init instead. */
DEDPUL_API void dedpul_columns_init_sized(dedpul_columns *columns, size_t size);

static inline void dedpul_columns_init(dedpul_columns *columns)
{
    dedpul_columns_init_sized(columns, sizeof *columns);
}

/* Rows of a score file. Read-only. The caller owns it and frees it with dedpul_score_table_free. */
typedef struct dedpul_score_table {
    dedpul_sample rows;
    const unsigned char *label; /* (rows.n) 1 = labeled positive, 0 = unlabeled */
    const unsigned char *truth; /* (rows.n) 1 = positive, 0 = negative, DEDPUL_TRUTH_UNKNOWN; or NULL */
    const dedpul_ids *ids;      /* or NULL; that of a labeled row of a model's fit is empty */
    const double *squares;      /* (rows.n) for dedpul_options; or NULL */
} dedpul_score_table;

/* Beside 1 and 0: nobody knows. */
#define DEDPUL_TRUTH_UNKNOWN 2

/*
 * Reads a delimited text file (comma, semicolon or tab, found from the header line; gzip is
 * recognised). Scores on another scale become probabilities. path "-" is standard input. columns may be NULL
 * for the defaults, allocator for malloc.
 */
DEDPUL_API dedpul_status dedpul_score_table_read(const char *path, const dedpul_columns *columns,
                                                 const dedpul_allocator *allocator,
                                                 dedpul_score_table **table, dedpul_error *error);

DEDPUL_API void dedpul_score_table_free(dedpul_score_table *table);

/* ---- scores in a database ------------------------------------------------------------------------ */

/* The databases that dedpul_bins_query knows, by index from 0; NULL after the last. */
DEDPUL_API const char *dedpul_sql_dialect_name(size_t index);

/*
 * Writes the SQL query by which a database bins the scores of another query's rows. The answer is that
 * query's rows but for scores that are near each other: its columns are label (as text), score (the mean of a
 * bin) and n, the number of rows or the sum of their weights; with weights, also squares, the sum of their
 * squares. It may have some hundred thousand rows, and has never more than 1,048,576. Rows that cannot be
 * used are not hidden: they have scores that are NULL or out of [0, 1], or an n that is NULL, negative or
 * infinite. An estimate from the rows, with n as weights, is nearly that from all scores.
 *
 * Names of columns are quoted, so they may hold anything; the query is taken as it is. Only label, score and
 * weight of columns count, which may be NULL for the defaults. *length is the text's, without the NUL at its
 * end. If the text does not fit into the capacity (which may be 0), it is not written: call again.
 */
DEDPUL_API dedpul_status dedpul_bins_query(const char *dialect, const char *query,
                                           const dedpul_columns *columns, size_t capacity,
                                           char *text /* (capacity) */, size_t *length, dedpul_error *error);

#ifdef __cplusplus
}
#endif

#endif
