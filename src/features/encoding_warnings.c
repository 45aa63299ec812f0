/* Warnings about columns. */
#include "encoding.h"
#include "number.h"

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

/* Tells whether the text is a number with a decimal comma. */
static bool has_decimal_comma(const char *text)
{
    char copy[NUMBER_SIZE];
    double number;
    const size_t length = strlen(text);
    char *comma = length < sizeof copy ? memchr(memcpy(copy, text, length + 1), ',', length) : NULL;
    if (comma == NULL)
        return false;
    *comma = '.';
    return parse_double(copy, length, &number);
}

/* A column that is text only because of a few cells was probably meant as numbers. */
static void warn_numbers_as_text(struct context *context, const struct column_schema *column)
{
    size_t numbers = 0, commas = 0, stray = column->n_levels;
    for (size_t i = 0; i < column->n_levels; i++) {
        double number;
        if (has_decimal_comma(column->level[i]))
            commas++;
        else if (parse_double(column->level[i], strlen(column->level[i]), &number))
            numbers++;
        else
            stray = i;
    }
    if (numbers + commas < 10 || 2 * (numbers + commas) <= column->n_levels)
        return;
    char name[QUOTE_SIZE], text[QUOTE_SIZE];
    (void)quote_text(name, column->name, strlen(column->name));
    if (commas > 0 || stray == column->n_levels)
        context_warn(
            context, DEDPUL_WARNING_NUMBERS_AS_TEXT,
            "column %s counts as text, since its numbers have decimal commas; write them with points", name);
    else
        context_warn(context, DEDPUL_WARNING_NUMBERS_AS_TEXT,
                     "column %s counts as text, since not all of it are numbers: %s. If that means missing, "
                     "write NA",
                     name, quote_text(text, column->level[stray], strlen(column->level[stray])));
}

void encoding_warn(struct context *context, const struct encoding *encoding)
{
    warn_dropped(context, encoding);
    for (size_t c = 0; c < encoding->n_columns; c++)
        warn_numbers_as_text(context, &encoding->column[c].schema);
}
