/* JSON on standard output. */
#ifndef DEDPUL_CLI_JSON_OUTPUT_H
#define DEDPUL_CLI_JSON_OUTPUT_H

#include <dedpul.h>

#include <jansson.h>
#include <math.h>
#include <stdbool.h>

/* JSON has no NaN and no infinity. */
static inline json_t *number_or_null(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

/* An object with value, low and high. */
json_t *range_object(const dedpul_range *range);

/* The same, or null if there is no value. */
static inline json_t *range_or_null(const dedpul_range *range)
{
    return isnan(range->value) ? json_null() : range_object(range);
}

/* Appends objects with code and message to an array. */
void append_warnings(json_t *array, size_t n, const dedpul_warning *warnings /* (n) */);

/* Prints and frees a value; NULL if there was no memory for it. False after a message. */
bool print_json(json_t *value);

#endif
