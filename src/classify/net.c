#include "net.h"

#include "gemm.h"
#include "vectorized.h"

#include <math.h>
#include <string.h>

/* PyTorch's constants. */
static const float norm_epsilon = 1e-5F, norm_momentum = 0.1F;

static const struct convolution *convolution_of(const struct net_shape *shape, size_t layer)
{
    return layer < shape->n_convolutions ? &shape->convolution[layer] : NULL;
}

static bool has_norm(const struct net_shape *shape, size_t layer)
{
    return layer < shape->n_convolutions || (shape->batch_norm && layer + 1 < shape->n_layers);
}

/* A layer's weights have outputs_of rows of inputs_of numbers. */
static size_t outputs_of(const struct net_shape *shape, size_t layer)
{
    const struct convolution *convolution = convolution_of(shape, layer);
    return convolution != NULL ? convolution->outputs : shape->width[layer + 1];
}

static size_t inputs_of(const struct net_shape *shape, size_t layer)
{
    const struct convolution *convolution = convolution_of(shape, layer);
    return convolution != NULL ? convolution_depth(convolution) : shape->width[layer];
}

/* The number of places in an image after a convolution; 1 for a dense layer. */
static size_t places_of(const struct net_shape *shape, size_t layer)
{
    return shape->width[layer + 1] / outputs_of(shape, layer);
}

static size_t weights_of(const struct net_shape *shape, size_t layer)
{
    return inputs_of(shape, layer) * outputs_of(shape, layer);
}

static size_t parameters_of(const struct net_shape *shape, size_t layer)
{
    return weights_of(shape, layer) + (has_norm(shape, layer) ? 2 : 1) * outputs_of(shape, layer);
}

size_t net_parameters(const struct net_shape *shape)
{
    size_t count = 0;
    for (size_t l = 0; l < shape->n_layers; l++)
        count += parameters_of(shape, l);
    return count;
}

size_t net_running(const struct net_shape *shape)
{
    size_t count = 0;
    for (size_t l = 0; l < shape->n_layers; l++)
        count += has_norm(shape, l) ? 2 * outputs_of(shape, l) : 0;
    return count;
}

size_t net_folded(const struct net_shape *shape)
{
    size_t count = 0;
    for (size_t l = 0; l < shape->n_layers; l++)
        count += weights_of(shape, l) + outputs_of(shape, l);
    return count;
}

size_t net_products(const struct net_shape *shape)
{
    size_t count = 0;
    for (size_t l = 0; l < shape->n_layers; l++)
        count += weights_of(shape, l) * places_of(shape, l);
    return count;
}

static inline void fill(size_t n, float *array, float value)
{
    for (size_t i = 0; i < n; i++)
        array[i] = value;
}

void net_start(const struct net_shape *shape, struct rng *rng, float *parameter, float *running)
{
    for (size_t l = 0; l < shape->n_layers; l++) {
        const size_t out = outputs_of(shape, l), count = parameters_of(shape, l);
        const double bound = 1 / sqrt((double)inputs_of(shape, l));
        const size_t random = has_norm(shape, l) ? weights_of(shape, l) : count;
        for (size_t i = 0; i < random; i++)
            parameter[i] = (float)(bound * (2 * rng_uniform(rng) - 1));
        if (has_norm(shape, l)) { /* scale 1 and shift 0, running mean 0 and variance 1 */
            fill(out, parameter + random, 1);
            fill(out, parameter + random + out, 0);
            fill(out, running, 0);
            fill(out, running + out, 1);
            running += 2 * out;
        }
        parameter += count;
    }
}

static size_t widest_layer(const struct net_shape *shape)
{
    size_t widest = 1;
    for (size_t l = 0; l < shape->n_layers; l++)
        widest = shape->width[l + 1] > widest ? shape->width[l + 1] : widest;
    return widest;
}

/*
 * Returns room for floats at the start of a cache line, or NULL if memory runs out. Vectors that lie across
 * two lines take the loops below up to twice as long.
 */
static float *allocate_aligned(struct context *context, size_t n)
{
    enum { LINE = 64 };
    char *memory = context_allocate(context, n * sizeof(float) + LINE, 1);
    return memory != NULL ? (float *)(void *)(memory + (LINE - (uintptr_t)memory % LINE)) : NULL;
}

