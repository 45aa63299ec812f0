/* The estimators km1 and km2. */
#include "kernel_mean.h"

#include "distances.h"
#include "fitting.h"
#include "reading.h"

static struct kernel_mean estimate(const struct feature_rows *rows, enum kernel_mean_threshold kind,
                                   unsigned threads)
{
    struct context context;
    struct kernel_mean found;
    test_context_init(&context);
    context.threads = threads;
    assert_ok(kernel_mean(&context, rows, kind, &found), &test_error);
    assert_null(context_mark(&context));
    test_context_close(&context);
    assert_true(found.gap <= 1e-9);
    assert_true(found.alpha >= 0 && found.alpha <= 1);
    return found;
}

static struct feature_rows rows_of(const struct crowd *crowd)
{
    return (struct feature_rows){crowd->n, crowd->width, crowd->x32, crowd->label, NULL};
}

static void test_blobs(void **state)
{
    static const double alphas[] = {0.2, 0.5};
    (void)state;
    for (size_t a = 0; a < LENGTH(alphas); a++) {
        struct crowd crowd = crowd_make(250, 500, 10, alphas[a], 4, 5 + a);
        const struct feature_rows rows = rows_of(&crowd);
        assert_near(estimate(&rows, KERNEL_MEAN_1, 2).alpha, alphas[a], 0.1);
        assert_near(estimate(&rows, KERNEL_MEAN_2, 2).alpha, alphas[a], 0.1);
        crowd_free(&crowd);
    }
}

static double laplace(struct rng *rng, double location)
{
    const double u = rng_uniform(rng) - 0.5;
    return location - copysign(log(1 - 2 * fabs(u)), u);
}

/*
 * Positives L(0, 1), negatives L(2, 1): what can be told from U is alpha + (1 - alpha) exp(-2). Of many
 * rows, 4000 are chosen.
 */
static void test_laplace(void **state)
{
    enum { N = 4800, FEW = 1600 };
    static float x[N];
    static unsigned char label[N];
    const struct feature_rows rows = {N, 1, x, label, NULL}, few = {FEW, 1, x, label, NULL};
    const double target = 0.5 + 0.5 * exp(-2);
    struct rng rng;
    (void)state;
    rng_init(&rng, 3, 1);
    for (size_t i = 0; i < N; i++) {
        label[i] = i % 3 == 0;
        x[i] = (float)laplace(&rng, label[i] || i % 2 == 0 ? 0 : 2);
    }
    if (IS_SLOW)
        skip();
    assert_near(estimate(&few, KERNEL_MEAN_1, 2).alpha, target, 0.08);
    assert_near(estimate(&rows, KERNEL_MEAN_2, 2).alpha, target, 0.06);
}

/* A row of weight w is w rows; one of weight 0 takes no part. */
static void test_weights(void **state)
{
    enum { MOST = 600 };
    struct crowd crowd = crowd_make(60, 140, 3, 0.4, 3, 9);
    double weight[200];
    float x[MOST * 3];
    unsigned char label[MOST];
    struct feature_rows repeated = {0, 3, x, label, NULL}, weighted = rows_of(&crowd);
    (void)state;
    for (size_t i = 0; i < crowd.n; i++) {
        weight[i] = (double)(i % 4);
        for (size_t copy = 0; copy < i % 4; copy++) {
            memcpy(x + 3 * repeated.n, crowd.x32 + 3 * i, 3 * sizeof *x);
            label[repeated.n++] = crowd.label[i];
        }
    }
    weighted.weight = weight;
    for (int kind = KERNEL_MEAN_1; kind <= KERNEL_MEAN_2; kind++) {
        const struct kernel_mean a = estimate(&weighted, kind, 1), b = estimate(&repeated, kind, 1);
        assert_near(a.alpha, b.alpha, 1e-12);
        assert_near(a.width, b.width, 1e-12);
    }
    crowd_free(&crowd);
}

static void test_threads(void **state)
{
    struct crowd crowd = crowd_make(200, 500, 4, 0.3, 4, 2);
    const struct feature_rows rows = rows_of(&crowd);
    (void)state;
    const struct kernel_mean one = estimate(&rows, KERNEL_MEAN_2, 1);
    for (unsigned threads = 2; threads <= 4; threads += 2) {
        const struct kernel_mean many = estimate(&rows, KERNEL_MEAN_2, threads);
        assert_memory_equal(&one, &many, sizeof one);
    }
    crowd_free(&crowd);
}

