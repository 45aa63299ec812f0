/* Sorting of numbers. */
#ifndef DEDPUL_MATH_SORT_H
#define DEDPUL_MATH_SORT_H

#include "context.h"

/*
 * Sorts key ascending and moves row along with it. Stable, O(n). Keys are >= 0 (not -0.0) or +infinity.
 */
dedpul_status sort_with_rows(struct context *context, size_t n, double *key /* (n) */,
                             uint32_t *row /* (n) */);

/* The same for any finite keys. */
dedpul_status sort_numbers(struct context *context, size_t n, double *key /* (n) */, uint32_t *row /* (n) */);

#endif