dedpul_status net_step_init(struct context *context, const struct net_shape *shape, size_t rows,
                            struct net_step *step)
{
    const size_t widest = widest_layer(shape);
    *step = (struct net_step){.shape = shape, .rows = rows};
    for (size_t l = 0; l < shape->n_layers; l++) {
        const size_t out = shape->width[l + 1];
        step->input[l] = allocate_aligned(context, rows * shape->width[l]);
        step->linear[l] = allocate_aligned(context, has_norm(shape, l) ? rows * out : 0);
        step->moments[l] = allocate_aligned(context, 2 * out);
        if (step->input[l] == NULL || step->linear[l] == NULL || step->moments[l] == NULL)
            return DEDPUL_NO_MEMORY;
    }
    for (int i = 0; i < 2; i++)
        if ((step->column_sum[i] = allocate_aligned(context, widest)) == NULL)
            return DEDPUL_NO_MEMORY;
    for (int i = 0; i < 2; i++)
        if ((step->slope[i] = allocate_aligned(context, rows * widest)) == NULL)
            return DEDPUL_NO_MEMORY;
    step->logit = context_allocate(context, rows, sizeof(float));
    step->noise = context_allocate(context, rows * widest + 8, 1); /* fill_noise writes eights */
    return step->logit != NULL && step->noise != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

/* ---- forward ---- */

/* One random byte decides about each activation, which is dropped with a probability of this many 256ths. */
static unsigned char dropped_of_256(const struct net_shape *shape)
{
    return (unsigned char)lrint(256 * shape->dropout);
}

/* The kept activations are multiplied by this, so that the expectation stays the same. */
static float dropout_scale(const struct net_shape *shape)
{
    return 256 / (float)(256 - dropped_of_256(shape));
}

/* Random bytes by SplitMix64 (Steele, Lea, Flood, 2014), which makes eight of them with a few operations. */
VECTORIZED static void fill_noise(size_t n, unsigned char *noise, uint64_t *state)
{
    const uint64_t begin = *state, step = 0x9e3779b97f4a7c15, words = (n + 7) / 8;
    for (uint64_t i = 0; i < words; i++) {
        uint64_t z = begin + (i + 1) * step;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        z ^= z >> 31;
        memcpy(noise + 8 * i, &z, sizeof z);
    }
    *state = begin + words * step;
}

/*
 * Sums over rows (which may be all places of many images) are made in blocks of this many rows, because one
 * long sum of floats would lose digits.
 */
enum { SUM_ROWS = 256 };

static inline size_t block_end(size_t rows, size_t begin)
{
    return rows - begin < SUM_ROWS ? rows : begin + SUM_ROWS;
}

static inline void add(size_t n, const float *part, float *sum)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += part[i];
}

/* Fills the mean of each column and the sum of squares around it. */
VECTORIZED static void measure_columns(size_t rows, size_t out, const float *restrict z, float *restrict mean,
                                       float *restrict squares, float *restrict part)
{
    fill(out, mean, 0);
    fill(out, squares, 0);
    for (size_t begin = 0; begin < rows; begin += SUM_ROWS) {
        fill(out, part, 0);
        for (size_t i = begin; i < block_end(rows, begin); i++)
            for (size_t j = 0; j < out; j++)
                part[j] += z[i * out + j];
        add(out, part, mean);
    }
    for (size_t j = 0; j < out; j++)
        mean[j] /= (float)rows;
    for (size_t begin = 0; begin < rows; begin += SUM_ROWS) {
        fill(out, part, 0);
        for (size_t i = begin; i < block_end(rows, begin); i++)
            for (size_t j = 0; j < out; j++) {
                const float centered = z[i * out + j] - mean[j];
                part[j] += centered * centered;
            }
        add(out, part, squares);
    }
}

/*
 * a = relu(normal * scale + shift). The normalized activations are not stored but computed again on the way
 * back: that takes less time than writing them.
 */
VECTORIZED static void rectify_normal(size_t rows, size_t out, const float *restrict z,
                                      const float *restrict moments, const float *restrict vector,
                                      float *restrict a)
{
    const float *mean = moments, *inverse_sd = moments + out, *scale = vector, *shift = vector + out;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < out; j++) {
            const float normal = (z[i * out + j] - mean[j]) * inverse_sd[j], y = normal * scale[j] + shift[j];
            a[i * out + j] = y > 0 ? y : 0;
        }
}

/* Batch norm (Ioffe and Szegedy, 2015) in training mode, and ReLU. `vector` has scale and shift. */
static void normalize_batch(struct net_step *step, size_t layer, const float *vector, float *running)
{
    const size_t rows = step->rows * places_of(step->shape, layer), out = outputs_of(step->shape, layer);
    float *mean = step->moments[layer], *inverse_sd = mean + out, *squares = step->column_sum[0];
    measure_columns(rows, out, step->linear[layer], mean, squares, step->column_sum[1]);
    /* As in PyTorch, the running variance is the unbiased one. */
    const float unbiased = rows > 1 ? 1 / (float)(rows - 1) : 1;
    for (size_t j = 0; j < out; j++) {
        inverse_sd[j] = 1 / sqrtf(squares[j] / (float)rows + norm_epsilon);
        running[j] += norm_momentum * (mean[j] - running[j]);
        running[out + j] += norm_momentum * (squares[j] * unbiased - running[out + j]);
    }
    rectify_normal(rows, out, step->linear[layer], mean, vector, step->input[layer + 1]);
}

