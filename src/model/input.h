/* The public table. */
#ifndef DEDPUL_MODEL_INPUT_H
#define DEDPUL_MODEL_INPUT_H

#include "context.h"
#include "table.h"

struct dedpul_table {
    dedpul_allocator allocator;
    struct table_reader *reader; /* of a table from a file; NULL: from a matrix */
    const struct table *rows;
    size_t n_numbered; /* columns without names, as in struct table_request */

    struct context memory; /* of a table from a matrix */
    struct table own;      /* of one from a matrix, or with a shape that was set */
};

/* A matrix as columns called "1", "2", ...; the table's arrays are in the context's memory. */
dedpul_status table_of_matrix(struct context *context, const dedpul_matrix *matrix, size_t first, size_t n,
                              struct table *table);

#endif
