/* Which warnings do not stand beside each other. */
#ifndef DEDPUL_BASE_WARNING_RULES_H
#define DEDPUL_BASE_WARNING_RULES_H

#include "dedpul_common.h"

#include <stdbool.h>
#include <stddef.h>

/* If an answer has the warning `stays`, the warning `goes` is left out. */
struct warning_rule {
    dedpul_warning_code stays, goes;
};

extern const struct warning_rule warning_rules[];
extern const size_t n_warning_rules;

bool warning_silences(dedpul_warning_code stays, dedpul_warning_code goes);

#endif
