/* Smoothing against the definitions, written out without any cleverness. */
#include "ratio.h"
#include "support.h"

enum { MOST = 700 };

/* A ratio whose rows have these weights, without being cut into pieces. */
static void make_weighted(struct context *context, size_t n, const double *value, double *weight,
                          struct ratio *ratio)
{
    double total = weight != NULL ? 0 : (double)n;
    for (size_t i = 0; weight != NULL && i < n; i++)
        total += weight[i];
    assert_ok(ratio_allocate(context, n, NULL, total, ratio), &test_error);
    memcpy(ratio->value, value, n * sizeof *value);
    assert_ok(ratio_rank(context, ratio), &test_error);
    ratio->weight = weight;
}

static void make_ratio(struct context *context, size_t n, const double *value, struct ratio *ratio)
{
    make_weighted(context, n, value, NULL, ratio);
}

/* Noisy, rising, with plateaus and ties: what density ratios look like, and worse. */
static void random_values(struct rng *rng, size_t n, double *value)
{
    const unsigned kind = rng_below(rng, 4);
    for (size_t i = 0; i < n; i++) {
        const double u = rng_uniform(rng);
        value[i] = kind == 0   ? u
                   : kind == 1 ? floor(8 * u)
                   : kind == 2 ? (double)i / (double)n + 0.3 * u
                               : 1 + sin((double)i / 20) + 0.05 * u;
    }
}

static void test_rank(void **state)
{
    static const double value[] = {3, 1, 2, 1, 0, 3};
    static const double f_u[] = {1, 1, 2, 1, 0, 1e-320};
    struct context context;
    struct ratio ratio;
    (void)state;
    test_context_init(&context);
    make_ratio(&context, 6, value, &ratio);
    assert_int_equal(ratio.m, 4);
    for (size_t i = 0; i < 6; i++)
        assert_near(ratio_at(&ratio, i), value[i], 0);
    for (size_t k = 1; k < ratio.m; k++)
        assert_true(ratio.value[k - 1] < ratio.value[k]);
    assert_ok(ratio_allocate(&context, 6, NULL, 6, &ratio), &test_error);
    memcpy(ratio.value, value, sizeof value);
    ratio_divide(6, f_u, &ratio);
    assert_near(ratio.value[2], 1, 0);
    assert_near(ratio.value[4], 0, 0); /* 0 / 0 */
    assert_true(isfinite(ratio.value[5]));
    test_context_close(&context);
}

/* Whole weights become as many pieces; heavy rows become equal ones of a bounded number. */
static void test_pieces(void **state)
{
    static const double value[] = {5, 1, 2}, whole[] = {1, 3, 2}, heavy[] = {1e9, 0.5, 3e9};
    static const double expected[] = {5, 1, 1, 1, 2, 2};
    struct context context;
    struct ratio ratio;
    double total = 0;
    (void)state;
    test_context_init(&context);
    assert_ok(ratio_allocate(&context, 3, whole, 6, &ratio), &test_error);
    assert_int_equal(ratio.n, 6);
    memcpy(ratio.value, value, sizeof value);
    assert_ok(ratio_rank(&context, &ratio), &test_error);
    for (size_t i = 0; i < 6; i++) {
        assert_near(ratio_at(&ratio, i), expected[i], 0);
        assert_near(ratio.weight[i], 1, 0);
    }
    assert_int_equal(ratio_sample_row(&ratio, 3), 1);
    assert_ok(ratio_allocate(&context, 3, heavy, 4e9 + 0.5, &ratio), &test_error);
    assert_true(ratio.n > 60000 && ratio.n < 70000);
    for (size_t i = 0; i < ratio.n; i++)
        total += ratio.weight[i];
    assert_near(total, 4e9 + 0.5, 1);
    test_context_close(&context);
}

static void test_monotonize(void **state)
{
    static const double value[] = {5, 1, 2, 1, 4, 3};
    static const double expected[] = {5, 1, 2, 2, 4, 4};
    struct context context;
    struct ratio ratio;
    (void)state;
    test_context_init(&context);
    make_ratio(&context, 6, value, &ratio);
    monotonize(&ratio, 2);
    for (size_t i = 0; i < 6; i++)
        assert_near(ratio_at(&ratio, i), expected[i], 0);
    test_context_close(&context);
}

static void plain_median(size_t n, const double *in, double *out)
{
    const size_t k = n / 20;
    double window[MOST];
    for (size_t i = 0; i < n; i++) {
        size_t c = k < i ? k : i;
        c = c < n - 1 - i ? c : n - 1 - i;
        memcpy(window, in + i - c, (2 * c + 1) * sizeof *window);
        sort_doubles(2 * c + 1, window);
        out[i] = window[c];
    }
}

static void test_rolling_median(void **state)
{
    double value[MOST], expected[MOST];
    struct rng rng;
    (void)state;
    rng_init(&rng, 4, 1);
    for (int round = 0; round < 200; round++) {
        const size_t n = 2 + rng_below(&rng, MOST - 2);
        struct context context;
        struct ratio ratio;
        test_context_init(&context);
        random_values(&rng, n, value);
        plain_median(n, value, expected);
        make_ratio(&context, n, value, &ratio);
        assert_ok(rolling_median(&context, &ratio), &test_error);
        for (size_t i = 0; i < n; i++)
            assert_near(ratio_at(&ratio, i), expected[i], 0);
        test_context_close(&context);
    }
}

