#include "mixture.h"
#include "support.h"

enum { N = 400 };

struct setup {
    struct context context;
    double value[N], mass[N];
    struct mixture mixture;
};

/* Distinct ratios around `level` with masses. */
static void setup_random(struct setup *setup, struct rng *rng, double level)
{
    test_context_init(&setup->context);
    for (size_t k = 0; k < N; k++) {
        setup->value[k] = level * -log(1 - rng_uniform(rng));
        setup->mass[k] = rng_below(rng, 4) == 0 ? 0 : 3 * rng_uniform(rng);
    }
    if (rng_below(rng, 3) == 0)
        setup->value[0] = 0;
    sort_doubles(N, setup->value);
    assert_ok(mixture_init(&setup->context, N, setup->value, setup->mass, &setup->mixture), &test_error);
}

static double plain_mean_posterior(const struct setup *setup, double scale)
{
    double sum = 0, total = 0;
    for (size_t k = 0; k < N; k++) {
        sum += setup->mass[k] * fmin(scale * setup->value[k], 1);
        total += setup->mass[k];
    }
    return sum / total;
}

static void test_d(void **state)
{
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, 1);
    for (int round = 0; round < 50; round++) {
        struct setup setup;
        double curve[DEDPUL_CURVE_POINTS], sum = 0, total = 0;
        setup_random(&setup, &rng, 0.5 + rng_uniform(&rng));
        mixture_curve(&setup.mixture, curve);
        for (size_t j = 0; j < DEDPUL_CURVE_POINTS; j++) {
            assert_near(curve[j], curve_alpha(j) - plain_mean_posterior(&setup, curve_alpha(j)), 1e-14);
            if (j > 1) /* convex */
                assert_true(curve[j] - 2 * curve[j - 1] + curve[j - 2] > -1e-14);
        }
        assert_near(curve[0], 0, 0);
        assert_true(curve[DEDPUL_CURVE_POINTS - 1] > -1e-15);
        for (size_t k = 0; k < N; k++) {
            sum += setup.mass[k] * setup.value[k];
            total += setup.mass[k];
        }
        assert_near(mixture_mean_ratio(&setup.mixture), sum / total, 1e-13);
        test_context_close(&setup.context);
    }
}

static void test_root(void **state)
{
    struct rng rng;
    int trivial = 0;
    (void)state;
    rng_init(&rng, 2, 1);
    for (int round = 0; round < 200; round++) {
        struct setup setup;
        setup_random(&setup, &rng, 0.8 + 0.6 * rng_uniform(&rng));
        const double root = mixture_root(&setup.mixture);
        if (mixture_is_trivial(&setup.mixture)) {
            assert_near(root, 0, 0);
            trivial++;
        } else {
            assert_true(root > 0 && root <= 1);
            assert_near(root, plain_mean_posterior(&setup, root), 1e-14);
            for (double a = root + 1e-6; a <= 1; a += 0.01) /* the largest one */
                assert_true(a - plain_mean_posterior(&setup, a) > 0);
            assert_near(mixture_em(&setup.mixture), root, 0.05); /* EM stops early where D is flat */
        }
        test_context_close(&setup.context);
    }
    assert_true(trivial > 10 && trivial < 190); /* both cases were seen */
}

static void check_root(size_t m, const double *value, const double *mass, double expected)
{
    struct context context;
    struct mixture mixture;
    test_context_init(&context);
    assert_ok(mixture_init(&context, m, value, mass, &mixture), &test_error);
    assert_near(mixture_root(&mixture), expected, 1e-12);
    test_context_close(&context);
}

static void test_root_special(void **state)
{
    static const double one[] = {1}, ones[] = {1, 1, 1}, zero[] = {0}, half_two[] = {0.5, 2},
                        mean_one[] = {0.5, 1.5}, zero_two[] = {0, 2}, three[] = {0.5, 1, 3};
    (void)state;
    check_root(1, one, ones, 1);            /* D is 0 everywhere */
    check_root(1, zero, ones, 0);           /* D(a) = a */
    check_root(2, half_two, ones, 2.0 / 3); /* a = (a/2 + 1)/2 */
    check_root(2, mean_one, ones, 1 / 1.5); /* D is 0 up to the first breakpoint */
    check_root(2, zero_two, ones, 0.5);
    check_root(3, three, ones, 1.0 / 1.5); /* a = (1.5 a + 1)/3 */
}

