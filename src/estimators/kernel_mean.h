/*
 * KM1 and KM2: Ramaswamy, Scott, Tewari, "Mixture proportion estimation via kernel embeddings of
 * distributions", 2016.
 */
#ifndef DEDPUL_ESTIMATORS_KERNEL_MEAN_H
#define DEDPUL_ESTIMATORS_KERNEL_MEAN_H

#include "context.h"
#include "feature_rows.h"

/* What the slope of the distance is compared with. */
enum kernel_mean_threshold {
    KERNEL_MEAN_1, /* a blend of the first slope and the last one */
    KERNEL_MEAN_2, /* one over the root of the smaller sample's size */
};

struct kernel_mean {
    double alpha;
    double width; /* of the kernel */
    double gap;   /* the largest relative duality gap of all distances to the hull */
};

dedpul_status kernel_mean(struct context *context, const struct feature_rows *rows,
                          enum kernel_mean_threshold kind, struct kernel_mean *found);

#endif
