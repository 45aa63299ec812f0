/* Trains the network of the learned estimator. */
#ifndef DEDPUL_LEARNED_TRAIN_H
#define DEDPUL_LEARNED_TRAIN_H

#include "quantile_net.h"
#include "simulate.h"

struct training {
    size_t n;
    const struct lesson *lesson; /* (n) */
    size_t steps;
    double rate;
    uint64_t seed;
};

/* The result does not depend on the number of threads. */
dedpul_status train(struct context *context, const struct training *training, float weight[NET_SIZE]);

/* The mean loss on some lessons: the mean over quantiles of the pinball loss. */
double mean_loss(size_t n, const struct lesson *lesson /* (n) */, const float weight[NET_SIZE]);

#endif
