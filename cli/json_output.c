#include "json_output.h"

#include "message.h"

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
