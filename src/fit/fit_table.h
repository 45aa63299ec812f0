/* table -> features -> classify -> scores -> alpha and posteriors, and a model of all that. */
#ifndef DEDPUL_FIT_FIT_TABLE_H
#define DEDPUL_FIT_FIT_TABLE_H

#include "fit_check.h"
#include "fit_propensity.h"

/* Fills an empty model, which the caller always closes. The estimate's arrays are in `memory`. */
dedpul_status fit_table(struct context *context, const struct table *table, size_t n_numbered,
                        const struct fit_plan *plan, struct model *model, struct arena *memory,
                        struct estimate *estimate, struct kind_estimates *kinds,
                        struct checked_labels *checked, struct propensity_estimates *propensities,
                        double *logit /* (n_rows) cross-fitted */);

#endif
