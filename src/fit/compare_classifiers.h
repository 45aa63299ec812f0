/* Compares several classifiers on the same rows and folds. */
#ifndef DEDPUL_FIT_COMPARE_CLASSIFIERS_H
#define DEDPUL_FIT_COMPARE_CLASSIFIERS_H

#include "compared.h"

/*
 * Cross-fits the classifier of each plan, and fills in what the plan's method says about its scores. The
 * plans differ in the classifier alone, and the method trains no networks of its own. An entry is as
 * compared_start makes it. All are evaluated with the same alpha. The reference is the classifier with the
 * highest AUC. Another one differs from it if the AUC of labeled against unlabeled rows is lower, too, by
 * more than chance. The model receives the encoding. Warnings are about the table. It is an error if no
 * classifier succeeded.
 */
dedpul_status compare_classifiers(struct context *context, const struct table *table, size_t n_numbered,
                                  const struct fit_plan *plan /* (comparison->n) */, struct model *model,
                                  struct comparison *comparison);

#endif
