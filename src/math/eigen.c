#include "eigen.h"

#include <math.h>

/* Turns rows p and q of a matrix by an angle. */
static void turn_rows(size_t n, double *p, double *q, double c, double s)
{
    for (size_t k = 0; k < n; k++) {
        const double old = p[k];
        p[k] = c * old - s * q[k];
        q[k] = s * old + c * q[k];
    }
}

static void turn_columns(size_t n, double *a, size_t p, size_t q, double c, double s)
{
    for (size_t k = 0; k < n; k++) {
        const double old = a[k * n + p];
        a[k * n + p] = c * old - s * a[k * n + q];
        a[k * n + q] = s * old + c * a[k * n + q];
    }
}

/* Makes a[p][q] zero by the smaller rotation (Golub and Van Loan, "Matrix computations", 8.5). */
static void eliminate(size_t n, double *a, double *vector, size_t p, size_t q)
{
    const double ratio = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
    const double t = copysign(1, ratio) / (fabs(ratio) + hypot(1, ratio));
    const double c = 1 / hypot(1, t), s = t * c;
    turn_rows(n, a + p * n, a + q * n, c, s);
    turn_columns(n, a, p, q, c, s);
    turn_columns(n, vector, p, q, c, s);
}

void eigen_symmetric(size_t n, double *a, double *vector)
{
    enum { MOST_SWEEPS = 60 };
    double trace = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            vector[i * n + j] = i == j;
    for (size_t i = 0; i < n; i++)
        trace += fabs(a[i * n + i]);
    for (int sweep = 0, turned = 1; turned && sweep < MOST_SWEEPS; sweep++) {
        turned = 0;
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++)
                if (fabs(a[p * n + q]) > 1e-16 * trace) {
                    eliminate(n, a, vector, p, q);
                    turned = 1;
                }
    }
}
