#include "number.h"

#include "c_locale.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The parts of a decimal number: (-1)^negative * digits * 10^exponent. */
struct decimal {
    bool negative;
    bool exact; /* all digits fit */
    uint64_t digits;
    long exponent;
};

/* Reads the digits on one side of the point. Works on local copies, which stay in registers. */
static const char *read_digits(const char *at, const char *end, struct decimal *decimal, long step)
{
    const uint64_t most = (UINT64_MAX - 9) / 10;
    uint64_t digits = decimal->digits;
    const char *const begin = at;
    for (; at < end && is_digit(*at) && digits <= most; at++)
        digits = digits * 10 + (uint64_t)(*at - '0');
    decimal->digits = digits;
    decimal->exponent += step * (at - begin);
    for (; at < end && is_digit(*at); at++) {
        decimal->exact = decimal->exact && *at == '0';
        decimal->exponent += step + 1;
    }
    return at;
}

static bool read_exponent(const char *at, const char *end, struct decimal *decimal)
{
    const long most = 100000;
    bool negative = false;
    long exponent = 0;
    if (at < end && (*at == '+' || *at == '-'))
        negative = *at++ == '-';
    if (at == end)
        return false;
    for (; at < end && is_digit(*at); at++)
        if (exponent < most)
            exponent = exponent * 10 + (*at - '0');
    decimal->exponent += negative ? -exponent : exponent;
    return at == end;
}

static bool read_decimal(const char *at, const char *end, char sign, struct decimal *decimal)
{
    *decimal = (struct decimal){.exact = true};
    if (at < end && (*at == '+' || *at == '-'))
        decimal->negative = *at++ == '-';
    const char *const begin = at;
    at = read_digits(at, end, decimal, 0);
    size_t n_digits = (size_t)(at - begin);
    if (at < end && *at == sign) {
        const char *const fraction = at + 1;
        at = read_digits(fraction, end, decimal, -1);
        n_digits += (size_t)(at - fraction);
    }
    if (n_digits == 0)
        return false;
    return at == end || ((*at == 'e' || *at == 'E') && read_exponent(at + 1, end, decimal));
}

/* digits * 10^exponent with one operation in double precision, if the digits and the power are exact there.
 */
static bool convert_short(const struct decimal *decimal, double *value)
{
#if FLT_EVAL_METHOD == 0
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const long most = (long)(sizeof powers / sizeof powers[0]) - 1;
    const uint64_t most_digits = (uint64_t)1 << DBL_MANT_DIG;
    if (!decimal->exact || decimal->digits > most_digits || decimal->exponent > most ||
        decimal->exponent < -most)
        return false;
    const double digits = (double)(int64_t)decimal->digits;
    *value = decimal->exponent < 0 ? digits / powers[-decimal->exponent] : digits * powers[decimal->exponent];
    return true;
#else
    (void)decimal;
    (void)value;
    return false;
#endif
}

/*
 * digits * 10^exponent with one operation in extended precision, if the result is certain to round to the
 * right double. Digits and power are exact there, so the result is off by at most half a unit in its last
 * place, and only a result next to the middle between two doubles can round wrongly.
 */
