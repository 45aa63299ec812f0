/* Results gathered by cell: one method in one setting on one set with one share, over the repeats. */
#ifndef DEDPUL_EXPERIMENTS_SUMMARY_H
#define DEDPUL_EXPERIMENTS_SUMMARY_H

#include "published.h"

enum measure {
    MEASURE_ABS_ERROR,
    MEASURE_POSTERIOR_MAE,
    MEASURE_ERROR,
    MEASURE_F1,
    MEASURE_ROC_AUC,
    MEASURE_SECONDS,
    MEASURE_COVERED, /* 1 if the interval holds the target, otherwise 0 */
    MEASURE_WIDTH,   /* of the interval */
    MEASURE_LOG_LOSS,
    MEASURE_BRIER,
    MEASURE_CALIBRATION,
    MEASURE_PLAIN_LOG_LOSS,
    MEASURE_GAP,                              /* |gap| of the first measure in enum checked, and so on */
    MEASURE_HELD = MEASURE_GAP + N_CHECKED,   /* the same for held */
    MEASURE_ASKED = MEASURE_HELD + N_CHECKED, /* 1 if the precision asked for, 0.9, is at least 0.85 */
    MEASURE_CURVE_PRECISION,
    MEASURE_CURVE_RECALL,
    N_MEASURES
};

/* "abs_error"; as in the file of results, if it is there */
const char *measure_name(enum measure measure);

/* The measure by which a task is judged. */
enum measure task_measure(enum kind kind, enum task task);

struct statistic {
    unsigned n;
    double mean;    /* NaN if n = 0 */
    double squares; /* sum of squared differences from the mean */
};

/* The standard error of the mean; NaN if n < 2. */
double standard_error(const struct statistic *statistic);

struct cell {
    unsigned repeats; /* 0: not run */
    struct statistic of[N_MEASURES];
    const struct published *published; /* NULL if there is none */
};

/* A set with a share, on which methods are compared. */
struct place {
    const struct set *set;
    double alpha;
};

enum { MOST_PLACES = 64, MOST_METHODS = 32 };

struct setting {
    char name[SETTING_SIZE];
    enum kind kind;
    size_t n_places; /* all places of the protocol, whether they were run or not */
    struct place place[MOST_PLACES];
    struct cell cell[MOST_METHODS][MOST_PLACES]; /* methods in the order of variant_at */
};

struct summary {
    size_t n;
    struct setting *setting; /* (n) by name */
    struct published_results published;
};

/* Makes the summary. It sorts the results. */
dedpul_status summary_make(struct summary *summary, struct results *results, dedpul_error *error);

void summary_free(struct summary *summary);

#endif
