#include "training.h"

#include "float_exp.h"
#include "parallel.h"
#include "rng.h"
#include "vectorized.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    CHUNK = 256, /* rows whose gradient is one task */
    CHUNKS = 16, /* of a step */
    BATCH = CHUNK * CHUNKS,
    WIDE_INPUTS = 128, /* TAIL_INPUTS, padded */
    PAD = 16,          /* N_QUANTILES, padded */
};

/* ---- products of matrices ---- */

/* Some rows and columns of the product, whose sums stay in registers. */
#define BLOCK(rows, columns)                                                    \
    do {                                                                        \
        float sum[rows][columns] = {{0}};                                       \
        for (size_t k = 0; k < depth; k++)                                      \
            for (size_t r = 0; r < (rows); r++) {                               \
                const float factor = a[(i + r) * depth + k];                    \
                for (size_t c = 0; c < (columns); c++)                          \
                    sum[r][c] = fmaf(factor, b[k * n + j + c], sum[r][c]);      \
            }                                                                   \
        for (size_t r = 0; r < (rows); r++)                                     \
            memcpy(c_out + (i + r) * n + j, sum[r], (columns) * sizeof(float)); \
    } while (0)

/* c = a b; m is a multiple of 4, n of 16. */
VECTORIZED static void product(size_t m, size_t n, size_t depth, const float *restrict a,
                               const float *restrict b, float *restrict c_out)
{
    for (size_t i = 0; i < m; i += 4) {
        size_t j = 0;
        for (; j + 64 <= n; j += 64)
            BLOCK(4, 64);
        for (; j < n; j += 16)
            BLOCK(4, 16);
    }
}

static void transpose(size_t rows, size_t columns, const float *restrict a, float *restrict t)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            t[j * rows + i] = a[i * columns + j];
}

/* ---- the network with what training needs: weights by layer, padded ---- */

struct net {
    float first[NET_WIDTH][WIDE_INPUTS], first_bias[NET_WIDTH];
    float inner[NET_LAYERS - 1][NET_WIDTH][NET_WIDTH], inner_bias[NET_LAYERS - 1][NET_WIDTH];
    float last[PAD][NET_WIDTH], last_bias[PAD];
};

enum { N_WEIGHTS = sizeof(struct net) / sizeof(float) };

struct work {
    float rows[CHUNK][WIDE_INPUTS], x[WIDE_INPUTS][CHUNK], target[CHUNK];
    float before[NET_LAYERS][NET_WIDTH][CHUNK],
        unit[NET_LAYERS][NET_WIDTH][CHUNK]; /* before and after SiLU */
    float output[PAD][CHUNK], d_output[PAD][CHUNK];
    float d_unit[NET_WIDTH][CHUNK], d_before[NET_WIDTH][CHUNK], d_more[NET_WIDTH][CHUNK];
    float turned[CHUNK][WIDE_INPUTS], turned_weight[NET_WIDTH][NET_WIDTH];
    struct net gradient;
    double loss;
};

/* before += bias; unit = silu(before) (+ below) */
VECTORIZED static void activate(const float *bias, const float (*below)[CHUNK], float (*before)[CHUNK],
                                float (*unit)[CHUNK])
{
    for (size_t o = 0; o < NET_WIDTH; o++)
        for (size_t i = 0; i < CHUNK; i++) {
            const float x = before[o][i] + bias[o];
            before[o][i] = x;
            unit[o][i] = x * float_sigmoid(x) + (below != NULL ? below[o][i] : 0);
        }
}

VECTORIZED static void activate_back(const float (*before)[CHUNK], const float (*d_unit)[CHUNK],
                                     float (*d_before)[CHUNK])
{
    for (size_t o = 0; o < NET_WIDTH; o++)
        for (size_t i = 0; i < CHUNK; i++) {
            const float x = before[o][i], s = float_sigmoid(x);
            d_before[o][i] = d_unit[o][i] * (s + x * s * (1 - s));
        }
}

static void sum_rows(size_t m, const float (*d)[CHUNK], float *sum)
{
    for (size_t o = 0; o < m; o++) {
        sum[o] = 0;
        for (size_t i = 0; i < CHUNK; i++)
            sum[o] += d[o][i];
    }
}

