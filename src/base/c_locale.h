/* Makes printf write a decimal point, whatever the program's locale is. */
#ifndef DEDPUL_BASE_C_LOCALE_H
#define DEDPUL_BASE_C_LOCALE_H

#include <locale.h>

struct c_locale {
    locale_t own, previous;
};

/* Switches this thread to the C locale until c_locale_end. */
static inline struct c_locale c_locale_begin(void)
{
    struct c_locale locale = {.own = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    locale.previous = uselocale(locale.own); /* glibc's C locale is always there */
    return locale;
}

static inline void c_locale_end(const struct c_locale *locale)
{
    (void)uselocale(locale->previous);
    if (locale->own != (locale_t)0)
        freelocale(locale->own);
}

#endif
