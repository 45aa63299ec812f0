/* Sums that keep the digits which plain addition rounds away (Neumaier's compensated summation). */
#ifndef DEDPUL_MATH_SUM_H
#define DEDPUL_MATH_SUM_H

#include <math.h>

struct sum {
    double high, low;
};

static inline void sum_add(struct sum *sum, double term)
{
    const double total = sum->high + term;
    sum->low += fabs(sum->high) >= fabs(term) ? (sum->high - total) + term : (term - total) + sum->high;
    sum->high = total;
}

static inline double sum_value(const struct sum *sum)
{
    return sum->high + sum->low;
}

#endif
