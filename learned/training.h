/* Trains the networks of the learned estimator. */
#ifndef DEDPUL_LEARNED_TRAINING_H
#define DEDPUL_LEARNED_TRAINING_H

#include "quantile_net.h"
#include "simulate.h"

/*
 * Minimises each network's pinball loss of all quantiles with Adam. The result does not depend on the number
 * of threads, nor on the kind of processor.
 */
dedpul_status train(struct context *context, uint64_t seed, size_t steps, size_t n,
                    const struct lesson *lesson /* (n) */, float weight[NETS_SIZE]);

/* The mean over lessons and quantiles of the pinball loss of alpha*. */
double mean_loss(size_t n, const struct lesson *lesson /* (n) */, const float weight[NETS_SIZE]);

#endif
