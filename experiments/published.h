/* The results published with the paper, which are part of the program. */
#ifndef DEDPUL_EXPERIMENTS_PUBLISHED_H
#define DEDPUL_EXPERIMENTS_PUBLISHED_H

#include "protocol.h"
#include "results.h"

/*
 * Proportion: the absolute error of the estimated share. Classification, with the share given: the mean
 * absolute error of posteriors on synthetic sets, the share of errors on data sets.
 */
enum task { TASK_PROPORTION, TASK_CLASSIFICATION, N_TASKS };

struct published {
    enum kind kind;
    char set[SET_SIZE];
    double alpha;
    char method[METHOD_SIZE]; /* as a variant's `published`, or "dedpul_catboost" */
    unsigned repeats;
    double mean[N_TASKS]; /* NaN where none was published */
    double deviation;     /* of the proportion's error over repeats */
};

struct published_results {
    size_t n, capacity;
    struct published *row; /* (n) */
};

dedpul_status published_read(struct published_results *published, dedpul_error *error);

/* NULL where there is none. */
const struct published *published_find(const struct published_results *published, const struct set *set,
                                       double alpha, const char *method);

/* As what a method's results in a setting were published, or NULL. */
const char *published_name(const char *setting, const struct variant *variant);

void published_free(struct published_results *published);

#endif
