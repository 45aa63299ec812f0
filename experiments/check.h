/* How far an evaluation without known negatives is from the truth. */
#ifndef DEDPUL_EXPERIMENTS_CHECK_H
#define DEDPUL_EXPERIMENTS_CHECK_H

#include "draw.h"
#include "estimate.h"
#include "fit_rows.h"
#include "results.h"

/*
 * Evaluates the scores at the threshold with the fewest expected errors, and fills the row's gaps, whether
 * ranges hold, the gaps along the curve, and the true precision at the threshold for a precision of 0.9. Does
 * nothing on synthetic sets: there the data can show alpha*, not the share of the classes that were drawn.
 */
dedpul_status check_evaluation(struct context *context, const struct drawing *drawing,
                               const struct fit_rows *rows, const struct estimate *estimate,
                               struct outcome *row);

#endif
