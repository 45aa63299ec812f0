/*
 * The chance of a positive to be labeled, if it depends on columns. Within a stratum of such a column, labels
 * are a random draw, so the share of positives among its unlabeled rows can be estimated as usual. How many
 * positives are unlabeled for each that is labeled, (1 - e) / e for a propensity e, is what labeled rows
 * weigh, so that they are like the unlabeled positives.
 */
#ifndef DEDPUL_FIT_PROPENSITY_H
#define DEDPUL_FIT_PROPENSITY_H

#include "fit_rows.h"
#include "strata.h"

/*
 * Fills (1 - e) / e of labeled rows from the propensities that the table has; 1 for the others. It is an
 * error if a labeled row has none, or one that is not above 0 and at most 1, or if all are 1.
 */
dedpul_status propensity_known(struct context *context, const struct table *table,
                               double *odds /* (n_rows) */);

/*
 * Estimates (1 - e) / e up to a factor, a product of a function of each column, from the rows' logits; 1 for
 * unlabeled rows. *error is that of the logarithm of the number of unlabeled positives.
 */
dedpul_status propensity_estimate(struct context *context, const struct fit_rows *rows,
                                  const struct ratio_plan *ratio, size_t n, const struct strata *strata,
                                  double *odds /* (n_rows) */, double *error);

#endif
