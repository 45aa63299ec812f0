/* A fit whose positives were labeled with a chance that depends on the row. */
#ifndef DEDPUL_FIT_FIT_PROPENSITY_H
#define DEDPUL_FIT_FIT_PROPENSITY_H

#include "propensity.h"

/* Rows with certain values of a column. */
struct propensity_group {
    const char *column, *values;
    size_t labeled;    /* rows */
    double propensity; /* share of the positives that are labeled */
};

struct propensity_estimates {
    const double *weight; /* (n_rows) what rows count, as if labels were a random draw; NULL: the table has */
                          /* no propensities, and the rest is not set */
    double lowest, highest; /* propensities of labeled rows */
    double mean;            /* of all positives */
    double alpha_without;   /* the estimate without propensities */
    double alpha_by_values; /* share of positives that follows from known propensities alone; or NaN */
    size_t n_groups;
    struct propensity_group *group; /* (n_groups) none if propensities are known */
};

/* Propensities on the way from the table to the answer. */
struct fitted_propensity {
    struct strata *strata; /* (table->n_propensity_columns) */
    const double *weight;  /* (n_rows) as the table has them, or NULL */
    double *odds;          /* (n_rows) as in propensity.h */
    double alpha_without, error;
};

/* Tells whether labels of the table have propensities. */
bool has_propensity(const struct table *table);

/* Checks what the table says about propensities, so that a fit fails before training, not after. */
dedpul_status fit_propensity_read(struct context *context, const struct fit_rows *rows,
                                  struct fitted_propensity *fitted);

/* Trains and estimates without propensities, and fills the logits of the rows. */
dedpul_status fit_without_propensity(struct context *context, const struct fit_plan *plan,
                                     const struct fit_rows *rows, struct fitted_propensity *fitted);

/*
 * Estimates propensities from these logits, if they are not known, and gives labeled rows the weights that
 * follow: from here on, rows are as if labels were a random draw of the positives, and the classifier has yet
 * to be trained on them.
 */
dedpul_status fit_propensity(struct context *context, const struct fit_plan *plan, struct fit_rows *rows,
                             struct fitted_propensity *fitted);

/* Summarises the propensities, and widens the interval of the estimate if they were estimated. */
dedpul_status fit_propensity_answer(struct context *context, const struct fit_rows *rows,
                                    const struct fitted_propensity *fitted, struct arena *memory,
                                    struct estimate *estimate, struct propensity_estimates *answer);

#endif
