/* Rows of delimited text. */
#ifndef DEDPUL_TABLE_CSV_H
#define DEDPUL_TABLE_CSV_H

#include "stream.h"

#include <stdbool.h>

/* Longer rows are an error: a file with one is hardly a table. */
#define CSV_LONGEST_ROW ((size_t)16 << 20)

struct csv_field {
    char *text; /* not NUL-terminated */
    size_t length;
    bool has_escapes; /* while a row is being read: doubled quotes are still in the text */
};

/*
 * The delimiter (comma, semicolon or tab) is the commonest of the three in the first row. Fields may be
 * in double quotes, with doubled quotes inside. Rows end with LF, CRLF or CR; empty lines are skipped. A
 * UTF-8 byte order mark is skipped.
 */
struct csv {
    struct stream *stream; /* borrowed */
    dedpul_allocator allocator;
    dedpul_error *error; /* may be NULL */
    char delimiter;      /* 0 before the first row */
    size_t line;         /* of the file, from 1, on which the current row begins */
    size_t next_line;
    struct csv_field *field; /* (n_fields) the current row; valid until the next call */
    size_t n_fields, most_fields;

    char *buffer;
    size_t capacity, begin, end; /* bytes begin .. end-1 are not parsed yet */
    size_t taken;                /* bytes read from the stream */
    bool at_end;
};

void csv_init(struct csv *csv, struct stream *stream, const dedpul_allocator *allocator, dedpul_error *error);

/* Reads the next row; *has_row is false at the end. */
dedpul_status csv_next(struct csv *csv, bool *has_row);

void csv_free(struct csv *csv);

#endif