/* Equal rows are refused; where only most of them are, so that the median distance is 0, the mean counts. */
static void test_equal_rows(void **state)
{
    enum { N = 40 };
    float x[N] = {0};
    unsigned char label[N];
    const struct feature_rows rows = {N, 1, x, label, NULL};
    struct context context;
    struct kernel_mean found;
    (void)state;
    for (size_t i = 0; i < N; i++)
        label[i] = i < 10;
    test_context_init(&context);
    for (int kind = KERNEL_MEAN_1; kind <= KERNEL_MEAN_2; kind++) {
        assert_int_equal(kernel_mean(&context, &rows, kind, &found), DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, "are equal");
    }
    test_context_close(&context);
    x[N - 1] = 1;
    assert_true(estimate(&rows, KERNEL_MEAN_1, 1).width > 0);
    assert_true(estimate(&rows, KERNEL_MEAN_2, 1).width > 0);
    /* The same rows in both: all of U may be positive, up to the largest share looked for. */
    for (size_t i = 0; i < N; i++) {
        x[i] = (float)(i & ~(size_t)1);
        label[i] = i % 2 == 0;
    }
    assert_near(estimate(&rows, KERNEL_MEAN_1, 1).alpha, 0.9, 1e-3);
    assert_near(estimate(&rows, KERNEL_MEAN_2, 1).alpha, 0.9, 1e-3);
}

static void test_distances(void **state)
{
    enum { N = 50, WIDTH = 11 };
    float x[N * WIDTH];
    double square[N * N], weight[N], pair[N * N], median;
    struct context context;
    struct rng rng;
    size_t n = 0;
    (void)state;
    rng_init(&rng, 4, 1);
    test_context_init(&context);
    for (size_t i = 0; i < LENGTH(x); i++)
        x[i] = (float)random_normal(&rng);
    assert_ok(squared_distances(&context, N, WIDTH, x, square), &test_error);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double sum = 0;
            for (size_t c = 0; c < WIDTH; c++)
                sum += pow((double)x[i * WIDTH + c] - (double)x[j * WIDTH + c], 2);
            assert_near(square[i * N + j], sum, 1e-12);
            if (j < i)
                pair[n++] = sqrt(sum);
        }
    for (size_t i = 0; i < N; i++)
        weight[i] = 1;
    sort_doubles(n, pair);
    assert_ok(median_distance(&context, N, square, weight, &median), &test_error);
    assert_near(median, pair[(n - 1) / 2], 1e-12);
    weight[0] = 1000; /* most pairs are of equal rows: the mean */
    assert_ok(median_distance(&context, N, square, weight, &median), &test_error);
    double sum = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++)
            sum += weight[j] * sqrt(square[i * N + j]);
    assert_near(median, sum / (1049 * 1048 / 2.0), 1e-12);
    test_context_close(&context);
}

static void test_allocation(void **state)
{
    struct crowd crowd = crowd_make(20, 40, 3, 0.4, 3, 9);
    const struct feature_rows rows = rows_of(&crowd);
    dedpul_status status = DEDPUL_NO_MEMORY;
    (void)state;
    for (size_t n = 0; status != DEDPUL_OK; n++) {
        struct failing failing = {0, n, 0};
        const dedpul_allocator allocator = {&failing, failing_resize};
        struct context context;
        struct kernel_mean found;
        test_context_open(&context, &allocator, &test_error);
        status = kernel_mean(&context, &rows, KERNEL_MEAN_1, &found);
        assert_true(status == DEDPUL_OK ? n > 10 : status == DEDPUL_NO_MEMORY);
        test_context_close(&context);
        assert_int_equal(failing.blocks, 0);
    }
    crowd_free(&crowd);
}

/* From a table: posteriors agree with alpha, and principal components keep what tells the classes apart. */
static void test_fit(void **state)
{
    struct crowd crowd = crowd_make(200, 600, 10, 0.4, 5, 7);
    dedpul_options options = cheap_options("logistic");
    (void)state;
    options.method = "km2";
    options.scale = DEDPUL_SCALE_NONE;
    struct fitted all = fit_crowd(&crowd, NULL, &options);
    double mean = 0;
    for (size_t i = 0; i < 600; i++)
        mean += all.result->posterior[i] / 600;
    assert_near(all.result->alpha, 0.4, 0.1);
    assert_near(mean, all.result->alpha, 1e-6);
    assert_int_equal(all.result->rule, DEDPUL_RULE_FORMULA);
    options.pca = 2;
    struct fitted two = fit_crowd(&crowd, NULL, &options);
    assert_near(two.result->alpha, 0.4, 0.1);
    options.pca = 10; /* as many as there are: the features as they are */
    struct fitted ten = fit_crowd(&crowd, NULL, &options);
    assert_same_result(all.result, ten.result);
    fitted_free(&all);
    fitted_free(&two);
    fitted_free(&ten);
    crowd_free(&crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blobs),      cmocka_unit_test(test_laplace),
        cmocka_unit_test(test_weights),    cmocka_unit_test(test_threads),
        cmocka_unit_test(test_equal_rows), cmocka_unit_test(test_distances),
        cmocka_unit_test(test_allocation), cmocka_unit_test(test_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