/* a = relu(a + bias) */
VECTORIZED static void rectify(size_t rows, size_t out, const float *bias, float *a)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < out; j++) {
            const float y = a[i * out + j] + bias[j];
            a[i * out + j] = y > 0 ? y : 0;
        }
}

VECTORIZED static void drop(size_t n, unsigned char dropped, float kept, const unsigned char *restrict noise,
                            float *restrict a)
{
    for (size_t i = 0; i < n; i++)
        a[i] = noise[i] >= dropped ? a[i] * kept : 0;
}

/* The linear part of a layer. */
static void apply_weights(const struct net_shape *shape, size_t layer, size_t rows, const float *input,
                          const float *weight, float *output)
{
    const struct convolution *convolution = convolution_of(shape, layer);
    if (convolution != NULL)
        convolve(convolution, rows, input, weight, output);
    else
        multiply_nt(rows, shape->width[layer + 1], shape->width[layer], input, weight, output);
}

void net_forward(struct net_step *step, uint64_t noise, const float *parameter, float *running)
{
    const struct net_shape *shape = step->shape;
    const size_t rows = step->rows, last = shape->n_layers - 1;
    const unsigned char dropped = dropped_of_256(shape);
    const float kept = dropout_scale(shape);
    for (size_t l = 0; l < last; l++) {
        const size_t out = outputs_of(shape, l), places = rows * places_of(shape, l);
        const float *vector = parameter + weights_of(shape, l);
        float *a = step->input[l + 1];
        if (has_norm(shape, l)) {
            apply_weights(shape, l, rows, step->input[l], parameter, step->linear[l]);
            normalize_batch(step, l, vector, running);
            running += 2 * out;
        } else {
            apply_weights(shape, l, rows, step->input[l], parameter, a);
            rectify(places, out, vector, a);
        }
        if (dropped > 0) {
            fill_noise(places * out, step->noise, &noise);
            drop(places * out, dropped, kept, step->noise, a);
        }
        parameter += parameters_of(shape, l);
    }
    multiply_nt(rows, 1, shape->width[last], step->input[last], parameter, step->logit);
    for (size_t i = 0; i < rows; i++)
        step->logit[i] += parameter[shape->width[last]];
}

/* ---- backward ---- */

/*
 * Goes back through dropout, ReLU and batch norm. An activation above 0 has passed dropout and ReLU; all
 * others have the slope 0. From the slope by the output of the batch norm, dy, the slope by its input is
 * scale / sd * (dy - mean(dy) - normal * mean(dy * normal)). The sums of dy * normal and dy, over which the
 * means are taken, are also the slopes by scale and shift.
 */
VECTORIZED static void backward_normal(size_t rows, size_t out, const float *restrict a,
                                       const float *restrict z, const float *restrict moments,
                                       const float *restrict scale, float kept, float *restrict slope,
                                       float *restrict by_scale, float *restrict by_shift,
                                       float *restrict part_scale, float *restrict part_shift)
{
    const float *mean = moments, *inverse_sd = moments + out;
    fill(out, by_scale, 0);
    fill(out, by_shift, 0);
    for (size_t begin = 0; begin < rows; begin += SUM_ROWS) {
        fill(out, part_scale, 0);
        fill(out, part_shift, 0);
        for (size_t i = begin; i < block_end(rows, begin); i++)
            for (size_t j = 0; j < out; j++) {
                const float dy = a[i * out + j] > 0 ? kept * slope[i * out + j] : 0;
                slope[i * out + j] = dy;
                part_scale[j] += dy * ((z[i * out + j] - mean[j]) * inverse_sd[j]);
                part_shift[j] += dy;
            }
        add(out, part_scale, by_scale);
        add(out, part_shift, by_shift);
    }
    const float share = 1 / (float)rows;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < out; j++) {
            const float normal = (z[i * out + j] - mean[j]) * inverse_sd[j];
            slope[i * out + j] = scale[j] * inverse_sd[j] *
                                 (slope[i * out + j] - share * by_shift[j] - normal * (share * by_scale[j]));
        }
}

/* The same without batch norm; the sums of dy are the slopes by the biases. */
VECTORIZED static void backward_bias(size_t rows, size_t out, const float *a, float kept, float *slope,
                                     float *by_bias)
{
    fill(out, by_bias, 0);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < out; j++) {
            const float dy = a[i * out + j] > 0 ? kept * slope[i * out + j] : 0;
            slope[i * out + j] = dy;
            by_bias[j] += dy;
        }
}