static bool convert_fast(const struct decimal *decimal, double *value)
{
#if LDBL_MANT_DIG == 64 && LDBL_MAX_EXP == 16384
    static const long double powers[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
                                         1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
                                         1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    const long most = (long)(sizeof powers / sizeof powers[0]) - 1;
    if (!decimal->exact || decimal->exponent > most || decimal->exponent < -most)
        return false;
    const long double digits = (long double)decimal->digits;
    const long double extended =
        decimal->exponent < 0 ? digits / powers[-decimal->exponent] : digits * powers[decimal->exponent];
    uint64_t mantissa;
    memcpy(&mantissa, &extended, sizeof mantissa);
    const uint64_t dropped = mantissa & 0x7ff; /* the 11 bits that a double does not have */
    if (dropped >= 0x3ff && dropped <= 0x401)
        return false;
    *value = (double)extended;
    return true;
#else
    (void)decimal;
    (void)value;
    return false;
#endif
}

/* Leaves the hard cases to the C library, in the C locale. */
static bool convert_slow(const char *text, size_t length, char sign, double *value)
{
    char small[128];
    char *copy = length < sizeof small ? small : malloc(length + 1);
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (copy != NULL && c_locale != (locale_t)0) {
        memcpy(copy, text, length);
        copy[length] = '\0';
        char *const at = strchr(copy, sign);
        if (at != NULL)
            *at = '.';
        *value = strtod_l(copy, NULL, c_locale);
    }
    const bool done = copy != NULL && c_locale != (locale_t)0;
    if (c_locale != (locale_t)0)
        freelocale(c_locale);
    if (copy != small)
        free(copy);
    return done;
}

static bool read_special(const char *text, size_t length, double *value)
{
    const bool negative = length > 0 && *text == '-';
    if (length > 0 && (*text == '-' || *text == '+')) {
        text++;
        length--;
    }
    if (length == 3 && strncasecmp(text, "nan", 3) == 0)
        *value = NAN;
    else if ((length == 3 && strncasecmp(text, "inf", 3) == 0) ||
             (length == 8 && strncasecmp(text, "infinity", 8) == 0))
        *value = negative ? -INFINITY : INFINITY;
    else
        return false;
    return true;
}

bool parse_decimal(const char *text, size_t length, char sign, double *value)
{
    struct decimal decimal;
    while (length > 0 && is_blank(*text)) {
        text++;
        length--;
    }
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    if (!read_decimal(text, text + length, sign, &decimal))
        return read_special(text, length, value);
    if (!convert_short(&decimal, value) && !convert_fast(&decimal, value))
        return convert_slow(text, length, sign, value);
    if (decimal.negative)
        *value = -*value;
    return true;
}

bool parse_double(const char *text, size_t length, double *value)
{
    return parse_decimal(text, length, '.', value);
}

bool parse_whole(const char *text, uint64_t *value)
{
    uint64_t whole = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        const uint64_t digit = (uint64_t)(*text - '0');
        if (!is_digit(*text) || whole > (UINT64_MAX - digit) / 10)
            return false;
        whole = whole * 10 + digit;
    }
    *value = whole;
    return true;
}

/* Writes a whole number below 10^15. %g would write the same, but more slowly. */
static void format_whole(char buffer[NUMBER_SIZE], double value)
{
    char digits[NUMBER_SIZE];
    size_t n = 0;
    uint64_t left = (uint64_t)fabs(value);
    do {
        digits[n++] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0)
        *buffer++ = '-';
    while (n > 0)
        *buffer++ = digits[--n];
    *buffer = '\0';
}

const char *format_double(char buffer[NUMBER_SIZE], double value)
{
    if (fabs(value) < 1e15 && value == trunc(value)) {
        format_whole(buffer, value);
        return buffer;
    }
    const struct c_locale locale = c_locale_begin();
    double back = NAN;
    for (int digits = 15; digits <= 17 && back != value; digits++) {
        (void)snprintf(buffer, NUMBER_SIZE, "%.*g", digits, value);
        (void)parse_double(buffer, strlen(buffer), &back);
    }
    c_locale_end(&locale);
    return buffer;
}

/* Writes whole / 10^decimals, which is below 1 and not 0, without zeros at its end. */
static void format_decimals(char buffer[NUMBER_SIZE], uint64_t whole, size_t decimals)
{
    size_t n = decimals;
    for (; whole % 10 == 0; whole /= 10)
        n--;
    buffer[0] = '0';
    buffer[1] = '.';
    buffer[2 + n] = '\0';
    for (; n > 0; n--, whole /= 10)
        buffer[1 + n] = (char)('0' + whole % 10);
}

/*
 * A share of at least 0.0001 is scaled to a number of nine digits. Rounding moves this by less than 1e-7, so
 * only next to the middle between two whole numbers it is not certain which one is nearer.
 */
static bool format_fast(char buffer[NUMBER_SIZE], double value)
{
    static const double powers[] = {1e9, 1e10, 1e11, 1e12};
    size_t k = 0;
    if (!(value >= 1e-4 && value < 0.9999999))
        return false;
    while (value * powers[k] < 1e8)
        k++;
    const double scaled = value * powers[k], down = floor(scaled);
    if (fabs(scaled - down - 0.5) < 1e-6)
        return false;
    format_decimals(buffer, (uint64_t)down + (scaled - down > 0.5), 9 + k);
    return true;
}

const char *format_share(char buffer[NUMBER_SIZE], double value)
{
    if (format_fast(buffer, value))
        return buffer;
    const struct c_locale locale = c_locale_begin();
    (void)snprintf(buffer, NUMBER_SIZE, "%.9g", value);
    c_locale_end(&locale);
    return buffer;
}
