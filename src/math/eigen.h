/* Eigenvectors of small symmetric matrices. */
#ifndef DEDPUL_MATH_EIGEN_H
#define DEDPUL_MATH_EIGEN_H

#include <stddef.h>

/* Jacobi's method: a becomes diagonal, with the eigenvalues; vector's columns are the eigenvectors. */
void eigen_symmetric(size_t n, double *a /* (n, n) symmetric */, double *vector /* (n, n) */);

#endif
