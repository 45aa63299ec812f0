/* How good the scores are, and from which score on to act, without known negatives. Include <dedpul.h>. */
#ifndef DEDPUL_EVALUATION_H
#define DEDPUL_EVALUATION_H

#include "dedpul_scores.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An estimate, and a range that should hold the true value at the level of the evaluation. The range comes
 * from alpha's distribution, from how posteriors may err, and from the chance of drawing the rows. NaN: not
 * defined. Later versions will not change this struct.
 */
typedef struct dedpul_range {
    double value, low, high;
} dedpul_range;

/* What a threshold achieves among the unlabeled rows: those with at least its score are flagged. */
typedef struct dedpul_threshold {
    double score;           /* NaN: no row is flagged */
    double posterior;       /* of unlabeled rows with this score */
    double rows;            /* number of unlabeled rows that are flagged (their weight) */
    double flagged;         /* their share of the unlabeled rows */
    dedpul_range precision; /* share of positives among the flagged rows; NaN if there are none */
    dedpul_range recall;    /* share of the positives that are flagged */
    dedpul_range lift;      /* precision / alpha */
    dedpul_range f1;        /* harmonic mean of precision and recall */
} dedpul_threshold;

/* What a threshold must achieve; `value` is that of the options. */
typedef enum dedpul_goal {
    /* The lowest expected cost, if a false positive costs `value` times what a false negative does. With */
    /* 1, rows are flagged that are more likely positive than not. */
    DEDPUL_GOAL_COST = 0,
    DEDPUL_GOAL_F1 = 1,        /* the highest F1; value is not read */
    DEDPUL_GOAL_TOP = 2,       /* flag `value` rows; fewer if rows tie */
    DEDPUL_GOAL_SHARE = 3,     /* flag this share of the unlabeled rows; fewer if rows tie */
    DEDPUL_GOAL_PRECISION = 4, /* the most rows that have this precision with a probability of 85% */
    DEDPUL_GOAL_RECALL = 5,    /* the fewest rows that have this recall with a probability of 85% */
    DEDPUL_GOAL_SCORE = 6      /* flag the rows of at least this score */
} dedpul_goal;

/* The name that options have for it: "cost", "max", "precision", ...; "unknown" for a number that is none. */
DEDPUL_API const char *dedpul_goal_name(dedpul_goal goal);

/* Call dedpul_evaluate_options_init first. */
typedef struct dedpul_evaluate_options {
    size_t size;      /* of this struct as the program knows it; dedpul_evaluate_options_init writes it */
    dedpul_goal goal; /* default cost */
    unsigned threads; /* default 0: one per online processor */
    const dedpul_allocator *allocator; /* default NULL: malloc */
    double value;                      /* of the goal; default 1 */
    double level;                      /* of ranges, from 0.5 to 0.999; default 0.95 */
} dedpul_evaluate_options;

/* Fills in the defaults for a struct of this size. Call dedpul_evaluate_options_init instead. */
DEDPUL_API void dedpul_evaluate_options_init_sized(dedpul_evaluate_options *options, size_t size);

static inline void dedpul_evaluate_options_init(dedpul_evaluate_options *options)
{
    dedpul_evaluate_options_init_sized(options, sizeof *options);
}

/*
 * Sets the goal from text, as the command line does: "precision", "recall", "share", "top" and "threshold" (a
 * score) with a number, "cost" with what a false positive and a false negative cost ("1:5"), "max" with "f1".
 */
DEDPUL_API dedpul_status dedpul_evaluate_options_set(dedpul_evaluate_options *options, const char *name,
                                                     const char *value, dedpul_error *error);

/* Rows of similar scores: what posteriors say, and what labeled rows say. */
typedef struct dedpul_calibration_bin {
    double highest, lowest;    /* scores */
    double labeled, unlabeled; /* number of rows (their weight) */
    double posterior;          /* mean of the unlabeled rows */
    double share; /* of positives, if labeled rows are a random draw of the positives; at most 1 */
} dedpul_calibration_bin;

/* The same measures of unlabeled rows whose classes are known. */
typedef struct dedpul_known_truth {
    double rows, positives; /* number (weight) of the rows, and of the positives among them */
    double alpha;           /* share of positives */
    double auc, average_precision, best_f1;
    double precision, recall, lift, f1; /* at the threshold in force; NaN: not defined */
} dedpul_known_truth;

/* The answer. Read-only. The caller owns it and frees it with dedpul_evaluation_free. */
typedef struct dedpul_evaluation {
    size_t size; /* of this struct as the library knows it */
    double alpha, level;
    dedpul_range auc; /* the chance that a positive has a higher score than a negative; ties count one half */
    dedpul_range average_precision;            /* the mean of precision over the positives */
    dedpul_range best_f1;                      /* the highest F1 of all thresholds */
    const dedpul_threshold *threshold;         /* the one in force: that of options.goal */
    size_t n_curve;                            /* at most about 500 */
    const dedpul_threshold *const *curve;      /* (n_curve) thresholds from the highest score down */
    size_t n_bins;                             /* at most 10 */
    const dedpul_calibration_bin *const *bins; /* (n_bins) from the highest score down */
    double calibration_difference;             /* mean |share - posterior| over the unlabeled rows */
    double calibration_chance;       /* the probability that chance alone makes labeled rows and posteriors */
                                     /* differ so much; below 0.01 there is a warning */
    const dedpul_known_truth *truth; /* NULL: none is known */
    size_t n_warnings;
    const dedpul_warning *warnings;           /* (n_warnings) */
    const char *method;                       /* of the estimate */
    size_t n_positive, n_unlabeled;           /* rows */
    double weight_positive, weight_unlabeled; /* sums of weights; the rows if there are no weights */
    double goal_value;                        /* that of the options */
    dedpul_goal goal;
} dedpul_evaluation;

/*
 * Evaluates the scores that a result was made from; rows and label must be those. (dedpul_fit gives the
 * scores, too; those of methods that train networks of their own cannot be evaluated.) truth may be NULL;
 * otherwise it has 1 (positive), 0 (negative) or DEDPUL_TRUTH_UNKNOWN for each row, and that of labeled rows
 * is not read. options may be NULL for the defaults. A goal that cannot be reached is an error that says what
 * can be.
 */
DEDPUL_API dedpul_status dedpul_evaluate(const dedpul_result *result, const dedpul_sample *rows,
                                         const unsigned char *label /* (rows->n) */,
                                         const unsigned char *truth /* (rows->n) or NULL */,
                                         const dedpul_evaluate_options *options,
                                         dedpul_evaluation **evaluation, dedpul_error *error);

/*
 * Writes the curve as CSV to a path: score, posterior, rows, flagged, and precision, recall, lift and f1,
 * each followed by the ends of its range. The file appears whole or not at all.
 */
DEDPUL_API dedpul_status dedpul_evaluation_write(const dedpul_evaluation *evaluation, const char *path,
                                                 dedpul_error *error);

DEDPUL_API void dedpul_evaluation_free(dedpul_evaluation *evaluation);

#ifdef __cplusplus
}
#endif

#endif
