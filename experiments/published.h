/* The results published with the paper. They are compiled into the program. */
#ifndef DEDPUL_EXPERIMENTS_PUBLISHED_H
#define DEDPUL_EXPERIMENTS_PUBLISHED_H

#include "protocol.h"
#include "results.h"

/*
 * Proportion is judged by the absolute error of the estimated share. Classification, with the share given, is
 * judged by the mean absolute error of posteriors on synthetic sets, and by the share of errors on data sets.
 */
enum task { TASK_PROPORTION, TASK_CLASSIFICATION, N_TASKS };

struct published {
    enum kind kind;
    char set[SET_SIZE];
    double alpha;
    char method[METHOD_SIZE]; /* a variant's `published`, or "dedpul_catboost" */
    unsigned repeats;
    double mean[N_TASKS]; /* NaN if none was published */
    double deviation;     /* standard deviation of the proportion's error over repeats */
};

struct published_results {
    size_t n, capacity;
    struct published *row; /* (n) */
};

dedpul_status published_read(struct published_results *published, dedpul_error *error);

/* Returns NULL if there is none. */
const struct published *published_find(const struct published_results *published, const struct set *set,
                                       double alpha, const char *method);

/* Returns the name under which a method's results in a setting were published, or NULL. */
const char *published_name(const char *setting, const struct variant *variant);

void published_free(struct published_results *published);

#endif
