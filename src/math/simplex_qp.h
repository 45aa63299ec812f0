/*
 * The minimum of w^T K w - 2 b^T w over weights w >= 0 that add up to 1. If K holds inner products, this is
 * the point of a convex hull that is nearest to another point.
 */
#ifndef DEDPUL_MATH_SIMPLEX_QP_H
#define DEDPUL_MATH_SIMPLEX_QP_H

#include "cholesky.h"

struct simplex_qp {
    size_t n;
    const double *k;   /* (n, n) symmetric, positive semidefinite; borrowed */
    double *weight;    /* (n) w, the answer */
    double *gradient;  /* (n) half the gradient: K w - b */
    uint32_t *support; /* (factor.n) the vertices with w > 0 */
    /*
     * The factor of K on the support, plus a ridge, plus a shift of all entries. The shift does not change
     * the problem for weights that add up to 1, but without it K may be singular in a direction that does not
     * matter.
     */
    struct cholesky factor;
    double ridge, shift;
    double *step, *next, *change; /* (n) work space, by places in the support */
};

struct simplex_minimum {
    double value;  /* w^T K w - 2 b^T w */
    double square; /* w^T K w */
    double gap;    /* the value is at most this much above the minimum */
};

dedpul_status simplex_qp_init(struct context *context, size_t n, const double *k, struct simplex_qp *qp);

/*
 * Solves for one b until gap <= tolerance * square. It starts from the last answer, which makes it fast for
 * several b that are near to one another. Returns DEDPUL_INVALID_DATA if rounding keeps the gap larger.
 */
dedpul_status simplex_qp_solve(struct context *context, struct simplex_qp *qp, const double *b /* (n) */,
                               double tolerance, struct simplex_minimum *minimum);

#endif
