/* Binary search in sorted arrays. */
#ifndef DEDPUL_MATH_SEARCH_H
#define DEDPUL_MATH_SEARCH_H

#include <stddef.h>

/* Index of the first value above a bound, n where there is none. */
static inline size_t first_above(size_t n, const double *value /* (n) ascending */, double bound)
{
    /* Without branches that depend on values: these are as good as random to the processor. */
    const double *low = value;
    for (size_t left = n; left > 0;) {
        const size_t half = (left + 1) / 2;
        low += half * (size_t)(low[half - 1] <= bound);
        left -= half;
    }
    return (size_t)(low - value);
}

#endif