/* The pinball loss of one row, and its derivative by each output. */
static double row_loss(const float output[N_QUANTILES], float target, float d_output[N_QUANTILES])
{
    float quantile[N_QUANTILES], d_quantile[N_QUANTILES];
    const float share = float_sigmoid(target);
    double loss = 0;
    quantiles_of_outputs(output, quantile);
    for (size_t k = 0; k < N_QUANTILES; k++) {
        const float guess = float_sigmoid(quantile[k]),
                    slope = (target < quantile[k]) - (float)quantile_level[k];
        loss += (double)(slope * (guess - share)) / N_QUANTILES;
        d_quantile[k] = slope * (guess * (1 - guess) + (float)logit_part);
    }
    float up = 0, down = 0;
    for (size_t k = MEDIAN; k > 0; k--) {
        up += d_quantile[MEDIAN + k];
        down += d_quantile[MEDIAN - k];
        d_output[MEDIAN + k] = up * float_sigmoid(output[MEDIAN + k]);
        d_output[MEDIAN - k] = -down * float_sigmoid(output[MEDIAN - k]);
    }
    d_output[MEDIAN] = up + down + d_quantile[MEDIAN];
    return loss;
}

static void forward(const struct net *net, struct work *work)
{
    transpose(CHUNK, WIDE_INPUTS, work->rows[0], work->x[0]);
    product(NET_WIDTH, CHUNK, WIDE_INPUTS, net->first[0], work->x[0], work->before[0][0]);
    activate(net->first_bias, NULL, work->before[0], work->unit[0]);
    for (size_t l = 1; l < NET_LAYERS; l++) {
        product(NET_WIDTH, CHUNK, NET_WIDTH, net->inner[l - 1][0], work->unit[l - 1][0], work->before[l][0]);
        activate(net->inner_bias[l - 1], (const float(*)[CHUNK])work->unit[l - 1], work->before[l],
                 work->unit[l]);
    }
    product(PAD, CHUNK, NET_WIDTH, net->last[0], work->unit[NET_LAYERS - 1][0], work->output[0]);
}

static void find_losses(const struct net *net, struct work *work)
{
    work->loss = 0;
    for (size_t i = 0; i < CHUNK; i++) {
        float output[N_QUANTILES], d_output[N_QUANTILES];
        for (size_t k = 0; k < N_QUANTILES; k++)
            output[k] = work->output[k][i] + net->last_bias[k];
        work->loss += row_loss(output, work->target[i], d_output);
        for (size_t k = 0; k < PAD; k++)
            work->d_output[k][i] = k < N_QUANTILES ? d_output[k] / BATCH : 0;
    }
}

static void backward(const struct net *net, struct work *work)
{
    struct net *gradient = &work->gradient;
    transpose(NET_WIDTH, CHUNK, work->unit[NET_LAYERS - 1][0], work->turned[0]);
    product(PAD, NET_WIDTH, CHUNK, work->d_output[0], work->turned[0], gradient->last[0]);
    sum_rows(PAD, (const float(*)[CHUNK])work->d_output, gradient->last_bias);
    transpose(PAD, NET_WIDTH, net->last[0], work->turned_weight[0]);
    product(NET_WIDTH, CHUNK, PAD, work->turned_weight[0], work->d_output[0], work->d_unit[0]);
    for (size_t l = NET_LAYERS - 1; l > 0; l--) {
        activate_back((const float(*)[CHUNK])work->before[l], (const float(*)[CHUNK])work->d_unit,
                      work->d_before);
        transpose(NET_WIDTH, CHUNK, work->unit[l - 1][0], work->turned[0]);
        product(NET_WIDTH, NET_WIDTH, CHUNK, work->d_before[0], work->turned[0], gradient->inner[l - 1][0]);
        sum_rows(NET_WIDTH, (const float(*)[CHUNK])work->d_before, gradient->inner_bias[l - 1]);
        transpose(NET_WIDTH, NET_WIDTH, net->inner[l - 1][0], work->turned_weight[0]);
        product(NET_WIDTH, CHUNK, NET_WIDTH, work->turned_weight[0], work->d_before[0], work->d_more[0]);
        for (size_t o = 0; o < NET_WIDTH; o++)
            for (size_t i = 0; i < CHUNK; i++)
                work->d_unit[o][i] += work->d_more[o][i];
    }
    activate_back((const float(*)[CHUNK])work->before[0], (const float(*)[CHUNK])work->d_unit,
                  work->d_before);
    product(NET_WIDTH, WIDE_INPUTS, CHUNK, work->d_before[0], work->rows[0], gradient->first[0]);
    sum_rows(NET_WIDTH, (const float(*)[CHUNK])work->d_before, gradient->first_bias);
}

/* ---- steps ---- */

