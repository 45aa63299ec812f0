/*
 * The networks of the learned estimator: from the tail curve to quantiles of alpha*'s distribution. Their
 * weights are made by 'make learned' and are part of the library.
 */
#ifndef DEDPUL_ESTIMATORS_QUANTILE_NET_H
#define DEDPUL_ESTIMATORS_QUANTILE_NET_H

#include "scales.h"
#include "tail_curve.h"

/* TAIL_INPUTS -> NET_WIDTH -> two layers that add to what they get -> N_QUANTILES. SiLU between. */
enum { NET_WIDTH = 64, NET_LAYERS = 3 };

/* Where the parts of a network lie: rows of weights by output, then biases, layer by layer. */
enum {
    FIRST_SIZE = NET_WIDTH * (TAIL_INPUTS + 1),
    INNER_SIZE = NET_WIDTH * (NET_WIDTH + 1),
    LAST_SIZE = N_QUANTILES * (NET_WIDTH + 1),
    NET_SIZE = FIRST_SIZE + (NET_LAYERS - 1) * INNER_SIZE + LAST_SIZE,
};

/* Networks that differ by their seeds alone. Where problems are unlike the simulated ones, each is off in its
 * own way, and their mean by less. */
enum { NETS = 3, NETS_SIZE = NETS * NET_SIZE };

/* Fills the quantiles of logit(alpha*), ascending: the means of those of all networks. */
void quantile_nets_run(const float weight[NETS_SIZE], const float input[TAIL_INPUTS],
                       float quantile[N_QUANTILES]);

/* From the network's outputs to quantiles: the median, and steps up and down from it. */
void quantiles_of_outputs(const float output[N_QUANTILES], float quantile[N_QUANTILES]);

/* The weights of the library. */
void quantile_nets_weights(float weight[NETS_SIZE]);

#endif
