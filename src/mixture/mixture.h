/*
 * The proportion: D(a) = a - mean_i min(a r_i, 1) over the unlabeled rows, and its roots.
 *
 * D is convex and piecewise linear, with breakpoints where a row's posterior a r_i reaches 1. The ratios are
 * sorted and their sums are known, so D at a point costs one binary search, and a root is exact.
 */
#ifndef DEDPUL_MIXTURE_MIXTURE_H
#define DEDPUL_MIXTURE_MIXTURE_H

#include "context.h"

#include <math.h>
#include <stdbool.h>

/* Points of the curve D(alpha): alpha = 0, 0.001, ..., 1. */
enum { CURVE_POINTS = 1001 };

struct mixture {
    size_t m;                        /* distinct ratios, up to the largest with any weight */
    const double *value;             /* (m) ascending; borrowed */
    const double *mass;              /* (m) weight of the rows with that ratio; borrowed */
    double total;                    /* weight of all rows */
    double mean_gap;                 /* 1 - mean ratio */
    struct mixture_sums *checkpoint; /* sums below every 64th ratio */
};

/* Sums over the rows with ratios below some value_k: of weight, and of weight * (1 - ratio). */
struct mixture_sums {
    double weight, gap;
};

/* mass_k is the weight of the rows whose ratio is value_k; it may be 0. */
dedpul_status mixture_init(struct context *context, size_t m, const double *value /* (m) ascending */,
                           const double *mass /* (m) */, struct mixture *mixture);

double mixture_mean_ratio(const struct mixture *mixture);

/*
 * Tells whether D has no root but 0, which is so if the mean ratio is below 1. A mean that differs from 1 by
 * rounding alone counts as 1. (The mean of a histogram's ratio is exactly 1 if every bin of P has unlabeled
 * rows.)
 */
bool mixture_is_trivial(const struct mixture *mixture);

/* D(a) for a in [0, 1]. */
double mixture_d(const struct mixture *mixture, double a);

/* alpha_c: the largest a in [0, 1] with D(a) = 0; 0 if there is only the trivial root. */
double mixture_root(const struct mixture *mixture);

/* The paper's EM: replaces a by the mean posterior, starting from 1, until it changes by less than 1e-5. */
double mixture_em(const struct mixture *mixture);

/* D at 0, 0.001, ..., 1. */
void mixture_curve(const struct mixture *mixture, double curve[CURVE_POINTS]);

/*
 * alpha_n: the point with the largest second difference of D among the points with D < 0.05. If D bends only
 * beyond them, it is the last of them. If D does not bend at all, no row looks positive, and it is 0.
 */
double max_slope(const double curve[CURVE_POINTS]);

/*
 * The scale s with mean_i min(s r_i, 1) = alpha, at most 50. *reached tells whether such a scale exists.
 */
#define LARGEST_SCALE 50.0
double mixture_scale(const struct mixture *mixture, double alpha, int *reached);

/* The point of the curve at this index. */
static inline double curve_alpha(size_t index)
{
    return (double)index * 0.001;
}

#endif
