/* Scores and posteriors of new rows. */
#ifndef DEDPUL_FIT_PREDICT_ROWS_H
#define DEDPUL_FIT_PREDICT_ROWS_H

#include "batch.h"
#include "matrix_table.h"

/*
 * Uses the model's classifier of labeled against unlabeled rows and its curve; if the plan says so, or if the
 * method trained networks, the classifier of positives against negatives. Arrays of the prediction are in
 * `memory`.
 */
dedpul_status predict_matrix(struct context *context, const struct model *model,
                             const struct predict_plan *plan, const struct matrix *rows,
                             struct predicted predicted, struct arena *memory, struct prediction *prediction);

/*
 * The same from a file, read in pieces of bounded size, to a file; "-" is standard output. If the plan needs
 * all scores before the first row can be written, it keeps 8 bytes of each row, and its identifier.
 */
dedpul_status predict_file(struct context *context, const struct model *model,
                           const struct predict_plan *plan, const char *path, const char *out,
                           struct arena *memory, struct prediction *prediction);

/* The same from a stream of any kind, to arrays in `memory`. It keeps 8 bytes of each row until the end. */
dedpul_status predict_arrays(struct context *context, const struct model *model,
                             const struct predict_plan *plan, struct stream *stream, struct arena *memory,
                             struct predicted *predicted, struct prediction *prediction);

#endif
