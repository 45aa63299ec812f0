/* Principal components and eigenvectors, against their definitions. */
#include "eigen.h"
#include "pca.h"
#include "support.h"

static void test_eigen(void **state)
{
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, 1);
    for (size_t n = 1; n <= 40; n += 3) {
        double a[40 * 40], copy[40 * 40], vector[40 * 40];
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++)
                a[i * n + j] = a[j * n + i] = i > 0 && i % 5 == 0 ? 0 : random_normal(&rng);
        memcpy(copy, a, sizeof a);
        eigen_symmetric(n, a, vector);
        for (size_t c = 0; c < n; c++)
            for (size_t i = 0; i < n; i++) {
                double product = 0, square = 0;
                for (size_t j = 0; j < n; j++) {
                    product += copy[i * n + j] * vector[j * n + c];
                    square += vector[j * n + c] * vector[j * n + i];
                }
                assert_near(product, a[c * n + c] * vector[i * n + c], 1e-12 * (double)n);
                assert_near(square, i == c, 1e-12);
            }
    }
}

struct cloud {
    size_t n, width;
    float *x;
};

/* Column j is `offset` + a sum of `rank` factors with deviations 4, 2, 1, ..., plus noise. */
static struct cloud cloud_make(size_t n, size_t width, size_t rank, double noise, double offset,
                               uint64_t seed)
{
    struct cloud cloud = {n, width, malloc(n * width * sizeof(float))};
    double *loading = malloc(rank * width * sizeof *loading), *factor = malloc(rank * sizeof *factor);
    struct rng rng;
    rng_init(&rng, seed, 1);
    for (size_t c = 0; c < rank * width; c++)
        loading[c] = random_normal(&rng);
    for (size_t i = 0; i < n; i++) {
        for (size_t r = 0; r < rank; r++)
            factor[r] = random_normal(&rng) * pow(0.5, (double)r) * 4;
        for (size_t j = 0; j < width; j++) {
            double value = offset * (double)(j + 1) + noise * random_normal(&rng);
            for (size_t r = 0; r < rank; r++)
                value += factor[r] * loading[r * width + j];
            cloud.x[i * width + j] = (float)value;
        }
    }
    free(loading);
    free(factor);
    return cloud;
}

static float *components(const struct cloud *cloud, const double *weight, size_t wanted, unsigned threads)
{
    struct context context;
    float *projected = malloc(cloud->n * wanted * sizeof *projected);
    test_context_init(&context);
    context.threads = threads;
    assert_ok(principal_components(&context, cloud->n, cloud->width, cloud->x, weight, wanted, projected),
              &test_error);
    assert_null(context_mark(&context));
    test_context_close(&context);
    return projected;
}

/* (columns, columns) of float columns, in double */
static double *covariance(size_t n, size_t columns, const float *x)
{
    double *mean = calloc(columns, sizeof *mean), *result = calloc(columns * columns, sizeof *result);
    for (size_t i = 0; i < n * columns; i++)
        mean[i % columns] += (double)x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < columns; a++)
            for (size_t b = 0; b < columns; b++)
                result[a * columns + b] += ((double)x[i * columns + a] - mean[a]) *
                                           ((double)x[i * columns + b] - mean[b]) / (double)n;
    free(mean);
    return result;
}

static int falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Uncorrelated, with the largest eigenvalues of the covariance as variances, in falling order, mean 0. */
static void check_variances(const struct cloud *cloud, size_t wanted, double tolerance)
{
    const size_t width = cloud->width;
    float *projected = components(cloud, NULL, wanted, 1);
    double *all = covariance(cloud->n, width, cloud->x), *own = covariance(cloud->n, wanted, projected);
    double *vector = malloc(width * width * sizeof *vector), *value = malloc(width * sizeof *value);
    eigen_symmetric(width, all, vector);
    for (size_t j = 0; j < width; j++)
        value[j] = all[j * width + j];
    qsort(value, width, sizeof *value, falling);
    for (size_t a = 0; a < wanted; a++) {
        double mean = 0;
        for (size_t i = 0; i < cloud->n; i++)
            mean += (double)projected[i * wanted + a] / (double)cloud->n;
        assert_near(mean, 0, 1e-5 * sqrt(value[0]));
        assert_near(own[a * wanted + a], value[a], tolerance * value[0]);
        for (size_t b = 0; b < a; b++)
            assert_near(own[a * wanted + b], 0, tolerance * value[0]);
    }
    free(value);
    free(vector);
    free(own);
    free(all);
    free(projected);
}

