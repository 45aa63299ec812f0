/*
 * What an order of rows is worth, if it is known how many rows of each group are positive. Standard errors
 * are those of the samples: of where positives and negatives lie, for a given share of positives.
 */
#ifndef DEDPUL_SCORES_CLASS_MEASURES_H
#define DEDPUL_SCORES_CLASS_MEASURES_H

#include <stddef.h>

/* Groups of rows, from the highest score down. */
struct classes {
    size_t n;
    const double *rows;     /* (n) weight */
    const double *positive; /* (n) weight of the positives; if labeled rows tell where positives lie, some */
                            /* groups may have more positives than rows */
    const double *negative; /* (n) */
    double labeled;         /* weight of the labeled rows, the sample that tells where positives lie */
    double total_rows, total_positive, total_negative;
};

struct classes classes_of(size_t n, const double *rows, const double *positive, const double *negative,
                          double labeled);

/* A measure and its standard error; NaN if it is not defined. */
struct measure {
    double value, error;
    double size; /* of the sample that it is a share of; 0: it is none */
};

/* The chance that a positive has a higher score than a negative; ties count one half. */
struct measure measure_auc(const struct classes *classes);

/* The mean, over the positives, of the precision at their scores. */
struct measure measure_average_precision(const struct classes *classes);

/* The highest F1 that a threshold can have. */
struct measure measure_best_f1(const struct classes *classes);

/* The rows at or above a threshold. */
struct flagged {
    double rows, positive; /* weight */
};

struct measure measure_precision(const struct classes *classes, const struct flagged *flagged);
/* The share of the negatives that are flagged: the false positive rate. */
struct measure measure_fall_out(const struct classes *classes, const struct flagged *flagged);
struct measure measure_recall(const struct classes *classes, const struct flagged *flagged);
struct measure measure_f1(const struct classes *classes, const struct flagged *flagged);

#endif
