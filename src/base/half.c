#include "half.h"

#include <math.h>

/* A half has 11 significant bits, of which the first is not stored; the smallest one is 2^-24. */
enum { DIGITS = 11, LOWEST_UNIT = -24, FIELD = 1 << (DIGITS - 1) };

static const uint16_t sign_bit = 0x8000, infinite = 0x7c00;

/*
 * The number is a whole multiple of its unit, a power of two. The halves above 0 are numbered in their order,
 * FIELD of them to a unit; so a multiple that rounds up to the next power of two gets the right bits, too.
 */
uint16_t half_of_float(float value)
{
    const float size = fabsf(value);
    const uint16_t sign = signbit(value) ? sign_bit : 0;
    int exponent;
    if (!(size < 65536)) /* NaN, too */
        return sign | infinite;
    (void)frexpf(size, &exponent); /* size is at least 2^(exponent - 1), but for 0 */
    const int unit = size < 0x1p-14F ? LOWEST_UNIT : exponent - DIGITS;
    const long multiple = lrintf(ldexpf(size, -unit));
    return (uint16_t)(sign | ((long)(unit - LOWEST_UNIT) * FIELD + multiple));
}

float float_of_half(uint16_t half)
{
    const int exponent = (half & infinite) / FIELD, fraction = half % FIELD;
    const int unit = LOWEST_UNIT + (exponent > 0 ? exponent - 1 : 0);
    const float size = ldexpf((float)(exponent > 0 ? FIELD + fraction : fraction), unit);
    const float finite = (half & infinite) == infinite ? (fraction > 0 ? NAN : INFINITY) : size;
    return (half & sign_bit) != 0 ? -finite : finite;
}
