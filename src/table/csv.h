/* Rows of delimited text. */
#ifndef DEDPUL_TABLE_CSV_H
#define DEDPUL_TABLE_CSV_H

#include "dialect.h"
#include "text_buffer.h"

struct csv_field {
    char *text; /* not NUL-terminated */
    size_t length;
    bool has_escapes; /* doubled quotes are still in the text; false once the row is read */
};

/*
 * Fields may be in double quotes, with doubled quotes inside. Rows end with LF, CRLF or CR; empty lines are
 * skipped. A UTF-8 byte order mark is skipped.
 */
struct csv {
    struct text_buffer text;   /* text.line is the line on which the current row begins */
    dedpul_error *error;       /* may be NULL */
    struct text_format format; /* may be set before the first row */
    struct dialect dialect;    /* since the first row */
    struct csv_field *field;   /* (n_fields) the current row; valid until the next call */
    size_t n_fields, most_fields;
};

void csv_init(struct csv *csv, struct stream *stream, const dedpul_allocator *allocator, dedpul_error *error);

/* Reads the next row; *has_row is false at the end. */
dedpul_status csv_next(struct csv *csv, bool *has_row);

void csv_free(struct csv *csv);

#endif
