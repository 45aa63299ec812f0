/* One value of a row, and where it stands. */
#ifndef DEDPUL_TABLE_CELL_H
#define DEDPUL_TABLE_CELL_H

#include "error.h"

#include <stdbool.h>

/* Where a row stands, for messages: "FILE: line 3". */
struct place {
    const char *file;
    const char *unit; /* "line" or "row" */
    size_t number;    /* from 1 */
};

struct cell {
    size_t column;    /* of the file, from 0 */
    const char *text; /* not NUL-terminated; NULL: the cell is a number */
    size_t length;
    double number;
};

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Takes blanks off both ends. */
void trim_blanks(const char **text, size_t *length);

/* Whether a text without blanks around it stands for no value: "", "NA", "NaN" or "?", in either case. */
bool is_missing_text(const char *text, size_t length);

/* The cell as quote_text has it. */
const char *quote_cell(char buffer[QUOTE_SIZE], const struct cell *cell);

/* The cell's number, from 0 to largest; else an error that ends with `meaning`. */
dedpul_status cell_in_range(const struct cell *cell, const struct place *place, const char *column,
                            double largest, const char *meaning, dedpul_error *error, double *value);

/* Its number as a weight. */
dedpul_status cell_weight(const struct cell *cell, const struct place *place, const char *column,
                          dedpul_error *error, double *weight);

#endif
