/* Binary search in sorted arrays. */
#ifndef DEDPUL_MATH_SEARCH_H
#define DEDPUL_MATH_SEARCH_H

#include <stddef.h>

/* Returns the index of the first value above a bound, n if there is none. */
static inline size_t first_above(size_t n, const double *value /* (n) ascending */, double bound)
{
    /* There are no branches that depend on values, because the processor could only guess their outcome. */
    const double *low = value;
    for (size_t left = n; left > 0;) {
        const size_t half = (left + 1) / 2;
        low += half * (size_t)(low[half - 1] <= bound);
        left -= half;
    }
    return (size_t)(low - value);
}

/* The same for several bounds. The processor works on all of them at once. */
enum { BOUNDS_AT_ONCE = 8 };

static inline void first_above_each(size_t n, const double *value /* (n) ascending */,
                                    const double *bound /* (BOUNDS_AT_ONCE) */,
                                    size_t *index /* (BOUNDS_AT_ONCE) */)
{
    const double *low[BOUNDS_AT_ONCE];
    for (size_t k = 0; k < BOUNDS_AT_ONCE; k++)
        low[k] = value;
    for (size_t left = n; left > 0;) {
        const size_t half = (left + 1) / 2;
        for (size_t k = 0; k < BOUNDS_AT_ONCE; k++)
            low[k] += half * (size_t)(low[k][half - 1] <= bound[k]);
        left -= half;
    }
    for (size_t k = 0; k < BOUNDS_AT_ONCE; k++)
        index[k] = (size_t)(low[k] - value);
}

#endif
