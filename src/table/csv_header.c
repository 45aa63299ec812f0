#include "csv_header.h"

#include "cell.h"
#include "number.h"

#include <math.h>
#include <string.h>

/* The numbers of a row. */
struct numbers {
    size_t n;
    bool ascend, are_whole; /* whole, not negative, and written so */
};

static struct numbers find_numbers(const struct csv *csv)
{
    struct numbers numbers = {0, true, true};
    double last = -INFINITY;
    for (size_t i = 0; i < csv->n_fields; i++) {
        const struct csv_field *field = &csv->field[i];
        const char decimal = csv->dialect.decimal;
        double number;
        if (!parse_decimal(field->text, field->length, decimal, &number) || isnan(number))
            continue;
        numbers.n++;
        numbers.ascend = numbers.ascend && number > last;
        numbers.are_whole = numbers.are_whole && number >= 0 && number == trunc(number) &&
                            memchr(field->text, decimal, field->length) == NULL;
        last = number;
    }
    return numbers;
}

/* This many numbers with fractions that ascend may be names. */
enum { FEWEST_NAMES = 3 };

bool header_is_data(const struct csv *csv)
{
    const struct numbers numbers = find_numbers(csv);
    return !numbers.ascend || (!numbers.are_whole && numbers.n < FEWEST_NAMES);
}

/* Tells whether each field is a number or missing, and they are not whole: nobody calls columns like that. */
static bool is_certainly_data(const struct csv *csv)
{
    const struct numbers numbers = find_numbers(csv);
    size_t n = numbers.n;
    for (size_t i = 0; i < csv->n_fields; i++) {
        const char *text = csv->field[i].text;
        size_t length = csv->field[i].length;
        trim_blanks(&text, &length);
        n += is_missing_text(text, length);
    }
    return n == csv->n_fields && !numbers.are_whole && header_is_data(csv);
}

dedpul_status header_read(struct csv *csv)
{
    bool has_row;
    TRY(csv_next(csv, &has_row));
    if (!has_row)
        return error_set(csv->error, DEDPUL_INVALID_DATA, "%s is empty; its first line must name the columns",
                         csv->text.stream->name);
    if (!csv->format.no_header && is_certainly_data(csv))
        return error_set(csv->error, DEDPUL_INVALID_DATA, "%s: " NO_HEADER_ADVICE, csv->text.stream->name);
    return DEDPUL_OK;
}

dedpul_status refuse_width(const struct csv *csv, size_t n_columns)
{
    const char delimiter = csv->dialect.delimiter;
    return error_set(
        csv->error, DEDPUL_INVALID_DATA,
        "%s: line %zu has %zu fields, but %s %zu columns; a value with a %s in it%s must stand in "
        "double quotes",
        csv->text.stream->name, csv->text.line, csv->n_fields,
        csv->format.no_header ? "line 1 has" : "the header names", n_columns,
        delimiter == ','   ? "comma"
        : delimiter == ';' ? "semicolon"
                           : "tab",
        delimiter == ',' ? ", also a number with a decimal comma," : "");
}
