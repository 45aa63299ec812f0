/*
 * Doubts about an answer, collected while it is computed; at most one per code, and none that another one
 * silences (warning_rules.h).
 */
#ifndef DEDPUL_BASE_WARNINGS_H
#define DEDPUL_BASE_WARNINGS_H

#include "dedpul_common.h"

#include <stdarg.h>
#include <stdbool.h>

enum {
    WARNING_KINDS = 0
#define X(name, number, code) +1
    DEDPUL_WARNING_LIST(X)
#undef X
};

struct warning {
    dedpul_warning_code code;
    char message[512];
};

/* All zero: none. */
struct warnings {
    size_t n;
    struct warning item[WARNING_KINDS];
};

/* Returns the code as text. */
const char *warning_name(dedpul_warning_code code);

bool warnings_have(const struct warnings *warnings, dedpul_warning_code code);

/* Adds a warning as vprintf would write it, unless there is one with that code already, or one silences it.
 */
void warnings_add(struct warnings *warnings, dedpul_warning_code code, const char *format, va_list arguments);

/* The same for all warnings of `from`. */
void warnings_add_all(struct warnings *warnings, const struct warnings *from);

#endif