/*
 * From the slope by the output of a layer's linear part, computes the slope by its weights and, except for
 * the first layer, by its input. Two buffers take turns: layer l reads slope[l % 2] and writes the other one.
 */
static void backward_weights(struct net_step *step, size_t layer, const float *slope, const float *weight,
                             float *by_weight)
{
    const struct net_shape *shape = step->shape;
    const struct convolution *convolution = convolution_of(shape, layer);
    const size_t rows = step->rows, in = shape->width[layer], out = shape->width[layer + 1];
    float *by_input = step->slope[(layer + 1) % 2];
    if (convolution != NULL) {
        convolve_weight_slope(convolution, rows, step->input[layer], slope, by_weight);
        if (layer > 0)
            convolve_slope(convolution, rows, slope, weight, by_input);
    } else {
        multiply_tn(out, in, rows, slope, step->input[layer], by_weight);
        if (layer > 0)
            multiply_nn(rows, in, out, slope, weight, by_input);
    }
}

void net_backward(struct net_step *step, const float *parameter, const float *logit_slope, float *gradient)
{
    const struct net_shape *shape = step->shape;
    const float kept = dropout_scale(shape);
    const float *slope = logit_slope;
    size_t begin = net_parameters(shape);
    for (size_t l = shape->n_layers; l-- > 0;) {
        const size_t out = outputs_of(shape, l), places = step->rows * places_of(shape, l);
        begin -= parameters_of(shape, l);
        const float *vector = parameter + begin + weights_of(shape, l);
        float *by_vector = gradient + begin + weights_of(shape, l), *own = step->slope[l % 2];
        if (l + 1 == shape->n_layers) { /* the output layer has a single bias and nothing after it */
            by_vector[0] = 0;
            for (size_t i = 0; i < step->rows; i++)
                by_vector[0] += logit_slope[i];
        } else if (has_norm(shape, l)) {
            backward_normal(places, out, step->input[l + 1], step->linear[l], step->moments[l], vector, kept,
                            own, by_vector, by_vector + out, step->column_sum[0], step->column_sum[1]);
            slope = own;
        } else {
            backward_bias(places, out, step->input[l + 1], kept, own, by_vector);
            slope = own;
        }
        backward_weights(step, l, slope, parameter + begin, gradient + begin);
    }
}

/* ---- trained networks ---- */

void net_fold(const struct net_shape *shape, const float *parameter, const float *running, float *folded)
{
    for (size_t l = 0; l < shape->n_layers; l++) {
        const size_t in = inputs_of(shape, l), out = outputs_of(shape, l), weights = in * out;
        memcpy(folded, parameter, (weights + out) * sizeof *folded);
        if (has_norm(shape, l)) {
            const float *scale = parameter + weights, *shift = scale + out;
            /* factor = scale / sd: factor * (w x - mean) + shift = (factor w) x + shift - factor * mean. */
            for (size_t j = 0; j < out; j++) {
                const float factor = scale[j] / sqrtf(running[out + j] + norm_epsilon);
                for (size_t k = 0; k < in; k++)
                    folded[j * in + k] *= factor;
                folded[weights + j] = shift[j] - factor * running[j];
            }
            running += 2 * out;
        }
        parameter += parameters_of(shape, l);
        folded += weights + out;
    }
}

/* This many rows at a time, so that their activations fit a cache: for dense layers, and for images. */
enum { SCORE_ROWS = 256, SCORE_IMAGES = 16 };

dedpul_status net_score(struct context *context, const struct net_shape *shape, const float *folded, size_t n,
                        const float *x, double *logit)
{
    struct block *mark = context_mark(context);
    const size_t piece = shape->n_convolutions > 0 ? SCORE_IMAGES : SCORE_ROWS;
    float *a[2];
    for (int i = 0; i < 2; i++) {
        a[i] = context_allocate(context, piece * widest_layer(shape), sizeof(float));
        if (a[i] == NULL)
            return DEDPUL_NO_MEMORY;
    }
    for (size_t begin = 0; begin < n; begin += piece) {
        const size_t rows = n - begin < piece ? n - begin : piece;
        const float *input = x + begin * shape->width[0], *layer = folded;
        for (size_t l = 0; l < shape->n_layers; l++) {
            const size_t out = outputs_of(shape, l), weights = weights_of(shape, l);
            float *output = a[l % 2];
            apply_weights(shape, l, rows, input, layer, output);
            if (l + 1 < shape->n_layers)
                rectify(rows * places_of(shape, l), out, layer + weights, output);
            input = output;
            layer += weights + out;
        }
        for (size_t i = 0; i < rows; i++) /* layer[-1], the last number of all, is the bias of the output */
            logit[begin + i] = (double)(input[i] + layer[-1]);
    }
    context_release(context, mark);
    return DEDPUL_OK;
}