struct trainer {
    const struct lesson *lesson;
    const float *mean, *scale; /* (TAIL_INPUTS) of inputs: x = (input - mean) scale */
    const uint32_t *place;     /* (n) a random order of the lessons */
    struct net net;
    struct work *work; /* (CHUNKS) */
    size_t first;      /* place of the step's first lesson */
};

static dedpul_status do_chunk(struct context *context, void *argument, size_t index)
{
    struct trainer *trainer = argument;
    struct work *work = &trainer->work[index];
    (void)context;
    for (size_t i = 0; i < CHUNK; i++) {
        const struct lesson *lesson = &trainer->lesson[trainer->place[trainer->first + index * CHUNK + i]];
        for (size_t j = 0; j < TAIL_INPUTS; j++)
            work->rows[i][j] = (lesson->input[j] - trainer->mean[j]) * trainer->scale[j];
        work->target[i] = lesson->target;
    }
    forward(&trainer->net, work);
    find_losses(&trainer->net, work);
    backward(&trainer->net, work);
    return DEDPUL_OK;
}

struct adam {
    float mean[N_WEIGHTS], square[N_WEIGHTS];
};

/* Kingma and Ba, "Adam", 2015. */
VECTORIZED static void adam_step(struct adam *adam, size_t step, float rate, const float *gradient,
                                 float *weight)
{
    const float grow_mean = 1 - powf(0.9F, (float)step), grow_square = 1 - powf(0.999F, (float)step);
    for (size_t i = 0; i < N_WEIGHTS; i++) {
        adam->mean[i] = 0.9F * adam->mean[i] + 0.1F * gradient[i];
        adam->square[i] = 0.999F * adam->square[i] + 0.001F * gradient[i] * gradient[i];
        weight[i] -= rate * (adam->mean[i] / grow_mean) / (sqrtf(adam->square[i] / grow_square) + 1e-8F);
    }
}

static void init_weights(struct net *net, struct rng *rng)
{
    memset(net, 0, sizeof *net);
    for (size_t o = 0; o < NET_WIDTH; o++)
        for (size_t i = 0; i < TAIL_INPUTS; i++)
            net->first[o][i] = (float)((2 * rng_uniform(rng) - 1) / sqrt((double)TAIL_INPUTS));
    for (size_t l = 0; l < NET_LAYERS - 1; l++)
        for (size_t o = 0; o < NET_WIDTH; o++)
            for (size_t i = 0; i < NET_WIDTH; i++)
                net->inner[l][o][i] = (float)((2 * rng_uniform(rng) - 1) / sqrt((double)NET_WIDTH));
    for (size_t o = 0; o < N_QUANTILES; o++)
        for (size_t i = 0; i < NET_WIDTH; i++)
            net->last[o][i] = (float)((2 * rng_uniform(rng) - 1) / sqrt((double)NET_WIDTH));
}

static void shuffle(struct rng *rng, size_t n, uint32_t *place)
{
    for (size_t i = n - 1; i > 0; i--) {
        const size_t k = rng_below(rng, (uint32_t)(i + 1));
        const uint32_t here = place[i];
        place[i] = place[k];
        place[k] = here;
    }
}

/* Standardised inputs become raw ones: (x - mean) scale w = x (scale w) - (mean scale w). */
static void export_net(const struct net *net, const float *mean, const float *scale, float *weight)
{
    float *bias = weight + NET_WIDTH * TAIL_INPUTS;
    for (size_t o = 0; o < NET_WIDTH; o++) {
        double shift = (double)net->first_bias[o];
        for (size_t i = 0; i < TAIL_INPUTS; i++) {
            weight[o * TAIL_INPUTS + i] = net->first[o][i] * scale[i];
            shift -= (double)(net->first[o][i] * scale[i]) * (double)mean[i];
        }
        bias[o] = (float)shift;
    }
    weight += FIRST_SIZE;
    for (size_t l = 0; l < NET_LAYERS - 1; l++, weight += INNER_SIZE) {
        memcpy(weight, net->inner[l], sizeof net->inner[l]);
        memcpy(weight + NET_WIDTH * NET_WIDTH, net->inner_bias[l], sizeof net->inner_bias[l]);
    }
    memcpy(weight, net->last, N_QUANTILES * NET_WIDTH * sizeof(float));
    memcpy(weight + N_QUANTILES * NET_WIDTH, net->last_bias, N_QUANTILES * sizeof(float));
}

