/* The rows of a file, as a model needs them: its columns, in its order, in pieces of bounded size. */
#ifndef DEDPUL_FIT_MODEL_ROWS_H
#define DEDPUL_FIT_MODEL_ROWS_H

#include "model.h"

/* This many rows are read, encoded and scored at a time. */
enum { MODEL_ROWS_PIECE = 8192 };

struct model_rows {
    const struct encoding *encoding;
    struct table_reader *reader;
    struct table table; /* the rows of the last call */
    const struct stream *stream;
    double began; /* when */
};

/* Labels, weights, true classes, identifiers and kinds are read if `wanted` names their columns. Close the
 * rows if that works. */
dedpul_status model_rows_open(struct context *context, const struct model *model, struct stream *stream,
                              const struct table_request *wanted, struct model_rows *rows);

/* Reads the next piece; it has no rows at the end. */
dedpul_status model_rows_next(struct model_rows *rows);

/* Reports that this many rows are done, and how long the rest of the file may take. */
dedpul_status model_rows_report(struct context *context, const struct model_rows *rows, size_t done);

void model_rows_close(struct model_rows *rows);

#endif
