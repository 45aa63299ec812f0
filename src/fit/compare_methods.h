/* Compares several methods on the same rows and scores. */
#ifndef DEDPUL_FIT_COMPARE_METHODS_H
#define DEDPUL_FIT_COMPARE_METHODS_H

#include "fit_rows.h"

/* What one method says. */
struct compared {
    const struct estimator *method;
    dedpul_status status;
    double alpha;     /* NaN if it failed */
    double low, high; /* interval; NaN: none */
    double seconds;
    bool is_reference; /* the first method of the registry, the default */
    bool differs;      /* from the reference, by more than the uncertainty of both */
    dedpul_error note; /* the message says why the method failed, or what else is to be said */
};

struct comparison {
    size_t n_methods;
    struct compared *method; /* (n_methods); before the call, only `method` of each is set */
    double auc;
    double seconds; /* time that the scores took */
    size_t n_positive, n_unlabeled;
};

/*
 * Fills in what each of the comparison's methods says about the scores of one cross-fit by the plan, whose
 * method is not read. The model receives the encoding and the classifier of the scores. Warnings are about
 * the table, the scores, and the first method that succeeded. It is an error if none did.
 */
dedpul_status compare_table(struct context *context, const struct table *table, size_t n_numbered,
                            const struct fit_plan *plan, struct model *model, struct comparison *comparison);

#endif
