/* Warnings about columns. */
#include "dialect.h"
#include "encoding.h"
#include "number.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void warn_dropped(struct context *context, const struct encoding *encoding)
{
    char names[160] = "";
    size_t used = 0, dropped = 0;
    for (size_t c = 0; c < encoding->n_columns; c++) {
        const struct feature *feature = &encoding->column[c];
        if (feature->width > 0)
            continue;
        char quoted[QUOTE_SIZE];
        if (dropped++ < 4)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s (%s)", dropped > 1 ? ", " : "",
                                     quote_text(quoted, feature->schema.name, strlen(feature->schema.name)),
                                     feature->use == USE_NONE_MISSING ? "all missing" : "constant");
        if (used >= sizeof names)
            used = sizeof names - 1;
    }
    if (dropped > 0)
        context_warn(context, DEDPUL_WARNING_DROPPED_COLUMNS, "left out: %s%s", names,
                     dropped > 4 ? " and more" : "");
}

/* A column that is text only because of a few cells, or of commas, was probably meant as numbers. */
static void warn_numbers_as_text(struct context *context, const struct column_schema *column)
{
    size_t numbers = 0, commas = 0, comma = 0, stray = column->n_levels;
    for (size_t i = 0; i < column->n_levels; i++) {
        const size_t length = strlen(column->level[i]);
        double number;
        if (is_number_with_comma(column->level[i], length) || may_be_thousands(column->level[i], length)) {
            commas++;
            comma = i;
        } else if (parse_double(column->level[i], length, &number)) {
            numbers++;
        } else {
            stray = i;
        }
    }
    if (numbers + commas < 10 || 2 * (numbers + commas) <= column->n_levels || numbers == column->n_levels)
        return; /* numbers alone are codes by the user's will */
    char name[QUOTE_SIZE], text[QUOTE_SIZE];
    (void)quote_text(name, column->name, strlen(column->name));
    if (commas > 0)
        context_warn(
            context, DEDPUL_WARNING_NUMBERS_AS_TEXT,
            "column %s counts as text, since its numbers have commas, such as %s. If these are decimal "
            "commas, say so (--decimal ,); if they separate thousands, take them out",
            name, quote_text(text, column->level[comma], strlen(column->level[comma])));
    else
        context_warn(context, DEDPUL_WARNING_NUMBERS_AS_TEXT,
                     "column %s counts as text, since not all of it are numbers: %s. If that means missing, "
                     "write NA",
                     name, quote_text(text, column->level[stray], strlen(column->level[stray])));
}

/* ---- row numbers ---- */

enum { FEWEST_NUMBERED_ROWS = 20 }; /* with fewer, any column may happen to count them */

/* Marks a number from 0 to n, of which there are n + 1. False: it is another number, or was marked before. */
static bool mark(unsigned char *marks, size_t n, double number)
{
    if (!(number >= 0 && number <= (double)n) || number != trunc(number))
        return false;
    const size_t index = (size_t)number;
    const unsigned char bit = (unsigned char)(1 << index % CHAR_BIT);
    const bool is_new = (marks[index / CHAR_BIT] & bit) == 0;
    marks[index / CHAR_BIT] |= bit;
    return is_new;
}

/* Tells whether the column has each number from 0 to n - 1, or each from 1 to n, once, in any order. */
static dedpul_status find_row_numbers(struct context *context, const struct table *table, size_t index,
                                      bool *found)
{
    const double *const number = table->column[index].number;
    const size_t n = table->n_rows;
    struct block *before = context_mark(context);
    *found = false;
    if (number == NULL || n < FEWEST_NUMBERED_ROWS)
        return DEDPUL_OK;
    unsigned char *marks = context_allocate(context, n / CHAR_BIT + 1, 1);
    if (marks == NULL)
        return DEDPUL_NO_MEMORY;
    memset(marks, 0, n / CHAR_BIT + 1);
    size_t row = 0;
    while (row < n && mark(marks, n, number[row]))
        row++;
    *found = row == n && (mark(marks, n, 0) || mark(marks, n, (double)n)); /* the one that is not there */
    context_release(context, before);
    return DEDPUL_OK;
}

static dedpul_status warn_row_numbers(struct context *context, const struct table *table)
{
    for (size_t c = 0; c < table->n_columns && !image_shape_is_set(table->image); c++) {
        const char *const name = table->column[c].schema.name;
        char quoted[QUOTE_SIZE];
        bool found;
        TRY(find_row_numbers(context, table, c, &found));
        if (found)
            context_warn(context, DEDPUL_WARNING_ROW_NUMBERS,
                         "column %s numbers the rows, as the index of a data frame does: it has each whole "
                         "number up to their count once. That is no feature; keep it as the identifier (--id "
                         "%s), or leave it out (--ignore %s)",
                         quote_text(quoted, name, strlen(name)), quoted, quoted);
    }
    return DEDPUL_OK;
}

dedpul_status encoding_warn(struct context *context, const struct table *table,
                            const struct encoding *encoding)
{
    warn_dropped(context, encoding);
    for (size_t c = 0; c < encoding->n_columns; c++)
        warn_numbers_as_text(context, &encoding->column[c].schema);
    if (table->is_comma_guess)
        context_warn(
            context, DEDPUL_WARNING_DECIMAL_COMMAS,
            "numbers such as 1,5 were read with a decimal comma. Say so (--decimal ,), or that their "
            "comma means something else (--decimal .); then such columns count as text");
    return warn_row_numbers(context, table);
}