/* A mean ratio of 1 up to rounding, on either side: the end of the stretch where D is 0. */
static void test_root_of_flat_stretch(void **state)
{
    static const double nearly[] = {1 - 1e-13, 1, 1 + 1e-13};
    (void)state;
    for (size_t i = 0; i < LENGTH(nearly); i++) {
        const double value[] = {0.25 * nearly[i], 1.75 * nearly[i], 100}, mass[] = {1, 1, 0};
        check_root(3, value, mass, 1 / 1.75);
    }
}

static void test_em_stops(void **state)
{
    struct context context;
    struct mixture mixture;
    double value[] = {0.999999}, mass[] = {1};
    (void)state;
    test_context_init(&context);
    assert_ok(mixture_init(&context, 1, value, mass, &mixture), &test_error);
    assert_near(mixture_em(&mixture), 1, 1e-5); /* flat: it stops at once */
    test_context_close(&context);
}

static void test_max_slope(void **state)
{
    double curve[DEDPUL_CURVE_POINTS];
    (void)state;
    for (size_t j = 0; j < DEDPUL_CURVE_POINTS; j++) /* bends at 0.3 and, more, at 0.8 */
        curve[j] = 0.09 * fmax(0, curve_alpha(j) - 0.3) + 5 * fmax(0, curve_alpha(j) - 0.8);
    assert_near(max_slope(curve), 0.8, 1e-12);
    for (size_t j = 0; j < DEDPUL_CURVE_POINTS; j++) /* that one now lies where D is too large */
        curve[j] = 0.5 * fmax(0, curve_alpha(j) - 0.3) + 5 * fmax(0, curve_alpha(j) - 0.8);
    assert_near(max_slope(curve), 0.3, 1e-12);
    for (size_t j = 0; j < DEDPUL_CURVE_POINTS; j++) /* bends beyond: the end of what is allowed */
        curve[j] = 0.5 * curve_alpha(j) + fmax(0, curve_alpha(j) - 0.5);
    assert_near(max_slope(curve), 0.099, 1e-12);
    for (size_t j = 0; j < DEDPUL_CURVE_POINTS; j++) /* straight, but for rounding */
        curve[j] = 0.7 * curve_alpha(j);
    assert_near(max_slope(curve), 0, 0);
}

static void test_scale(void **state)
{
    struct rng rng;
    int reached;
    (void)state;
    rng_init(&rng, 3, 1);
    for (int round = 0; round < 100; round++) {
        struct setup setup;
        setup_random(&setup, &rng, exp(4 * rng_uniform(&rng) - 3));
        for (double alpha = 0; alpha <= 1; alpha += 0.05) {
            const double scale = mixture_scale(&setup.mixture, alpha, &reached);
            assert_true(scale >= 0 && scale <= LARGEST_SCALE);
            if (reached)
                assert_near(plain_mean_posterior(&setup, scale), alpha, 1e-12);
            else
                assert_true(scale == LARGEST_SCALE && plain_mean_posterior(&setup, scale) < alpha);
        }
        test_context_close(&setup.context);
    }
}

static void test_scale_of_zeros(void **state)
{
    struct context context;
    struct mixture mixture;
    double value[] = {0}, mass[] = {5};
    int reached;
    (void)state;
    test_context_init(&context);
    assert_ok(mixture_init(&context, 1, value, mass, &mixture), &test_error);
    assert_near(mixture_scale(&mixture, 0.5, &reached), LARGEST_SCALE, 0);
    assert_false(reached);
    assert_near(mixture_scale(&mixture, 0, &reached), 0, 0);
    assert_true(reached);
    test_context_close(&context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_d),
        cmocka_unit_test(test_root),
        cmocka_unit_test(test_root_special),
        cmocka_unit_test(test_root_of_flat_stretch),
        cmocka_unit_test(test_em_stops),
        cmocka_unit_test(test_max_slope),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_scale_of_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
