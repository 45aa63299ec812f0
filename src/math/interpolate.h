/* Curves through points. */
#ifndef DEDPUL_MATH_INTERPOLATE_H
#define DEDPUL_MATH_INTERPOLATE_H

#include "search.h"

/* Returns the curve's height at a place; `right` is the first point beyond it, n if there is none. */
static inline double height_between(size_t n, const double *place /* (n) ascending */,
                                    const double *height /* (n) */, size_t right, double at)
{
    if (right == 0)
        return height[0];
    if (right == n)
        return height[n - 1];
    const double share = (at - place[right - 1]) / (place[right] - place[right - 1]);
    return (1 - share) * height[right - 1] + share * height[right];
}

/* Returns the curve's height at a place: linear between the points, constant beyond them. n > 0. */
static inline double interpolate(size_t n, const double *place /* (n) ascending */,
                                 const double *height /* (n) */, double at)
{
    return height_between(n, place, height, first_above(n, place, at), at);
}

#endif
