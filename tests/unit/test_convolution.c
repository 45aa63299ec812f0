/* Convolutions and their slopes against loops in doubles. */
#include "convolution.h"
#include "parallel.h"
#include "support.h"

/* kernels, strides, channels and sizes that take different ways through the library */
static const struct convolution convolutions[] = {
    {7, 5, 1, 1, 1, 0, 1},    {7, 5, 3, 3, 1, 1, 4},  {6, 9, 2, 3, 2, 1, 5},    {5, 5, 16, 5, 1, 2, 16},
    {9, 7, 16, 3, 2, 1, 32},  {8, 8, 32, 1, 1, 0, 4}, {1, 1, 3, 5, 1, 2, 16},   {2, 3, 16, 3, 2, 1, 16},
    {13, 11, 3, 5, 2, 2, 17}, {4, 6, 2, 3, 1, 0, 3},  {16, 16, 3, 5, 1, 2, 16}, {1, 1, 32, 1, 1, 0, 4},
};
static const size_t numbers[] = {1, 5};

struct arrays {
    size_t n_x, n_weight, n_y;
    float *x, *weight, *y;
};

static float *random_floats(struct rng *rng, size_t n)
{
    float *array = malloc(n * sizeof *array);
    for (size_t i = 0; i < n; i++)
        array[i] = (float)random_normal(rng);
    return array;
}

static struct arrays arrays_make(const struct convolution *c, size_t n, uint64_t seed)
{
    struct arrays arrays = {
        .n_x = n * c->height * c->width * c->channels,
        .n_weight = c->outputs * convolution_depth(c),
        .n_y = n * convolution_places(c) * c->outputs,
    };
    struct rng rng;
    rng_init(&rng, seed, 1);
    arrays.x = random_floats(&rng, arrays.n_x);
    arrays.weight = random_floats(&rng, arrays.n_weight);
    arrays.y = random_floats(&rng, arrays.n_y);
    return arrays;
}

static void arrays_free(struct arrays *arrays)
{
    free(arrays->x);
    free(arrays->weight);
    free(arrays->y);
}

/* Calls `visit` with the places of each product: y += weight * x. */
static void for_each_product(const struct convolution *c, size_t n,
                             void (*visit)(void *, size_t y, size_t weight, size_t x), void *context)
{
    const size_t rows = convolved(c, c->height), columns = convolved(c, c->width);
    for (size_t place = 0; place < n * rows * columns; place++)
        for (size_t o = 0; o < c->outputs; o++)
            for (size_t k = 0; k < convolution_depth(c); k++) {
                const size_t image = place / columns / rows;
                const size_t row = place / columns % rows * c->stride + k / c->channels / c->kernel;
                const size_t column = place % columns * c->stride + k / c->channels % c->kernel;
                if (row < c->padding || row - c->padding >= c->height || column < c->padding ||
                    column - c->padding >= c->width)
                    continue;
                const size_t pixel = (image * c->height + row - c->padding) * c->width + column - c->padding;
                visit(context, place * c->outputs + o, o * convolution_depth(c) + k,
                      pixel * c->channels + k % c->channels);
            }
}

struct sums {
    const struct arrays *arrays;
    double *x, *weight, *y;
};

static void add_product(void *context, size_t y, size_t weight, size_t x)
{
    const struct sums *sums = context;
    const struct arrays *arrays = sums->arrays;
    sums->y[y] += (double)arrays->weight[weight] * (double)arrays->x[x];
    sums->weight[weight] += (double)arrays->y[y] * (double)arrays->x[x];
    sums->x[x] += (double)arrays->y[y] * (double)arrays->weight[weight];
}

static void check(size_t n, const float *found, const double *expected)
{
    for (size_t i = 0; i < n; i++)
        assert_near((double)found[i], expected[i], 1e-4);
}

static void test_convolutions(void **state)
{
    (void)state;
    for (size_t k = 0; k < LENGTH(convolutions) * LENGTH(numbers); k++) {
        const struct convolution *c = &convolutions[k / LENGTH(numbers)];
        const size_t n = numbers[k % LENGTH(numbers)];
        struct arrays arrays = arrays_make(c, n, k), found = arrays_make(c, n, 99);
        struct sums sums = {&arrays, calloc(arrays.n_x, sizeof(double)),
                            calloc(arrays.n_weight, sizeof(double)), calloc(arrays.n_y, sizeof(double))};
        for_each_product(c, n, add_product, &sums);
        convolve(c, n, arrays.x, arrays.weight, found.y);
        convolve_slope(c, n, arrays.y, arrays.weight, found.x);
        convolve_weight_slope(c, n, arrays.x, arrays.y, found.weight);
        check(arrays.n_y, found.y, sums.y);
        check(arrays.n_x, found.x, sums.x);
        check(arrays.n_weight, found.weight, sums.weight);
        free(sums.x);
        free(sums.weight);
        free(sums.y);
        arrays_free(&arrays);
        arrays_free(&found);
    }
}

/* What one thread finds, for others to find at the same time. */
static struct arrays alone[LENGTH(convolutions)];

static dedpul_status convolve_again(struct context *context, void *argument, size_t task)
{
    bool *const same = argument;
    const size_t k = task % LENGTH(convolutions);
    struct arrays arrays = arrays_make(&convolutions[k], 3, k), found = arrays_make(&convolutions[k], 3, 99);
    (void)context;
    convolve(&convolutions[k], 3, arrays.x, arrays.weight, found.y);
    convolve_slope(&convolutions[k], 3, arrays.y, arrays.weight, found.x);
    convolve_weight_slope(&convolutions[k], 3, arrays.x, arrays.y, found.weight);
    if (task < LENGTH(convolutions) && alone[k].x == NULL) {
        alone[k] = found;
        same[task] = true;
    } else {
        same[task] = memcmp(found.y, alone[k].y, found.n_y * sizeof(float)) == 0 &&
                     memcmp(found.x, alone[k].x, found.n_x * sizeof(float)) == 0 &&
                     memcmp(found.weight, alone[k].weight, found.n_weight * sizeof(float)) == 0;
        arrays_free(&found);
    }
    arrays_free(&arrays);
    return DEDPUL_OK;
}

static void test_threads(void **state)
{
    enum { TASKS = 20 * LENGTH(convolutions) };
    bool same[TASKS] = {false};
    struct context context;
    (void)state;
    test_context_init(&context);
    for (unsigned threads = 1; threads <= 8; threads *= 8) {
        context.threads = threads;
        assert_ok(parallel_for(&context, threads == 1 ? LENGTH(convolutions) : TASKS, convolve_again, same),
                  &test_error);
    }
    for (size_t task = 0; task < TASKS; task++)
        assert_true(same[task]);
    for (size_t k = 0; k < LENGTH(convolutions); k++)
        arrays_free(&alone[k]);
    test_context_close(&context);
}

static void test_sizes(void **state)
{
    const struct convolution c = {32, 31, 3, 5, 2, 2, 16};
    (void)state;
    assert_int_equal(convolved(&c, 32), 16);
    assert_int_equal(convolved(&c, 31), 16);
    assert_int_equal(convolved(&c, 1), 1);
    assert_int_equal(convolution_places(&c), 256);
    assert_int_equal(convolution_depth(&c), 75);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convolutions),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
