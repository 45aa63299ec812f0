/* k-means: its conditions recomputed from the numbers. */
#include "kmeans.h"
#include "support.h"

enum { N = 300, WIDTH = 11, K = 4 };

/* Rows around K points, which are far apart in the first features. */
static void fill_rows(float *x, uint64_t seed)
{
    struct rng rng;
    rng_init(&rng, seed, 1);
    for (size_t i = 0; i < N; i++)
        for (size_t c = 0; c < WIDTH; c++)
            x[i * WIDTH + c] = (float)((i % K == c ? 9 : 0) + random_normal(&rng));
}

static double square_of(const double *center, const float *x)
{
    double sum = 0;
    for (size_t c = 0; c < WIDTH; c++)
        sum += (center[c] - (double)x[c]) * (center[c] - (double)x[c]);
    return sum;
}

static void find(const struct kmeans_rows *rows, unsigned threads, uint64_t seed, size_t *k, double *center)
{
    struct context context;
    test_context_init(&context);
    context.threads = threads;
    context.seed = seed;
    assert_ok(kmeans(&context, rows, k, center), &test_error);
    test_context_close(&context);
}

static void test_conditions(void **state)
{
    (void)state;
    static float x[N * WIDTH];
    for (uint64_t seed = 0; seed < 5; seed++) {
        double center[7 * WIDTH], mean[7 * WIDTH] = {0}, n[7] = {0};
        size_t k = 7; /* more than there are points, so that there is something to choose */
        const struct kmeans_rows rows = {N, WIDTH, x, NULL};
        fill_rows(x, seed);
        find(&rows, 1, seed, &k, center);
        assert_int_equal(k, 7);
        for (size_t i = 0; i < N; i++) {
            double square;
            const size_t own = kmeans_nearest(k, WIDTH, center, x + i * WIDTH, &square);
            assert_near(square, square_of(center + own * WIDTH, x + i * WIDTH), 1e-9);
            for (size_t j = 0; j < k; j++)
                assert_true(square_of(center + j * WIDTH, x + i * WIDTH) >= square - 1e-9);
            n[own]++;
            for (size_t c = 0; c < WIDTH; c++)
                mean[own * WIDTH + c] += (double)x[i * WIDTH + c];
        }
        for (size_t j = 0; j < k; j++)
            for (size_t c = 0; c < WIDTH; c++)
                assert_near(center[j * WIDTH + c], mean[j * WIDTH + c] / n[j], 1e-9);
    }
}

static void test_finds_the_points(void **state)
{
    (void)state;
    static float x[N * WIDTH];
    double center[K * WIDTH];
    size_t k = K;
    uint32_t first[K];
    const struct kmeans_rows rows = {N, WIDTH, x, NULL};
    fill_rows(x, 9);
    find(&rows, 1, 0, &k, center);
    for (size_t i = 0; i < N; i++) {
        const uint32_t own = kmeans_nearest(k, WIDTH, center, x + i * WIDTH, NULL);
        if (i < K)
            first[i] = own;
        assert_int_equal(own, first[i % K]);
        for (size_t j = 0; i < K && j < i; j++)
            assert_int_not_equal(first[j], own);
    }
}

static void test_threads_and_seed(void **state)
{
    (void)state;
    static float x[N * WIDTH];
    double center[2][7 * WIDTH];
    size_t k[2] = {7, 7};
    const struct kmeans_rows rows = {N, WIDTH, x, NULL};
    fill_rows(x, 3);
    find(&rows, 1, 5, &k[0], center[0]);
    find(&rows, 4, 5, &k[1], center[1]);
    assert_memory_equal(center[0], center[1], sizeof center[0]);
    find(&rows, 4, 6, &k[1], center[1]);
    assert_memory_not_equal(center[0], center[1], sizeof center[0]);
}

/* A row of weight 2 is two rows, and one of weight 0 is none. */
static void test_weights_are_copies(void **state)
{
    (void)state;
    static float x[N * WIDTH], copied[2 * N * WIDTH];
    double weight[N], center[2][7 * WIDTH];
    size_t k[2] = {7, 7}, n = 0;
    fill_rows(x, 4);
    for (size_t i = 0; i < N; i++) {
        weight[i] = (double)(i % 3);
        for (size_t copy = 0; copy < i % 3; copy++)
            memcpy(copied + WIDTH * n++, x + i * WIDTH, WIDTH * sizeof *x);
    }
    find(&(struct kmeans_rows){N, WIDTH, x, weight}, 1, 0, &k[0], center[0]);
    find(&(struct kmeans_rows){n, WIDTH, copied, NULL}, 1, 0, &k[1], center[1]);
    for (size_t c = 0; c < k[0] * WIDTH; c++)
        assert_near(center[0][c], center[1][c], 1e-9);
}

static void test_fewer_rows_than_centers(void **state)
{
    (void)state;
    static float x[N * WIDTH];
    double center[7 * WIDTH];
    size_t k = 7;
    for (size_t i = 0; i < N; i++)
        x[i * WIDTH] = (float)(i % 3);
    find(&(struct kmeans_rows){N, WIDTH, x, NULL}, 1, 0, &k, center);
    assert_int_equal(k, 3);
    for (size_t j = 0; j < 3; j++)
        assert_true(center[j * WIDTH] == 0 || center[j * WIDTH] == 1 || center[j * WIDTH] == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_finds_the_points),
        cmocka_unit_test(test_threads_and_seed),
        cmocka_unit_test(test_weights_are_copies),
        cmocka_unit_test(test_fewer_rows_than_centers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
