/* Scores of labeled and unlabeled rows that a model has not seen. */
#ifndef DEDPUL_FIT_SCORE_LABELED_H
#define DEDPUL_FIT_SCORE_LABELED_H

#include "model.h"
#include "score_table.h"

/*
 * Scores the rows of a file. If the file has no column of labels, all its rows are unlabeled, and the labeled
 * rows are those whose scores the model kept; it must have some then. wanted->score is not read. If it names
 * a column of kinds, which a model with kinds and labels need, labeled rows count as if kinds had been
 * labeled at the same rate. The table is to be freed whatever the outcome.
 */
dedpul_status score_labeled(struct context *context, const struct model *model, struct stream *stream,
                            const struct score_columns *wanted, struct score_table *table);

#endif
