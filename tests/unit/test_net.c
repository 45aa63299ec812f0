/* Networks against a reference of doubles: logits, gradients, running moments, dropout, folding. */
#include "net.h"
#include "support.h"

enum { MOST_BATCH = 600, WIDEST = 90, MOST_PARAMETERS = 600, N_CASES = 32 };

/* ---- the reference ---- */

struct moments {
    double mean[MOST_LAYERS][WIDEST], variance[MOST_LAYERS][WIDEST]; /* of inputs of the norms; biased */
};

/* What is kept of each hidden activation: 0, or what it is multiplied with. */
typedef double keeping[MOST_LAYERS][MOST_BATCH * WIDEST];

static bool normalizes(const struct net_shape *shape, size_t layer)
{
    return layer < shape->n_convolutions || (shape->batch_norm && layer + 1 < shape->n_layers);
}

/* The linear part of any layer: a dense one convolves an image of one place. */
static struct convolution linear_of(const struct net_shape *shape, size_t layer)
{
    return layer < shape->n_convolutions
               ? shape->convolution[layer]
               : (struct convolution){1, 1, shape->width[layer], 1, 1, 0, shape->width[layer + 1]};
}

/* The input that weight k of a kernel meets at a place of the output; 0 in the padding. */
static double input_at(const struct convolution *c, const double *image, size_t place, size_t k)
{
    const size_t columns = convolved(c, c->width);
    const size_t row = place / columns * c->stride + k / c->channels / c->kernel - c->padding;
    const size_t column = place % columns * c->stride + k / c->channels % c->kernel - c->padding;
    const bool inside = row < c->height && column < c->width; /* below 0 is far above */
    return inside ? image[(row * c->width + column) * c->channels + k % c->channels] : 0;
}

static void measure(size_t rows, size_t out, const double *z, double *mean, double *variance)
{
    for (size_t j = 0; j < out; j++) {
        mean[j] = variance[j] = 0;
        for (size_t i = 0; i < rows; i++)
            mean[j] += z[i * out + j] / (double)rows;
        for (size_t i = 0; i < rows; i++)
            variance[j] += (z[i * out + j] - mean[j]) * (z[i * out + j] - mean[j]) / (double)rows;
    }
}

/* In training (kept not NULL) moments are those of the batch, and found; else they are given. */
static void refer(const struct net_shape *shape, size_t rows, const float *x, const double *parameter,
                  keeping *kept, struct moments *moments, double *logit)
{
    static double a[MOST_BATCH * WIDEST], z[MOST_BATCH * WIDEST];
    for (size_t i = 0; i < rows * shape->width[0]; i++)
        a[i] = (double)x[i];
    for (size_t l = 0; l < shape->n_layers; l++) {
        const struct convolution c = linear_of(shape, l);
        const size_t in = convolution_depth(&c), out = c.outputs, places = convolution_places(&c);
        const double *vector = parameter + in * out;
        for (size_t i = 0; i < rows * places; i++)
            for (size_t j = 0; j < out; j++) {
                double sum = normalizes(shape, l) ? 0 : vector[j];
                for (size_t k = 0; k < in; k++)
                    sum +=
                        input_at(&c, a + i / places * shape->width[l], i % places, k) * parameter[j * in + k];
                z[i * out + j] = sum;
            }
        if (normalizes(shape, l) && kept != NULL)
            measure(rows * places, out, z, moments->mean[l], moments->variance[l]);
        for (size_t i = 0, j = 0; i < rows * places * out; i++, j = j + 1 < out ? j + 1 : 0) {
            double y = z[i];
            if (normalizes(shape, l))
                y = (y - moments->mean[l][j]) / sqrt(moments->variance[l][j] + 1e-5) * vector[j] +
                    vector[out + j];
            if (l + 1 < shape->n_layers)
                y = (y > 0 ? y : 0) * (kept != NULL ? (*kept)[l][i] : 1);
            a[i] = y;
        }
        parameter = vector + (normalizes(shape, l) ? 2 : 1) * out;
    }
    memcpy(logit, a, rows * sizeof *logit);
}

/* SplitMix64: one byte for each activation, each layer beginning with a new number. */
static void draw_kept(const struct net_shape *shape, size_t rows, uint64_t noise, keeping *kept)
{
    const long dropped = lrint(256 * shape->dropout);
    for (size_t l = 0; l + 1 < shape->n_layers; l++)
        for (size_t i = 0; i < rows * shape->width[l + 1]; i++) {
            if (i % 8 == 0)
                noise += 0x9e3779b97f4a7c15;
            uint64_t mixed = (noise ^ (noise >> 30)) * 0xbf58476d1ce4e5b9;
            mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
            mixed ^= mixed >> 31;
            (*kept)[l][i] = (long)(mixed >> (i % 8 * 8) & 255) < dropped ? 0 : 256. / (double)(256 - dropped);
        }
}

