/* How a file of delimited text is written: what separates its cells, and its numbers. */
#ifndef DEDPUL_TABLE_DIALECT_H
#define DEDPUL_TABLE_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

/* What the user says about delimited text. */
struct text_format {
    char decimal;   /* ',' or '.'; 0: found from the first rows */
    bool no_header; /* line 1 is data, and columns are called by their numbers */
};

struct dialect {
    char delimiter;      /* comma, semicolon or tab; 0: not known yet */
    char decimal;        /* '.' or ',' */
    bool is_comma_guess; /* the decimal comma was found, but its numbers may be something else, such as pairs
                          */
};

/*
 * Looks at the file's first bytes. The delimiter is the commonest of the three in the first row; but if that
 * row is of numbers with decimal commas, what separates them is the delimiter.
 *
 * Decimal commas are found only if commas do not separate the cells. Then some number must have one that
 * cannot separate thousands: 0,931 and 1,5 have, 1,234 has not. And no cell may speak against it: numbers
 * with decimal points, or with several commas.
 */
struct dialect dialect_find(const char *bytes, size_t n, bool is_whole, const struct text_format *format);

/* Tells whether the text is a number with one comma, which may be a decimal comma or separate thousands. */
bool is_number_with_comma(const char *text, size_t length);

/* Tells whether the commas of a number may separate thousands: 1,234 and 12,345,678. */
bool may_be_thousands(const char *text, size_t length);

#endif
