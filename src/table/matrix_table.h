/* Matrices as tables. */
#ifndef DEDPUL_TABLE_MATRIX_TABLE_H
#define DEDPUL_TABLE_MATRIX_TABLE_H

#include "context.h"
#include "table.h"

/* Numbers by rows; one of the two arrays is NULL. NaN is a missing value. */
struct matrix {
    size_t n, width;
    const double *f64; /* (n, width) */
    const float *f32;  /* (n, width) */
};

/* Rows first .. first + n - 1 as columns called "1", "2", ..., in memory. An error for infinite numbers. */
dedpul_status table_of_matrix(struct context *context, const struct matrix *matrix, size_t first, size_t n,
                              struct arena *memory, struct table *table);

#endif
