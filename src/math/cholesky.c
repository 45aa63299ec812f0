/* We do not use LAPACK: Debian's OpenBLAS is slow on processors newer than itself and starts threads. */
#include "cholesky.h"

#include "vectorized.h"

#include <math.h>
#include <string.h>

dedpul_status cholesky_init(struct context *context, size_t most, struct cholesky *factor)
{
    factor->n = 0;
    factor->most = most;
    factor->l = context_allocate(context, most * (most + 1) / 2, sizeof *factor->l);
    factor->rotation = context_allocate(context, 2 * most, sizeof *factor->rotation);
    return factor->l != NULL && factor->rotation != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

/* Sums in lanes that are added up at the end, so that the compiler can use vectors. */
static inline double dot(size_t n, const double *a, const double *b)
{
    enum { LANES = 16 };
    double lane[LANES] = {0}, sum = 0;
    const size_t even = n / LANES * LANES;
    for (size_t i = 0; i < even; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lane[k] += a[i + k] * b[i + k];
    for (size_t i = even; i < n; i++)
        sum += a[i] * b[i];
    for (size_t k = 0; k < LANES; k++)
        sum += lane[k];
    return sum;
}

/* Fills the new rows column by column, so that each row of L is read once for all of them. */
VECTORIZED static void append_few(struct cholesky *factor, size_t count, double least)
{
    const size_t old = factor->n, n = old + count;
    for (size_t i = 0; i < n; i++) {
        double *row = cholesky_row(factor, i);
        if (i >= old)
            row[i] = sqrt(fmax(row[i] - dot(i, row, row), least));
        for (size_t j = i < old ? old : i + 1; j < n; j++) {
            double *new = cholesky_row(factor, j);
            new[i] = (new[i] - dot(i, row, new)) / row[i];
        }
    }
    factor->n = n;
}

void cholesky_append(struct cholesky *factor, size_t count, double least)
{
    enum { FEW = 64 }; /* rows that fit a cache */
    for (; count > FEW; count -= FEW)
        append_few(factor, FEW, least);
    append_few(factor, count, least);
}

/*
 * Without the row, the rows below lose their number x in its column, so x x^T must be added to the part of L
 * to the right of it. Givens rotations do this: row i goes through the rotations of the rows above it, which
 * turn its x into the other columns, and then defines one of its own, which makes the rest of x zero.
 */
void cholesky_remove(struct cholesky *factor, size_t row)
{
    double *c = factor->rotation, *s = factor->rotation + factor->most;
    factor->n--;
    for (size_t i = row; i < factor->n; i++) {
        const double *from = cholesky_row(factor, i + 1);
        double *to = cholesky_row(factor, i), x = from[row];
        memcpy(to, from, row * sizeof *to);
        for (size_t k = row; k < i; k++) {
            const double old = from[k + 1];
            to[k] = c[k] * old + s[k] * x;
            x = c[k] * x - s[k] * old;
        }
        to[i] = hypot(from[i + 1], x);
        c[i] = from[i + 1] / to[i];
        s[i] = x / to[i];
    }
}

VECTORIZED static void multiply(size_t n, const struct cholesky *factor, double *x)
{
    for (size_t i = 0; i < n; i++) {
        const double *row = cholesky_row(factor, i), given = x[i];
        for (size_t k = 0; k < i; k++)
            x[k] += given * row[k];
        x[i] = given * row[i];
    }
    for (size_t i = n; i-- > 0;)
        x[i] = dot(i + 1, cholesky_row(factor, i), x);
}

VECTORIZED static void solve(size_t n, const struct cholesky *factor, double *x)
{
    for (size_t i = 0; i < n; i++) {
        const double *row = cholesky_row(factor, i);
        x[i] = (x[i] - dot(i, row, x)) / row[i];
    }
    for (size_t i = n; i-- > 0;) {
        const double *row = cholesky_row(factor, i), found = x[i] / row[i];
        for (size_t k = 0; k < i; k++)
            x[k] -= found * row[k];
        x[i] = found;
    }
}

void cholesky_multiply(const struct cholesky *factor, double *x)
{
    multiply(factor->n, factor, x);
}

void cholesky_solve(const struct cholesky *factor, double *x)
{
    solve(factor->n, factor, x);
}
