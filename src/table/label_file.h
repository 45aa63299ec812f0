/* Labels in a file of their own, one to a row of the table. */
#ifndef DEDPUL_TABLE_LABEL_FILE_H
#define DEDPUL_TABLE_LABEL_FILE_H

#include "row_source.h"

struct label_file {
    struct row_source *source; /* NULL: there is none */
    size_t column;             /* of its labels */
    const char *name;          /* of that column */
};

/*
 * Finds the column of that name. A binary file with one number per row (a NumPy or IDX file of one dimension)
 * needs no name. To be freed whatever the outcome.
 */
dedpul_status label_file_open(struct label_file *file, struct stream *stream, const char *column,
                              const struct text_format *format, const dedpul_allocator *allocator,
                              dedpul_error *error);

/* Gives the next label, which is valid until the next call; NULL at the end. */
dedpul_status label_file_next(struct label_file *file, const struct cell **label);

void label_file_free(struct label_file *file);

#endif
