/* Compares several methods on the same rows and scores. */
#ifndef DEDPUL_FIT_COMPARE_METHODS_H
#define DEDPUL_FIT_COMPARE_METHODS_H

#include "compared.h"

/*
 * Fills in what each of the comparison's methods says about the scores of one cross-fit by the plan, whose
 * method is not read. An entry is as compared_start makes it. The reference is the first method of the
 * registry, the default; a method differs from it if their alphas do by more than the uncertainty of both.
 * If the table has kinds, scores are corrected for them as those of a fit.
 * The model receives the encoding and the classifier of the scores. Warnings are about the table, the scores,
 * and the first method that succeeded. It is an error if none did.
 */
dedpul_status compare_methods(struct context *context, const struct table *table, size_t n_numbered,
                              const struct fit_plan *plan, struct model *model,
                              struct comparison *comparison);

#endif
