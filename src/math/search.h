/* Binary search in sorted arrays. */
#ifndef DEDPUL_MATH_SEARCH_H
#define DEDPUL_MATH_SEARCH_H

#include <stddef.h>

/* Index of the first value above a bound, n where there is none. */
static inline size_t first_above(size_t n, const double *value /* (n) ascending */, double bound)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (value[middle] <= bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
