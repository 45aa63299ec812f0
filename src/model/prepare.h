/* From a table to cross-fitted scores, and on to an estimate. */
#ifndef DEDPUL_MODEL_PREPARE_H
#define DEDPUL_MODEL_PREPARE_H

#include "train.h"

/* table -> features -> classify -> scores: fills the fit's arrays, and the model's encoding and ntc. */
dedpul_status prepare(struct context *context, struct fit *fit, size_t n_numbered);

/* Whether the method of that name looks at the rows' features, too. */
bool method_needs_table(const char *method);

/*
 * scores -> result, by the options' method, which may train networks of its own. The result has the context's
 * warnings; it is to be freed also after a failure.
 */
dedpul_status estimate_fit(struct context *context, const struct fit *fit, const dedpul_options *options,
                           dedpul_result **result);

#endif