/* Fills mean and 1 / deviation of the inputs, from the first lessons. */
static void find_scales(size_t n, const struct lesson *lesson, float *mean, float *scale)
{
    const size_t few = n < 100000 ? n : 100000;
    for (size_t j = 0; j < TAIL_INPUTS; j++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < few; i++) {
            const double x = (double)lesson[i].input[j];
            sum += x / (double)few;
            squares += x * x / (double)few;
        }
        mean[j] = (float)sum;
        scale[j] = (float)(1 / sqrt(squares - sum * sum + 1e-4));
    }
}

/* Adds up the gradients of all chunks, in their order. Returns the mean loss. */
static double sum_gradients(const struct work *work, float sum[N_WEIGHTS])
{
    double loss = 0;
    memset(sum, 0, N_WEIGHTS * sizeof *sum);
    for (size_t c = 0; c < CHUNKS; c++) {
        const float *part = (const float *)&work[c].gradient;
        for (size_t i = 0; i < N_WEIGHTS; i++)
            sum[i] += part[i];
        loss += work[c].loss / BATCH;
    }
    return loss;
}

/* The learning rate rises during the first steps, and then falls along a cosine. */
static float rate_at(size_t step, size_t steps)
{
    const double begun = fmin(1, (double)(step + 1) / 500), done = (double)step / (double)steps;
    return (float)(learning_rate * begun * (0.5 + 0.5 * cos(M_PI * done)));
}

enum { STEPS_PER_REPORT = 500 };

static dedpul_status do_steps(struct context *context, struct trainer *trainer, size_t steps, size_t n,
                              uint32_t *place, struct rng *rng, struct adam *adam, float *gradient)
{
    const size_t steps_per_round = n / BATCH;
    double loss = 0;
    for (size_t step = 0; step < steps; step++) {
        if (step % steps_per_round == 0)
            shuffle(rng, n, place);
        trainer->first = step % steps_per_round * BATCH;
        TRY(parallel_for(context, CHUNKS, do_chunk, trainer));
        loss += sum_gradients(trainer->work, gradient) / STEPS_PER_REPORT;
        adam_step(adam, step + 1, rate_at(step, steps), gradient, (float *)&trainer->net);
        if ((step + 1) % STEPS_PER_REPORT == 0) {
            printf("step %zu of %zu: loss %.5f\n", step + 1, steps, loss);
            (void)fflush(stdout);
            loss = 0;
        }
    }
    return DEDPUL_OK;
}

dedpul_status train(struct context *context, uint64_t seed, size_t steps, size_t n,
                    const struct lesson *lesson, float weight[NETS_SIZE])
{
    struct trainer *trainer = context_allocate(context, 1, sizeof *trainer);
    struct adam *adam = context_allocate(context, 1, sizeof *adam);
    float *gradient = context_allocate(context, N_WEIGHTS, sizeof *gradient);
    uint32_t *place = context_allocate(context, n, sizeof *place);
    struct work *work = context_allocate(context, CHUNKS, sizeof *work);
    float mean[TAIL_INPUTS], scale[TAIL_INPUTS];
    struct rng rng;
    if (trainer == NULL || adam == NULL || gradient == NULL || place == NULL || work == NULL)
        return DEDPUL_NO_MEMORY;
    if (n < BATCH)
        return error_set(context->error, DEDPUL_INVALID_ARGUMENT, "there are fewer than %d lessons", BATCH);
    memset(work, 0, CHUNKS * sizeof *work); /* the padding of rows stays 0 */
    find_scales(n, lesson, mean, scale);
    for (size_t net = 0; net < NETS; net++) {
        *trainer =
            (struct trainer){.lesson = lesson, .mean = mean, .scale = scale, .place = place, .work = work};
        memset(adam, 0, sizeof *adam);
        rng_init(&rng, seed, net);
        init_weights(&trainer->net, &rng);
        for (size_t i = 0; i < n; i++)
            place[i] = (uint32_t)i;
        TRY(do_steps(context, trainer, steps, n, place, &rng, adam, gradient));
        export_net(&trainer->net, mean, scale, weight + net * NET_SIZE);
    }
    return DEDPUL_OK;
}

double mean_loss(size_t n, const struct lesson *lesson, const float weight[NETS_SIZE])
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        float quantile[N_QUANTILES];
        quantile_nets_run(weight, lesson[i].input, quantile);
        const float share = float_sigmoid(lesson[i].target);
        for (size_t k = 0; k < N_QUANTILES; k++) {
            const float slope = (lesson[i].target < quantile[k]) - (float)quantile_level[k];
            sum += (double)(slope * (float_sigmoid(quantile[k]) - share));
        }
    }
    return sum / (double)n / N_QUANTILES;
}
