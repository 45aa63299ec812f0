/* Products of float matrices, which are stored by rows. */
#ifndef DEDPUL_MATH_GEMM_H
#define DEDPUL_MATH_GEMM_H

#include <stddef.h>

/* c = a b^T */
void multiply_nt(size_t rows, size_t columns, size_t depth, const float *a /* (rows, depth) */,
                 const float *b /* (columns, depth) */, float *c /* (rows, columns) */);

/* c = a^T b */
void multiply_tn(size_t rows, size_t columns, size_t depth, const float *a /* (depth, rows) */,
                 const float *b /* (depth, columns) */, float *c /* (rows, columns) */);

/* c = a b */
void multiply_nn(size_t rows, size_t columns, size_t depth, const float *a /* (rows, depth) */,
                 const float *b /* (depth, columns) */, float *c /* (rows, columns) */);

#endif
