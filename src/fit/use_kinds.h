/* What kinds of positives do to the rows of a fit: they are checked, and rows are corrected for them. */
#ifndef DEDPUL_FIT_USE_KINDS_H
#define DEDPUL_FIT_USE_KINDS_H

#include "fit_check.h"

/*
 * Trains the classifiers of kinds that are known, which fit_kinds_read has read, and corrects the rows. The
 * model receives the kinds. Labels are checked by them if the plan says so; what that finds is in `memory`.
 */
dedpul_status use_known_kinds(struct context *context, const struct fit_plan *plan, struct model *model,
                              struct fit_rows *rows, struct arena *memory, struct fitted_kinds *fitted,
                              struct checked_labels *checked);

/*
 * Looks for kinds, and uses them if the labels are not a random draw of the positives by them. If they may
 * be, there are none, and the answer is the ordinary one.
 */
dedpul_status use_found_kinds(struct context *context, const struct fit_plan *plan, struct model *model,
                              struct fit_rows *rows, struct arena *memory, struct fitted_kinds *fitted,
                              struct checked_labels *checked);

/* Does what the table and the plan ask for: one of these, or only the check of the labels, or nothing. */
dedpul_status use_kinds(struct context *context, const struct fit_plan *plan, struct model *model,
                        struct fit_rows *rows, struct arena *memory, struct fitted_kinds *fitted,
                        struct checked_labels *checked);

#endif
