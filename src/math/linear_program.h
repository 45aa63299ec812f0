/* The maximum of c^T x over x >= 0 with A x <= b, if b >= 0: few unknowns, many conditions. */
#ifndef DEDPUL_MATH_LINEAR_PROGRAM_H
#define DEDPUL_MATH_LINEAR_PROGRAM_H

#include "context.h"

struct linear_program {
    size_t n, m;     /* unknowns, conditions */
    const double *a; /* (m, n) */
    const double *b; /* (m) >= 0, so that x = 0 is allowed */
    const double *c; /* (n) */
};

struct linear_maximum {
    double *x;        /* (n) the answer */
    double *price;    /* (m) >= 0: what the value would gain per unit of b; A^T price >= c */
    double value;     /* c^T x */
    double gap;       /* b^T price - c^T x: no x has a value that is higher by more than this */
    double violation; /* x and the prices break their conditions by at most this, by rounding */
};

/*
 * Solves by the simplex method. x and price are temporaries of the context. Numbers should be of about the
 * size of 1: smaller ones than 1e-11 count as 0. Returns DEDPUL_INVALID_DATA if the value has no bound, or if
 * rounding leaves a gap or a violation above 1e-9.
 */
dedpul_status linear_program_solve(struct context *context, const struct linear_program *program,
                                   struct linear_maximum *maximum);

#endif
