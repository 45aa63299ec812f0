/* One value of a row, and where it stands. */
#ifndef DEDPUL_TABLE_CELL_H
#define DEDPUL_TABLE_CELL_H

#include "error.h"

#include <stdbool.h>

/* Where a row stands, for messages ("FILE: line 3"), and how numbers in its texts are written. */
struct place {
    const char *file;
    const char *unit; /* "line" or "row" */
    size_t number;    /* from 1 */
    char decimal;     /* '.' or ',' */
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

/* Whether a text without blanks around it means that the value is missing: "", "NA", "null", "?", ... */
bool is_missing_text(const char *text, size_t length);

/* Whether such a text is "None", in any case: missing, but also the name of a level in many tables. */
bool is_none_text(const char *text, size_t length);

/* The cell's value as quote_text gives it. */
const char *quote_cell(char buffer[QUOTE_SIZE], const struct cell *cell);

/* What a number may be, and what it means: a message about another one ends with that. */
struct number_range {
    double least, most;
    const char *meaning;
    const char *remedy; /* what to do about a number that is out of range; may be NULL */
};

/* Gives the cell's number. One that is not in the range is an error. */
dedpul_status cell_in_range(const struct cell *cell, const struct place *place, const char *column,
                            const struct number_range *range, dedpul_error *error, double *value);

/* The same for a weight. */
dedpul_status cell_weight(const struct cell *cell, const struct place *place, const char *column,
                          dedpul_error *error, double *weight);

/* The same for a propensity; NaN if it is missing. Whether it may be 0 depends on the row's label. */
dedpul_status cell_propensity(const struct cell *cell, const struct place *place, const char *column,
                              dedpul_error *error, double *propensity);

#endif
