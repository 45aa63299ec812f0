/* Trains the network of the learned estimator. */
#ifndef DEDPUL_LEARNED_TRAINING_H
#define DEDPUL_LEARNED_TRAINING_H

#include "quantile_net.h"
#include "simulate.h"

/*
 * Minimises the pinball loss of all quantiles with Adam. The result does not depend on the number of threads,
 * nor on the kind of processor.
 */
dedpul_status train(struct context *context, uint64_t seed, size_t steps, size_t n,
                    const struct lesson *lesson /* (n) */, float weight[NET_SIZE]);

/* The mean over lessons and quantiles of the pinball loss of alpha*. */
double mean_loss(size_t n, const struct lesson *lesson /* (n) */, const float weight[NET_SIZE]);

#endif
