/* Clusters of rows: each row belongs to the nearest of a few centers, and each center is the mean of its
 * rows.
 */
#ifndef DEDPUL_MATH_KMEANS_H
#define DEDPUL_MATH_KMEANS_H

#include "context.h"

struct kmeans_rows {
    size_t n, width;
    const float *x;       /* (n, width) */
    const double *weight; /* (n) counts of equal rows, some above 0; NULL: each row counts once */
};

/*
 * Finds at most *k centers, fewer if fewer rows differ, by steps of Lloyd's ("Least squares quantization in
 * PCM", 1982) from starts that lie far apart (Arthur and Vassilvitskii, "k-means++", 2007). Of several starts
 * it takes the one that ends with the least sum of squared distances. The seed decides.
 */
dedpul_status kmeans(struct context *context, const struct kmeans_rows *rows, size_t *k,
                     double *center /* (*k, width) */);

/* The center that is nearest to a row; of equally near ones the first. */
uint32_t kmeans_nearest(size_t k, size_t width, const double *center /* (k, width) */,
                        const float *x /* (width) */, double *square /* its squared distance; or NULL */);

#endif
