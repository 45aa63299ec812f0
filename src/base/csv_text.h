/* Texts in CSV files that are written. */
#ifndef DEDPUL_BASE_CSV_TEXT_H
#define DEDPUL_BASE_CSV_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Writes a text so that every reader of CSV finds it as it is, in quotes if it needs them. */
void write_csv_cell(FILE *stream, const char *text, size_t length);

/* The same, and a comma. */
void write_csv_text(FILE *stream, const char *text, size_t length);

/*
 * The same for the name of the column of identifiers. One that other columns of our files have, such as
 * "score", becomes "id".
 */
void write_id_name(FILE *stream, const char *name);

#endif
