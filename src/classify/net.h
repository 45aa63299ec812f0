/*
 * A network: layers of Linear -> BatchNorm (optional; that Linear then has no bias) -> ReLU -> dropout, and a
 * Linear output, the logit. The first layers may be convolutions. Their activations are images; to the batch
 * norm each place of an image is a row, and the first dense layer reads the images as they lie in memory.
 */
#ifndef DEDPUL_CLASSIFY_NET_H
#define DEDPUL_CLASSIFY_NET_H

#include "context.h"
#include "convolution.h"
#include "rng.h"
#include "settings.h"

#include <stdbool.h>

enum { MOST_LAYERS = MOST_HIDDEN_LAYERS + 1 };

struct net_shape {
    size_t n_layers;               /* hidden layers and the output */
    size_t width[MOST_LAYERS + 1]; /* width[0]: features; width[l + 1]: outputs of layer l; the last is 1 */
    size_t n_convolutions;         /* the first layers, each with batch norm */
    struct convolution convolution[MOST_LAYERS]; /* (n_convolutions) */
    bool batch_norm;                             /* in hidden dense layers */
    double dropout;                              /* share of hidden activations set to 0 in training */
};

/*
 * Parameters to train lie in one array, layer by layer: weights (out, in), then scale and shift of the batch
 * norm (out each), or biases (out). Running means and variances (out each) lie in an array of their own. For
 * a convolution, out is the number of kernels and in the number of weights of one kernel.
 */
size_t net_parameters(const struct net_shape *shape);
size_t net_running(const struct net_shape *shape);

/* Returns the number of multiplications for one row. */
size_t net_products(const struct net_shape *shape);

/* Fills the first parameters: uniform within 1 / sqrt(inputs), scale 1, shift 0, mean 0, variance 1. */
void net_start(const struct net_shape *shape, struct rng *rng, float *parameter, float *running);

/* The arrays that a step of training works on. */
struct net_step {
    const struct net_shape *shape;
    size_t rows;                 /* of the batch */
    float *input[MOST_LAYERS];   /* (rows, width[l]) of layer l; fill input[0] before net_forward */
    float *linear[MOST_LAYERS];  /* (rows, width[l + 1]) of layer l with batch norm, before it */
    float *moments[MOST_LAYERS]; /* (2, out) means of `linear`, and 1 / standard deviations */
    float *column_sum[2];        /* (widest) */
    float *slope[2];             /* (rows, widest) slope of the loss by activations; layers take turns */
    float *logit;                /* (rows) */
    unsigned char *noise;        /* (rows, widest) that decides what is dropped */
};

dedpul_status net_step_init(struct context *context, const struct net_shape *shape, size_t rows,
                            struct net_step *step);

/*
 * Computes the logits of the batch in training mode. Batch norm uses the moments of the batch, which also
 * update the running ones. Dropout uses random bits that follow from `noise`.
 */
void net_forward(struct net_step *step, uint64_t noise, const float *parameter, float *running);

/*
 * Computes the gradient of a loss by the parameters from its slope by each logit. Call it after net_forward.
 */
void net_backward(struct net_step *step, const float *parameter, const float *logit_slope /* (rows) */,
                  float *gradient /* (net_parameters) */);

/*
 * A trained network with its batch norm folded into weights and biases: layer by layer, weights (out, in) and
 * biases (out).
 */
size_t net_folded(const struct net_shape *shape);
void net_fold(const struct net_shape *shape, const float *parameter, const float *running, float *folded);

/* Computes logits of rows with a folded network. */
dedpul_status net_score(struct context *context, const struct net_shape *shape, const float *folded, size_t n,
                        const float *x /* (n, width[0]) */, double *logit /* (n) */);

#endif
