#include "json_output.h"

#include "message.h"

json_t *range_object(const dedpul_range *range)
{
    return json_pack("{s:o, s:o, s:o}", "value", number_or_null(range->value), "low",
                     number_or_null(range->low), "high", number_or_null(range->high));
}

void append_warnings(json_t *array, size_t n, const dedpul_warning *warnings)
{
    for (size_t i = 0; i < n; i++)
        (void)json_array_append_new(
            array, json_pack("{s:s, s:s}", "code", warnings[i].name, "message", warnings[i].message));
}

bool print_json(json_t *value)
{
    if (value == NULL) {
        complain("out of memory");
        return false;
    }
    (void)json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    (void)putchar('\n');
    json_decref(value);
    return flush_output();
}