/* Class 1 comes first. */
static double reference_loss(size_t rows, size_t n_1, const double *logit)
{
    double loss = 0;
    for (size_t i = 0; i < rows; i++)
        loss += i < n_1 ? log1p(exp(-logit[i])) / (double)n_1 / 2
                        : log1p(exp(logit[i])) / (double)(rows - n_1) / 2;
    return loss;
}

/*
 * ---- cases: no, one and more hidden layers, of odd sizes, with and without norm and dropout; convolutions
 * ----
 */

struct net_case {
    struct net_shape shape;
    size_t rows, n_1;
    float x[MOST_BATCH * WIDEST], parameter[MOST_PARAMETERS], running[2 * MOST_LAYERS * WIDEST];
    double precise[MOST_PARAMETERS];
};

static struct net_case *case_make(size_t index)
{
    static const struct net_shape shapes[] = {
        {.n_layers = 1, .width = {5, 1}},
        {.n_layers = 2, .width = {3, 7, 1}},
        {.n_layers = 2, .width = {1, 1, 1}},
        {.n_layers = 3, .width = {5, 9, 3, 1}},
        {.n_layers = 3, .width = {9, 2, 8, 1}},
        {.n_layers = 4, .width = {4, 6, 5, 3, 1}},
        {.n_layers = 3, .width = {60, 90, 5, 1}, .n_convolutions = 1, .convolution = {{6, 5, 2, 3, 1, 1, 3}}},
        {.n_layers = 5,
         .width = {30, 60, 36, 18, 3, 1},
         .n_convolutions = 3,
         .convolution = {{6, 5, 1, 5, 1, 2, 2}, {6, 5, 2, 3, 2, 1, 4}, {3, 3, 4, 1, 1, 0, 2}}},
    };
    struct net_case *net = calloc(1, sizeof *net);
    struct rng rng;
    rng_init(&rng, 3, index);
    net->shape = shapes[index / 4];
    net->shape.batch_norm = index % 2 == 1;
    net->shape.dropout = index % 4 >= 2 ? 0.3 : 0;
    net->rows = 13;
    net->n_1 = 4;
    assert_true(net_parameters(&net->shape) <= MOST_PARAMETERS);
    for (size_t i = 0; i < MOST_BATCH * net->shape.width[0]; i++)
        net->x[i] = (float)(0.5 + random_normal(&rng));
    net_start(&net->shape, &rng, net->parameter, net->running);
    /* Norms that do something, and in places the other way round. */
    for (size_t i = 0; i < net_parameters(&net->shape); i++) {
        net->parameter[i] += (float)(0.5 * random_normal(&rng));
        net->precise[i] = (double)net->parameter[i];
    }
    return net;
}

static void start_step(struct context *context, const struct net_case *net, struct net_step *step)
{
    assert_ok(net_step_init(context, &net->shape, net->rows, step), &test_error);
    memcpy(step->input[0], net->x, net->rows * net->shape.width[0] * sizeof(float));
}

static void check_gradient(const struct net_case *net, struct net_step *step, keeping *kept,
                           const double *logit)
{
    double moved[MOST_PARAMETERS], at[MOST_BATCH];
    float slope[MOST_BATCH], gradient[MOST_PARAMETERS];
    struct moments moments;
    const double h = 1e-6;
    for (size_t i = 0; i < net->rows; i++)
        slope[i] = (float)(i < net->n_1 ? -0.5 / (double)net->n_1 / (1 + exp(logit[i]))
                                        : 0.5 / (double)(net->rows - net->n_1) / (1 + exp(-logit[i])));
    for (size_t p = 0; p < MOST_PARAMETERS; p++)
        gradient[p] = NAN;
    net_backward(step, net->parameter, slope, gradient);
    memcpy(moved, net->precise, sizeof moved);
    for (size_t p = 0; p < net_parameters(&net->shape); p++) {
        double loss[2];
        for (int side = 0; side < 2; side++) {
            moved[p] = net->precise[p] + (side ? h : -h);
            refer(&net->shape, net->rows, net->x, moved, kept, &moments, at);
            loss[side] = reference_loss(net->rows, net->n_1, at);
        }
        moved[p] = net->precise[p];
        assert_near((double)gradient[p], (loss[1] - loss[0]) / (2 * h), 2e-6);
    }
    assert_true(isnan(gradient[net_parameters(&net->shape)]));
}

