/* Curves through points. */
#ifndef DEDPUL_MATH_INTERPOLATE_H
#define DEDPUL_MATH_INTERPOLATE_H

#include "search.h"

/* Returns the curve's height at a place: linear between the points, constant beyond them. n > 0. */
static inline double interpolate(size_t n, const double *place /* (n) ascending */,
                                 const double *height /* (n) */, double at)
{
    const size_t right = first_above(n, place, at);
    if (right == 0)
        return height[0];
    if (right == n)
        return height[n - 1];
    const double share = (at - place[right - 1]) / (place[right] - place[right - 1]);
    return (1 - share) * height[right - 1] + share * height[right];
}

#endif
