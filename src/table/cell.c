#include "cell.h"

#include "dialect.h"
#include "number.h"

#include <math.h>
#include <string.h>
#include <strings.h>

void trim_blanks(const char **text, size_t *length)
{
    for (; *length > 0 && is_blank(**text); --*length)
        ++*text;
    while (*length > 0 && is_blank((*text)[*length - 1]))
        --*length;
}

bool is_none_text(const char *text, size_t length)
{
    return length == 4 && strncasecmp(text, "none", 4) == 0;
}

bool is_missing_text(const char *text, size_t length)
{
    switch (length) {
    case 0:
        return true;
    case 1:
        return *text == '?';
    case 2:
        return strncasecmp(text, "na", 2) == 0;
    case 3:
        return strncasecmp(text, "nan", 3) == 0 || strncasecmp(text, "n/a", 3) == 0;
    case 4:
        return strncasecmp(text, "null", 4) == 0 || is_none_text(text, length) ||
               strncasecmp(text, "#n/a", 4) == 0 || strncasecmp(text, "<na>", 4) == 0;
    default:
        return false;
    }
}

const char *quote_cell(char buffer[QUOTE_SIZE], const struct cell *cell)
{
    char digits[NUMBER_SIZE];
    if (cell->text != NULL)
        return quote_text(buffer, cell->text, cell->length);
    const char *text = isnan(cell->number)   ? "nan"
                       : isinf(cell->number) ? (cell->number > 0 ? "inf" : "-inf")
                                             : format_double(digits, cell->number);
    return quote_text(buffer, text, strlen(text));
}

dedpul_status cell_in_range(const struct cell *cell, const struct place *place, const char *column,
                            const struct number_range *range, dedpul_error *error, double *value)
{
    char name[QUOTE_SIZE], quoted[QUOTE_SIZE];
    const char *problem = NULL, *remedy = "";
    double number = cell->number;
    if (cell->text != NULL && !parse_decimal(cell->text, cell->length, place->decimal, &number))
        problem = is_number_with_comma(cell->text, cell->length)
                      ? "is not a number, unless its comma is a decimal comma (then say --decimal ,)"
                      : "is not a number";
    else if (!isfinite(number))
        problem = "is not finite";
    else if (!(number >= range->least && number <= range->most)) {
        problem = "is out of range";
        remedy = range->remedy != NULL ? range->remedy : "";
    }
    if (problem != NULL)
        return error_set(error, DEDPUL_INVALID_DATA, "%s: %s %zu, column %s: %s %s; %s%s", place->file,
                         place->unit, place->number, quote_text(name, column, strlen(column)),
                         quote_cell(quoted, cell), problem, range->meaning, remedy);
    *value = number;
    return DEDPUL_OK;
}

dedpul_status cell_weight(const struct cell *cell, const struct place *place, const char *column,
                          dedpul_error *error, double *weight)
{
    static const struct number_range range = {0, LARGEST_WEIGHT, "weights are counts, from 0 to 1e15", NULL};
    return cell_in_range(cell, place, column, &range, error, weight);
}

dedpul_status cell_propensity(const struct cell *cell, const struct place *place, const char *column,
                              dedpul_error *error, double *propensity)
{
    static const struct number_range range = {
        0, 1, "a propensity is the chance of a positive to be labeled, above 0 and at most 1", NULL};
    const bool is_missing =
        cell->text != NULL ? is_missing_text(cell->text, cell->length) : isnan(cell->number);
    *propensity = NAN;
    return is_missing ? DEDPUL_OK : cell_in_range(cell, place, column, &range, error, propensity);
}
