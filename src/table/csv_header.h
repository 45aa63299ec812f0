/* The first row of delimited text: names of columns, or data already. */
#ifndef DEDPUL_TABLE_CSV_HEADER_H
#define DEDPUL_TABLE_CSV_HEADER_H

#include "csv.h"

/* What to do about a file without names. */
#define NO_HEADER_ADVICE                                                                               \
    "line 1 looks like data, not like names of columns: if there is no header, say so (--no-header); " \
    "columns "                                                                                         \
    "are then called 1, 2 and so on"

/*
 * Tells whether the current row looks like data: it has numbers, and they are not names. Whole numbers that
 * ascend may be names, and so may others, such as wavelengths, if there are a few.
 */
bool header_is_data(const struct csv *csv);

/* Reads the row of names. It is an error if there is none, or if it is certain that these are data. */
dedpul_status header_read(struct csv *csv);

/* The error about a row that has not as many fields as there are columns. */
dedpul_status refuse_width(const struct csv *csv, size_t n_columns);

#endif
