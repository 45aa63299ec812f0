#include "sort.h"
#include "sum.h"
#include "support.h"
#include "weighted.h"

/* Against the definition: ascending, stable, the same items. */
static void check_sort(size_t n, const double *input)
{
    struct context context;
    double *key = malloc((n + 1) * sizeof *key);
    uint32_t *row = malloc((n + 1) * sizeof *row);
    test_context_init(&context);
    memcpy(key, input, n * sizeof *key);
    for (size_t i = 0; i < n; i++)
        row[i] = (uint32_t)i;
    assert_ok(sort_with_rows(&context, n, key, row), &test_error);
    for (size_t i = 0; i < n; i++) {
        assert_true(row[i] < n);
        assert_true(key[i] == input[row[i]]);
        assert_true(i == 0 || key[i - 1] < key[i] || (key[i - 1] == key[i] && row[i - 1] < row[i]));
    }
    context_free(&context);
    free(key);
    free(row);
}

static void test_sort(void **state)
{
    static const size_t sizes[] = {0, 1, 2, 3, 63, 64, 65, 1000, 70000};
    double *key = malloc(70000 * sizeof *key);
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, 1);
    for (size_t s = 0; s < LENGTH(sizes); s++)
        for (int kind = 0; kind < 8; kind++) {
            for (size_t i = 0; i < sizes[s]; i++) {
                const double uniform = rng_uniform(&rng);
                key[i] = kind == 0   ? uniform
                         : kind == 1 ? floor(10 * uniform)       /* ties and zeros */
                         : kind == 2 ? exp(1400 * uniform - 700) /* the whole range of exponents */
                         : kind == 3 ? 0
                         : kind == 4 ? (double)i
                         : kind == 5 ? 1 + uniform * 1e-13 /* lowest bits only */
                         : kind == 6 ? (uniform < 0.1   ? INFINITY
                                        : uniform < 0.2 ? 5e-324
                                                        : uniform)
                                     /* a crowd that only the lowest bits tell apart, beside others */
                                     : (i % 100 == 0 ? exp(600 * uniform - 300)
                                        : i % 7 == 0 ? 1.05
                                                     : 1 + uniform * 0x1p-36);
            }
            check_sort(sizes[s], key);
        }
    free(key);
}

static void test_sum_keeps_small_terms(void **state)
{
    struct sum sum = {0, 0};
    (void)state;
    sum_add(&sum, 1e16);
    for (int i = 0; i < 1000; i++)
        sum_add(&sum, 1);
    sum_add(&sum, -1e16);
    assert_near(sum_value(&sum), 1000, 0);
}

/* Weighted statistics are those of the values repeated. */
static void test_weighted_as_repeated(void **state)
{
    enum { N = 50, MOST = 5 };
    double value[N], weight[N], repeated[N * MOST];
    struct rng rng;
    (void)state;
    rng_init(&rng, 9, 1);
    for (int round = 0; round < 20; round++) {
        size_t n = 0;
        for (size_t i = 0; i < N; i++)
            value[i] = floor(20 * rng_uniform(&rng)) / 20;
        sort_doubles(N, value);
        for (size_t i = 0; i < N; i++) {
            weight[i] = 1 + rng_below(&rng, MOST);
            for (int k = 0; k < (int)weight[i]; k++)
                repeated[n++] = value[i];
        }
        assert_near(weighted_total(N, weight), (double)n, 0);
        assert_near(weighted_mean(N, value, weight), weighted_mean(n, repeated, NULL), 1e-14);
        assert_near(weighted_deviation(N, value, weight), weighted_deviation(n, repeated, NULL), 1e-14);
        for (double q = 0; q <= 1; q += 0.05)
            assert_near(weighted_quantile(N, value, weight, q), repeated[(size_t)floor(q * (double)(n - 1))],
                        0);
    }
}

static void test_deviation(void **state)
{
    static const double value[] = {1, 2, 3, 4};
    (void)state;
    assert_near(weighted_deviation(4, value, NULL), sqrt(5.0 / 3), 1e-15);
}

static void test_auc(void **state)
{
    enum { N = 40, M = 60 };
    double a[N], b[M], weight_a[N], weight_b[M];
    struct rng rng;
    (void)state;
    rng_init(&rng, 2, 1);
    for (size_t i = 0; i < N; i++) {
        a[i] = floor(10 * rng_uniform(&rng));
        weight_a[i] = rng_uniform(&rng);
    }
    for (size_t j = 0; j < M; j++) {
        b[j] = floor(12 * rng_uniform(&rng));
        weight_b[j] = rng_uniform(&rng);
    }
    sort_doubles(N, a);
    sort_doubles(M, b);
    double wins = 0, pairs = 0, plain = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < M; j++) {
            const double win = a[i] > b[j] ? 1 : a[i] == b[j] ? 0.5 : 0;
            wins += weight_a[i] * weight_b[j] * win;
            pairs += weight_a[i] * weight_b[j];
            plain += win;
        }
    assert_near(weighted_auc(N, a, weight_a, M, b, weight_b), wins / pairs, 1e-14);
    assert_near(weighted_auc(N, a, NULL, M, b, NULL), plain / (N * M), 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_sum_keeps_small_terms),
        cmocka_unit_test(test_weighted_as_repeated),
        cmocka_unit_test(test_deviation),
        cmocka_unit_test(test_auc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
