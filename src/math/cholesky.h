/* The Cholesky factor of a matrix whose rows come and go: A = L L^T. */
#ifndef DEDPUL_MATH_CHOLESKY_H
#define DEDPUL_MATH_CHOLESKY_H

#include "context.h"

struct cholesky {
    size_t n, most;
    double *l;        /* the rows of L, one after the other: row i has i + 1 numbers */
    double *rotation; /* (2 most) work space */
};

dedpul_status cholesky_init(struct context *context, size_t most, struct cholesky *factor);

static inline double *cholesky_row(const struct cholesky *factor, size_t row)
{
    return factor->l + row * (row + 1) / 2;
}

/*
 * Appends rows to A. The caller has put them, each up to its diagonal, where rows n .. n+count-1 of L will
 * be. A squared pivot below `least` counts as `least`, as if that diagonal of A were larger by the
 * difference.
 */
void cholesky_append(struct cholesky *factor, size_t count, double least);

/* Removes a row and its column from A. */
void cholesky_remove(struct cholesky *factor, size_t row);

/* x = A x */
void cholesky_multiply(const struct cholesky *factor, double *x /* (n) */);

/* x = A^-1 x */
void cholesky_solve(const struct cholesky *factor, double *x /* (n) */);

#endif
