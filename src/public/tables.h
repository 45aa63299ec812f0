/* The public table. */
#ifndef DEDPUL_PUBLIC_TABLES_H
#define DEDPUL_PUBLIC_TABLES_H

#include "matrix_table.h"
#include "texts.h"

#include "dedpul_tables.h"

struct dedpul_table {
    struct table_reader *reader; /* of a table from a file; NULL: from a matrix */
    const struct table *rows;
    size_t n_numbered;  /* columns without names, as in struct table_request */
    dedpul_ids ids;     /* if its name is set */
    struct texts kinds; /* their names, if they were set */

    struct arena memory; /* of arrays that are not the reader's, and of names */
    struct table own;    /* a table from a matrix, or with a shape or labels that were set */
};

/* How messages call a stream of arrays. */
#define ARROW_NAME "the table"

/* It is an error if the table has no labels. */
dedpul_status table_check_labels(const dedpul_table *table, dedpul_error *error);

/* Tells whether exactly one of the two arrays is set. */
bool matrix_is_valid(const dedpul_matrix *matrix);
struct matrix matrix_of(const dedpul_matrix *matrix);

#endif
