#include "warnings.h"

#include <stdio.h>

const char *warning_name(dedpul_warning_code code)
{
    switch (code) {
#define X(name, number, text)   \
    case DEDPUL_WARNING_##name: \
        return text;
        DEDPUL_WARNING_LIST(X)
#undef X
    }
    return "unknown";
}

bool warnings_have(const struct warnings *warnings, dedpul_warning_code code)
{
    for (size_t i = 0; i < warnings->n; i++)
        if (warnings->item[i].code == code)
            return true;
    return false;
}

void warnings_add(struct warnings *warnings, dedpul_warning_code code, const char *format, va_list arguments)
{
    if (warnings_have(warnings, code))
        return;
    struct warning *warning = &warnings->item[warnings->n++];
    warning->code = code;
    (void)vsnprintf(warning->message, sizeof warning->message, format, arguments);
}

void warnings_add_all(struct warnings *warnings, const struct warnings *from)
{
    for (size_t i = 0; i < from->n; i++)
        if (!warnings_have(warnings, from->item[i].code))
            warnings->item[warnings->n++] = from->item[i];
}