static void test_gradients(void **state)
{
    static keeping kept;
    (void)state;
    for (size_t index = 0; index < N_CASES; index++) {
        struct net_case *net = case_make(index);
        struct context context;
        struct net_step step;
        struct moments moments;
        double logit[MOST_BATCH];
        test_context_init(&context);
        start_step(&context, net, &step);
        for (uint64_t noise = 1; noise < (IS_SLOW ? 2 : 3); noise++) { /* the step can be used again */
            net_forward(&step, noise * 0x123456789abcdef, net->parameter, net->running);
            draw_kept(&net->shape, net->rows, noise * 0x123456789abcdef, &kept);
            refer(&net->shape, net->rows, net->x, net->precise, &kept, &moments, logit);
            for (size_t i = 0; i < net->rows; i++)
                assert_near((double)step.logit[i], logit[i], 1e-5);
            check_gradient(net, &step, &kept, logit);
        }
        test_context_close(&context);
        free(net);
    }
}

/* Momentum 0.1, the variance with n - 1; and the moments used to score. */
static void test_running(void **state)
{
    static keeping kept;
    (void)state;
    for (size_t index = 0; index < N_CASES; index++) {
        struct net_case *net = case_make(index);
        struct context context;
        struct net_step step;
        struct moments batch, running = {{{0}}, {{0}}};
        double logit[MOST_BATCH], found[MOST_BATCH];
        float folded[MOST_PARAMETERS + WIDEST];
        for (size_t l = 0; l < MOST_LAYERS; l++)
            for (size_t j = 0; j < WIDEST; j++)
                running.variance[l][j] = 1;
        test_context_init(&context);
        start_step(&context, net, &step);
        for (size_t t = 0; t < 5; t++) {
            memcpy(step.input[0], net->x + t * 31, net->rows * net->shape.width[0] * sizeof(float));
            net_forward(&step, t, net->parameter, net->running);
            draw_kept(&net->shape, net->rows, t, &kept);
            refer(&net->shape, net->rows, net->x + t * 31, net->precise, &kept, &batch, logit);
            const float *of_layer = net->running;
            for (size_t l = 0; normalizes(&net->shape, l); l++) {
                const struct convolution c = linear_of(&net->shape, l);
                const size_t out = c.outputs;
                const double places = (double)(net->rows * convolution_places(&c));
                for (size_t j = 0; j < out; j++) {
                    running.mean[l][j] = 0.9 * running.mean[l][j] + 0.1 * batch.mean[l][j];
                    running.variance[l][j] =
                        0.9 * running.variance[l][j] + 0.1 * batch.variance[l][j] * places / (places - 1);
                    assert_near((double)of_layer[j], running.mean[l][j], 1e-5);
                    assert_near((double)of_layer[out + j], running.variance[l][j], 1e-5);
                }
                of_layer += 2 * out;
            }
            assert_int_equal(of_layer - net->running, net_running(&net->shape));
        }
        folded[net_folded(&net->shape)] = 77;
        net_fold(&net->shape, net->parameter, net->running, folded);
        assert_true(folded[net_folded(&net->shape)] == 77);
        refer(&net->shape, MOST_BATCH, net->x, net->precise, NULL, &running, logit);
        for (size_t n = 0; n <= MOST_BATCH; n = n < 2 ? n + 1 : n < 257 ? n + 255 : n + 343) {
            for (size_t i = 0; i < MOST_BATCH; i++)
                found[i] = -99;
            assert_ok(net_score(&context, &net->shape, folded, n, net->x, found), &test_error);
            for (size_t i = 0; i < MOST_BATCH; i++)
                assert_near(found[i], i < n ? logit[i] : -99, 2e-5);
        }
        test_context_close(&context);
        free(net);
    }
}

static void test_counts(void **state)
{
    struct net_shape shape = {.n_layers = 3, .width = {5, 9, 3, 1}};
    (void)state;
    assert_int_equal(net_parameters(&shape), 45 + 9 + 27 + 3 + 3 + 1);
    assert_int_equal(net_running(&shape), 0);
    assert_int_equal(net_folded(&shape), 88);
    shape.batch_norm = true;
    assert_int_equal(net_parameters(&shape), 45 + 18 + 27 + 6 + 3 + 1);
    assert_int_equal(net_running(&shape), 24);
    assert_int_equal(net_folded(&shape), 88);
    assert_int_equal(net_products(&shape), 45 + 27 + 3);
    struct net_shape images = {
        .n_layers = 2, .width = {60, 90, 1}, .n_convolutions = 1, .convolution = {{6, 5, 2, 3, 1, 1, 3}}};
    assert_int_equal(net_parameters(&images), 54 + 6 + 90 + 1);
    assert_int_equal(net_running(&images), 6);
    assert_int_equal(net_folded(&images), 54 + 3 + 90 + 1);
    assert_int_equal(net_products(&images), 54 * 30 + 90);
}

/* ---- dropout ---- */

