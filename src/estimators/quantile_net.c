#include "quantile_net.h"

#include "bytes.h"
#include "float_exp.h"
#include "vectorized.h"

VECTORIZED static void dense(size_t n_out, size_t n_in, const float *weight, const float *in, float *out)
{
    const float *bias = weight + n_out * n_in;
    for (size_t o = 0; o < n_out; o++) {
        float sum = bias[o];
        for (size_t i = 0; i < n_in; i++)
            sum = fmaf(weight[o * n_in + i], in[i], sum);
        out[o] = sum;
    }
}

static float silu(float x)
{
    return x * float_sigmoid(x);
}

static float softplus(float x)
{
    return fmaxf(x, 0) + log1pf(float_exp(-fabsf(x)));
}

void quantiles_of_outputs(const float output[N_QUANTILES], float quantile[N_QUANTILES])
{
    quantile[MEDIAN] = output[MEDIAN];
    for (size_t k = 1; k <= MEDIAN; k++) {
        quantile[MEDIAN + k] = quantile[MEDIAN + k - 1] + softplus(output[MEDIAN + k]);
        quantile[MEDIAN - k] = quantile[MEDIAN - k + 1] - softplus(output[MEDIAN - k]);
    }
}

static void run_net(const float weight[NET_SIZE], const float input[TAIL_INPUTS], float quantile[N_QUANTILES])
{
    float unit[NET_WIDTH], change[NET_WIDTH], output[N_QUANTILES];
    dense(NET_WIDTH, TAIL_INPUTS, weight, input, unit);
    for (size_t o = 0; o < NET_WIDTH; o++)
        unit[o] = silu(unit[o]);
    for (size_t layer = 1; layer < NET_LAYERS; layer++) {
        dense(NET_WIDTH, NET_WIDTH, weight + FIRST_SIZE + (layer - 1) * INNER_SIZE, unit, change);
        for (size_t o = 0; o < NET_WIDTH; o++)
            unit[o] += silu(change[o]);
    }
    dense(N_QUANTILES, NET_WIDTH, weight + NET_SIZE - LAST_SIZE, unit, output);
    quantiles_of_outputs(output, quantile);
}

void quantile_nets_run(const float weight[NETS_SIZE], const float input[TAIL_INPUTS],
                       float quantile[N_QUANTILES])
{
    for (size_t k = 0; k < N_QUANTILES; k++)
        quantile[k] = 0;
    for (size_t net = 0; net < NETS; net++) {
        float own[N_QUANTILES];
        run_net(weight + net * NET_SIZE, input, own);
        for (size_t k = 0; k < N_QUANTILES; k++)
            quantile[k] += own[k] / NETS;
    }
}

extern const unsigned char learned_weights[];
extern const size_t learned_weights_size;

void quantile_nets_weights(float weight[NETS_SIZE])
{
    struct bytes_reader reader = {learned_weights, learned_weights_size, false};
    bytes_get_f32s(&reader, NETS_SIZE, weight);
}
