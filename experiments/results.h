/* results.csv: one row for each method of each run, added as runs finish. */
#ifndef DEDPUL_EXPERIMENTS_RESULTS_H
#define DEDPUL_EXPERIMENTS_RESULTS_H

#include <dedpul.h>

#include <stdio.h>

/* Measures that an evaluation estimates without known negatives, and that the classes of a set can check. */
enum checked { CHECKED_AUC, CHECKED_PRECISION, CHECKED_RECALL, CHECKED_F1, N_CHECKED };

enum { SETTING_SIZE = 160, SET_SIZE = 24, METHOD_SIZE = 24 };

/*
 * One method on one sample. The setting tells the kind of sets and how the classifier was trained:
 * "synthetic/paper", "datasets/default", "datasets/paper+classifier=gbdt".
 */
struct outcome {
    char setting[SETTING_SIZE];
    char set[SET_SIZE]; /* "L(1,1)", "bank" */
    double alpha;       /* the share that was drawn */
    double target;      /* the share that the data can show: alpha* for synthetic sets, else alpha */
    unsigned repeat;    /* from 0 */
    char method[METHOD_SIZE];
    /* NaN, an empty field of the file, if a method has no value. */
    double estimate, abs_error;               /* of the target */
    double posterior_mae, error, f1, roc_auc; /* of posteriors with the target given */
    /* CPU time of the method; on scores, with the sample and scores that methods share, unless these are of
     */
    /* an earlier run */
    double seconds;
    /* Not in files of earlier versions: */
    double low, high; /* 95% interval of alpha by its distribution, if the method knows it */
    double log_loss, brier, calibration; /* of posteriors of the method's own estimate; see metrics.h */
    double
        plain_log_loss; /* the same, if posteriors are plain; only if the method knows alpha's distribution */
    /* What the evaluation says on data sets, if the method knows alpha's distribution; see check.h. */
    double gap[N_CHECKED];  /* estimate - truth */
    double held[N_CHECKED]; /* 1 if the 95% range holds the truth, otherwise 0 */
    double asked_precision; /* true precision at the threshold for 0.9; NaN also if that cannot be had */
    double curve_precision_gap,
        curve_recall_gap; /* mean |estimate - truth| over the thresholds of the curve */
};

struct results {
    size_t n, capacity;
    struct outcome *row; /* (n) */
};

/*
 * Reads a file. If there is none, there are no rows. A last line without an end was being written when a run
 * was killed: it is not read, and not counted in *whole_bytes.
 */
dedpul_status results_read(const char *path, struct results *results, size_t *whole_bytes,
                           dedpul_error *error);

/* Sorts by setting, set, alpha, repeat and method; all but the setting are in the order of the protocol. */
void results_sort(struct results *results);

/* Finds the row of this setting, set, alpha, repeat and method among sorted rows, or returns NULL. */
const struct outcome *results_find(const struct results *results, const struct outcome *key);

/* Returns false if memory runs out. */
int results_add(struct results *results, const struct outcome *row);

void results_print_header(FILE *stream);
void results_print(FILE *stream, const struct outcome *row);
void results_print_name(FILE *stream, const char *name); /* in quotes if it has a comma */

void results_free(struct results *results);

#endif