static bool is_same(size_t n, const float *a, const float *b)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* All activations are 1 before it. */
static void test_dropout(void **state)
{
    static const double shares[] = {0, 0.1, 0.3, 0.5, 0.9, 0.99};
    enum { ROWS = 301, OUT = 173, ALL = ROWS * OUT };
    (void)state;
    for (size_t s = 0; s < LENGTH(shares); s++) {
        const struct net_shape shape = {.n_layers = 3, .width = {2, OUT, OUT, 1}, .dropout = shares[s]};
        const double share = (double)lrint(256 * shares[s]) / 256, n = ALL;
        struct context context;
        struct net_step step;
        test_context_init(&context);
        assert_ok(net_step_init(&context, &shape, ROWS, &step), &test_error);
        float *parameter = context_allocate(&context, net_parameters(&shape), sizeof *parameter);
        float *first = context_allocate(&context, ALL, sizeof *first);
        for (size_t i = 0; i < net_parameters(&shape); i++) /* weights 0, biases 1 */
            parameter[i] = i / OUT == 2 || i / OUT == 3 + OUT ? 1 : 0;
        memset(step.input[0], 0, sizeof(float) * ROWS * 2);
        net_forward(&step, 5, parameter, NULL);
        memcpy(first, step.input[1], sizeof *first * ALL);
        for (size_t l = 1; l < 3; l++) {
            double zeros = 0, sum = 0;
            for (size_t i = 0; i < ALL; i++) {
                zeros += step.input[l][i] == 0;
                sum += (double)step.input[l][i];
                assert_true(step.input[l][i] == 0 || fabs((double)step.input[l][i] * (1 - share) - 1) < 1e-6);
            }
            assert_near(zeros / n, share, 5 * sqrt(share * (1 - share) / n));
            assert_near(sum / n, 1, 5 * sqrt(share / (1 - share) / n));
            assert_near(zeros / n, shares[s], 0.5 / 256 + 5 * sqrt(share * (1 - share) / n));
        }
        /* Other layers and other noise drop others, the same noise the same. */
        assert_int_equal(is_same(ALL, first, step.input[2]), share == 0);
        net_forward(&step, 6, parameter, NULL);
        assert_int_equal(is_same(ALL, first, step.input[1]), share == 0);
        net_forward(&step, 5, parameter, NULL);
        assert_true(is_same(ALL, first, step.input[1]));
        test_context_close(&context);
    }
}

/* ---- the start ---- */

/* Uniform within the bound: mean 0, variance bound^2 / 3, nothing outside, something near both ends. */
static void check_uniform(size_t n, const float *value, double bound)
{
    double sum = 0, squares = 0, lowest = 0, highest = 0;
    for (size_t i = 0; i < n; i++) {
        const double v = (double)value[i] / bound;
        sum += v;
        squares += v * v;
        lowest = fmin(lowest, v);
        highest = fmax(highest, v);
    }
    const double near = 20 / (double)n; /* missed with a probability of exp(-10) */
    assert_true(lowest >= -1 - 1e-6 && lowest < -1 + near);
    assert_true(highest <= 1 + 1e-6 && highest > 1 - near);
    assert_near(sum / (double)n, 0, 5 * sqrt(1. / 3 / (double)n));
    assert_near(squares / (double)n, 1. / 3, 5 * sqrt(4. / 45 / (double)n));
}

static void test_start(void **state)
{
    static float parameter[20000], running[1000];
    struct net_shape shape = {.n_layers = 3, .width = {9, 400, 25, 1}};
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, 2);
    net_start(&shape, &rng, parameter, running);
    check_uniform(3600, parameter, 1. / 3);
    check_uniform(400, parameter + 3600, 1. / 3); /* biases too */
    check_uniform(10000, parameter + 4000, 1. / 20);
    check_uniform(25, parameter + 14000, 1. / 20);
    check_uniform(26, parameter + 14025, 1. / 5);
    shape.batch_norm = true;
    net_start(&shape, &rng, parameter, running);
    check_uniform(3600, parameter, 1. / 3);
    check_uniform(10000, parameter + 3600 + 800, 1. / 20);
    check_uniform(26, parameter + 3600 + 800 + 10000 + 50, 1. / 5);
    for (size_t i = 0; i < 800; i++)
        assert_true(parameter[3600 + i] == (i < 400 ? 1 : 0));
    for (size_t i = 0; i < 50; i++)
        assert_true(parameter[14400 + i] == (i < 25 ? 1 : 0));
    for (size_t i = 0; i < 850; i++)
        assert_true(running[i] == ((i >= 400 && i < 800) || i >= 825 ? 1 : 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients), cmocka_unit_test(test_running), cmocka_unit_test(test_counts),
        cmocka_unit_test(test_dropout),   cmocka_unit_test(test_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