/* With weights: the middle one of the copies that a row of odd weight stands for. */
static void test_rolling_median_weights(void **state)
{
    double value[MOST], weight[MOST], repeated[MOST], expected[MOST];
    size_t middle[MOST];
    struct rng rng;
    (void)state;
    rng_init(&rng, 5, 1);
    for (int round = 0; round < 200; round++) {
        struct context context;
        struct ratio ratio;
        size_t n = 0, total = 0;
        test_context_init(&context);
        random_values(&rng, MOST, value);
        while (total + 9 < MOST) {
            const size_t copies = 1 + 2 * rng_below(&rng, 4);
            weight[n] = (double)copies;
            middle[n] = total + copies / 2;
            for (size_t k = 0; k < copies; k++)
                repeated[total++] = value[n];
            n++;
        }
        plain_median(total, repeated, expected);
        make_weighted(&context, n, value, weight, &ratio);
        assert_ok(rolling_median(&context, &ratio), &test_error);
        for (size_t i = 0; i < n; i++)
            assert_near(ratio_at(&ratio, i), expected[middle[i]], 0);
        test_context_close(&context);
    }
}

/* Fractional and very unequal weights: by the definition on the axis of cumulative weight. */
static void test_rolling_median_fractions(void **state)
{
    enum { N = 300 };
    double value[N], weight[N];
    struct rng rng;
    (void)state;
    rng_init(&rng, 6, 1);
    for (int round = 0; round < 50; round++) {
        struct context context;
        struct ratio ratio;
        double total = 0, edge = 0;
        test_context_init(&context);
        random_values(&rng, N, value);
        for (size_t i = 0; i < N; i++)
            total += weight[i] = exp(6 * rng_uniform(&rng) - 3);
        make_weighted(&context, N, value, weight, &ratio);
        assert_ok(rolling_median(&context, &ratio), &test_error);
        for (size_t i = 0; i < N; i++) {
            const double centre = edge + weight[i] / 2;
            const double reach = fmin(floor(total / 20) + 0.5, fmin(centre, total - centre));
            double below = 0, up_to = 0, begin = 0;
            for (size_t j = 0; j < N; j++) {
                const double inside = fmin(begin + weight[j], centre + reach) - fmax(begin, centre - reach);
                if (inside > 0 && value[j] < ratio_at(&ratio, i))
                    below += inside;
                if (inside > 0 && value[j] <= ratio_at(&ratio, i))
                    up_to += inside;
                begin += weight[j];
            }
            assert_true(below < reach + 1e-9 && up_to > reach - 1e-9);
            edge += weight[i];
        }
        test_context_close(&context);
    }
}

/* METHOD as written: a list of kept values with their supports. */
static void plain_trend(size_t n, const double *in, const double *weight, double *out)
{
    double kept[MOST], support[MOST];
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_there = false;
        size_t left = 0;
        const double w = weight != NULL ? weight[i] : 1;
        out[i] = in[i];
        for (size_t k = 0; k < count; k++)
            out[i] = fmax(out[i], kept[k]);
        for (size_t k = 0; k < count; k++) {
            support[k] += kept[k] <= in[i] ? w : -0.25 * w;
            if (support[k] <= 0)
                continue;
            is_there = is_there || kept[k] == in[i];
            kept[left] = kept[k];
            support[left++] = support[k];
        }
        count = left;
        if (!is_there) {
            kept[count] = in[i];
            support[count++] = w;
        }
    }
}

static void test_trend(void **state)
{
    double value[MOST], weight[MOST], expected[MOST];
    struct rng rng;
    (void)state;
    rng_init(&rng, 7, 1);
    for (int round = 0; round < 300; round++) {
        const size_t n = 1 + rng_below(&rng, MOST - 1);
        const bool weighted = round % 2 == 1;
        struct context context;
        struct ratio ratio;
        test_context_init(&context);
        random_values(&rng, n, value);
        const double part = round % 4 == 1 ? 1 : 1.0 / 1024; /* dyadic, so that the plain one is exact too */
        for (size_t i = 0; i < n; i++)
            weight[i] = (1 + rng_below(&rng, 5)) * part;
        plain_trend(n, value, weighted ? weight : NULL, expected);
        make_weighted(&context, n, value, weighted ? weight : NULL, &ratio);
        assert_ok(trend(&context, &ratio), &test_error);
        for (size_t i = 0; i < n; i++)
            assert_near(ratio_at(&ratio, i), expected[i], 0);
        test_context_close(&context);
    }
}

/* Tenths, which no double is: the supports add up as whole numbers of tenths do. */
static void test_trend_tenths(void **state)
{
    enum { N = 400 };
    double value[N], ones[N], tenths[N];
    struct rng rng;
    (void)state;
    rng_init(&rng, 8, 1);
    for (int round = 0; round < 100; round++) {
        struct context context;
        struct ratio a, b;
        test_context_init(&context);
        random_values(&rng, N, value);
        for (size_t i = 0; i < N; i++) {
            ones[i] = 1;
            tenths[i] = 0.1;
        }
        make_weighted(&context, N, value, ones, &a);
        make_weighted(&context, N, value, tenths, &b);
        assert_ok(trend(&context, &a), &test_error);
        assert_ok(trend(&context, &b), &test_error);
        assert_memory_equal(a.rank, b.rank, N * sizeof *a.rank);
        test_context_close(&context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rank),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_monotonize),
        cmocka_unit_test(test_rolling_median),
        cmocka_unit_test(test_rolling_median_weights),
        cmocka_unit_test(test_rolling_median_fractions),
        cmocka_unit_test(test_trend),
        cmocka_unit_test(test_trend_tenths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
