#include "warnings.h"

#include "warning_rules.h"

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

static bool is_silenced(const struct warnings *warnings, dedpul_warning_code code)
{
    for (size_t i = 0; i < warnings->n; i++)
        if (warning_silences(warnings->item[i].code, code))
            return true;
    return false;
}

/* Returns room for a warning, after those that it silences have left; NULL if it is not wanted. */
static struct warning *make_room(struct warnings *warnings, dedpul_warning_code code)
{
    size_t kept = 0;
    if (warnings_have(warnings, code) || is_silenced(warnings, code))
        return NULL;
    for (size_t i = 0; i < warnings->n; i++)
        if (!warning_silences(code, warnings->item[i].code))
            warnings->item[kept++] = warnings->item[i];
    warnings->n = kept + 1;
    return &warnings->item[kept];
}

void warnings_add(struct warnings *warnings, dedpul_warning_code code, const char *format, va_list arguments)
{
    struct warning *warning = make_room(warnings, code);
    if (warning == NULL)
        return;
    warning->code = code;
    (void)vsnprintf(warning->message, sizeof warning->message, format, arguments);
}

void warnings_add_all(struct warnings *warnings, const struct warnings *from)
{
    for (size_t i = 0; i < from->n; i++) {
        struct warning *warning = make_room(warnings, from->item[i].code);
        if (warning != NULL)
            *warning = from->item[i];
    }
}