static void test_variances(void **state)
{
    static const struct {
        size_t n, width, rank, wanted;
        double noise;
    } cases[] = {
        {2000, 5, 5, 5, 0.1}, {2000, 5, 5, 2, 0.1}, {700, 60, 6, 6, 0.05}, {700, 60, 6, 3, 0.5},
        {30, 60, 6, 6, 0.1},  {3, 2, 2, 1, 0.1},    {5, 40, 2, 5, 0.1},
    };
    (void)state;
    for (size_t c = 0; c < LENGTH(cases); c++) {
        struct cloud cloud = cloud_make(cases[c].n, cases[c].width, cases[c].rank, cases[c].noise, 3, 10 + c);
        check_variances(&cloud, cases[c].wanted, 1e-5);
        free(cloud.x);
    }
}

/* Data of rank r: distances between rows are those of their r components, and further ones are 0. */
static void test_low_rank(void **state)
{
    enum { N = 600, WIDTH = 50, RANK = 4, WANTED = 7 };
    (void)state;
    struct cloud cloud = cloud_make(N, WIDTH, RANK, 0, 0, 2);
    float *projected = components(&cloud, NULL, WANTED, 1);
    for (size_t i = 1; i < N; i++) {
        double full = 0, reduced = 0;
        for (size_t j = 0; j < WIDTH; j++)
            full += pow((double)cloud.x[i * WIDTH + j] - (double)cloud.x[j], 2);
        for (size_t c = 0; c < RANK; c++)
            reduced += pow((double)projected[i * WANTED + c] - (double)projected[c], 2);
        assert_near(reduced, full, 1e-4 * full);
        for (size_t c = RANK; c < WANTED; c++)
            assert_near((double)projected[i * WANTED + c], 0, 1e-3);
    }
    free(projected);
    free(cloud.x);
}

/* Rows that vary along one column only: the component is that column, with its own sign. */
static void test_sign(void **state)
{
    enum { N = 100 };
    struct cloud cloud = {N, 3, calloc(N, 3 * sizeof(float))};
    (void)state;
    for (size_t i = 0; i < N; i++) {
        cloud.x[3 * i] = 7;
        cloud.x[3 * i + 1] = (float)i;
    }
    float *projected = components(&cloud, NULL, 1, 1);
    for (size_t i = 0; i < N; i++)
        assert_near((double)projected[i], (double)i - 49.5, 1e-4);
    free(projected);
    free(cloud.x);
}

static void test_threads_and_weights(void **state)
{
    enum { N = 3000, WIDTH = 30, WANTED = 4 };
    static double weight[N];
    (void)state;
    struct cloud cloud = cloud_make(N, WIDTH, 6, 0.1, 1, 4);
    float *one = components(&cloud, NULL, WANTED, 1), *four = components(&cloud, NULL, WANTED, 4);
    assert_memory_equal(one, four, sizeof *one * N * WANTED);
    free(one);
    free(four);
    /* The rows repeated, and those of weight 0 left out. */
    struct cloud repeated = {0, WIDTH, malloc(sizeof(float) * 3 * N * WIDTH)};
    for (size_t i = 0; i < N; i++) {
        weight[i] = (double)(i % 4);
        for (size_t copy = 0; copy < i % 4; copy++)
            memcpy(repeated.x + WIDTH * repeated.n++, cloud.x + WIDTH * i, WIDTH * sizeof(float));
    }
    one = components(&cloud, weight, WANTED, 1);
    four = components(&repeated, NULL, WANTED, 1);
    for (size_t i = 0, k = 0; i < N; i++)
        for (size_t copy = 0; copy < i % 4; copy++, k++)
            for (size_t c = 0; c < WANTED; c++)
                assert_near((double)one[i * WANTED + c], (double)four[k * WANTED + c], 1e-2);
    free(one);
    free(four);
    free(repeated.x);
    free(cloud.x);
}

static void test_too_large(void **state)
{
    float x[6] = {1e30F, -1e30F, 2e30F, 1, 2, 3}, projected[3];
    struct context context;
    (void)state;
    test_context_init(&context);
    assert_int_equal(principal_components(&context, 3, 2, x, NULL, 1, projected), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "too large");
    test_context_close(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_eigen),
        cmocka_unit_test(test_variances),
        cmocka_unit_test(test_low_rank),
        cmocka_unit_test(test_sign),
        cmocka_unit_test(test_threads_and_weights),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
