/* The chi-square distribution. */
#ifndef DEDPUL_MATH_CHI_SQUARE_H
#define DEDPUL_MATH_CHI_SQUARE_H

#include <stddef.h>

/* The probability that a chi-square variable with this many degrees of freedom, at least 1, exceeds a value.
 */
double chi_square_tail(size_t freedom, double value);

#endif
