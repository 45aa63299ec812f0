/* Half precision, IEEE 754 binary16: a sign, 5 bits of exponent and 10 of fraction. */
#ifndef DEDPUL_BASE_HALF_H
#define DEDPUL_BASE_HALF_H

#include <stdint.h>

/* Returns the bits of the nearest half, the even one of two. A number of 65520 or more becomes infinite. */
uint16_t half_of_float(float value);

/* Gives the same float on every machine. It is exact. */
float float_of_half(uint16_t half);

#endif
