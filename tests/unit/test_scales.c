/* Posteriors as means over alpha's distribution. */
#include "support.h"

#include "logistic.h"
#include "scales.h"

enum { ROWS = 400 };

static const struct alpha_quantiles some = {{-1.9, -1.6, -1.2, -0.7, -0.3, 0.1, 0.4, 0.6, 0.8}};

/* Ratios from 0.02 to 3.5 that no two rows share. */
static struct mixture make_mixture(struct context *context, double value[ROWS], double mass[ROWS])
{
    struct mixture mixture;
    for (size_t i = 0; i < ROWS; i++) {
        value[i] = 0.02 + 3.48 * (double)(i * i) / (ROWS * ROWS);
        mass[i] = 1;
    }
    assert_ok(mixture_init(context, ROWS, value, mass, &mixture), &test_error);
    return mixture;
}

/* At the levels of the quantiles, the quantiles themselves; between and beyond them, in order. */
static void test_quantile(void **state)
{
    double before = 0;
    (void)state;
    for (size_t k = 0; k < N_QUANTILES; k++)
        assert_near(alpha_quantile(&some, quantile_level[k]), sigmoid(some.logit[k]), 1e-12);
    for (int percent = 1; percent < 1000; percent++) {
        const double here = alpha_quantile(&some, percent / 1000.0);
        assert_true(here > before && here < 1);
        before = here;
    }
}

static void test_center(void **state)
{
    struct alpha_quantiles moved = some;
    (void)state;
    alpha_quantiles_center(&moved, 0.3);
    assert_near(sigmoid(moved.logit[MEDIAN]), 0.3, 1e-15);
    for (size_t k = 1; k < N_QUANTILES; k++)
        assert_near(moved.logit[k] - moved.logit[k - 1], some.logit[k] - some.logit[k - 1], 1e-12);
}

/* The other estimate counts half at most, the less the less certain it is, and the distribution becomes
 * narrower. */
static void test_pool(void **state)
{
    const double median = sigmoid(some.logit[MEDIAN]);
    const double own = (sigmoid(some.logit[MEDIAN + 1]) - sigmoid(some.logit[MEDIAN - 1])) / 1.349;
    const struct {
        double error, weight;
    } cases[] = {{0, 1.0 / 2}, {own, 1.0 / 3}, {own * sqrt(2), 1.0 / 4}, {1000 * own, 1 / (2 + 1e6)}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double weight = cases[i].weight;
        struct alpha_quantiles pooled = some;
        alpha_quantiles_pool(&pooled, median + 0.1, cases[i].error);
        assert_near(sigmoid(pooled.logit[MEDIAN]), median + 0.1 * weight, 1e-12);
        for (size_t k = 1; k < N_QUANTILES; k++)
            assert_near(pooled.logit[k] - pooled.logit[k - 1],
                        sqrt(1 - weight) * (some.logit[k] - some.logit[k - 1]), 1e-12);
    }
}

/* The mean is alpha, no two posteriors are equal if the ratios differ, and none is certain. */
static void test_scales(void **state)
{
    struct arena arena;
    double value[ROWS], mass[ROWS];
    (void)state;
    arena_init(&arena, NULL);
    struct context context = context_of(&arena, NULL, &test_error);
    const struct mixture mixture = make_mixture(&context, value, mass);
    for (double alpha = 0.02; alpha < 0.99; alpha += 0.08) {
        struct alpha_quantiles quantiles = some;
        alpha_quantiles_center(&quantiles, alpha);
        const struct scales scales = scales_of_quantiles(&mixture, &quantiles, alpha);
        double mean = 0, weight = 0, before = 0;
        for (size_t k = 0; k < scales.n; k++)
            weight += scales.weight[k];
        assert_near(weight, 1, 1e-15);
        for (size_t i = 0; i < ROWS; i++) {
            const double posterior = posterior_of(&scales, value[i]);
            assert_true(posterior > before && posterior < 1);
            before = posterior;
            mean += posterior / ROWS;
        }
        assert_near(mean, alpha, 1e-12);
        assert_true(posterior_of(&scales, 1e-9) / 1e-9 <= scales_slope(&scales) * (1 + 1e-12));
    }
    arena_free(&arena);
}

/* If alpha is certain, the mean over its distribution is next to the plain posterior. */
static void test_certain(void **state)
{
    struct arena arena;
    double value[ROWS], mass[ROWS];
    struct alpha_quantiles narrow;
    int reached;
    (void)state;
    arena_init(&arena, NULL);
    struct context context = context_of(&arena, NULL, &test_error);
    const struct mixture mixture = make_mixture(&context, value, mass);
    for (size_t k = 0; k < N_QUANTILES; k++)
        narrow.logit[k] = logit_of(0.4);
    const struct scales scales = scales_of_quantiles(&mixture, &narrow, 0.4);
    const struct scales plain = one_scale(mixture_scale(&mixture, 0.4, &reached));
    for (size_t i = 0; i < ROWS; i++)
        assert_near(posterior_of(&scales, value[i]), posterior_of(&plain, value[i]), 0.025);
    assert_near(posterior_of(&plain, 100), 1, 0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantile), cmocka_unit_test(test_center),  cmocka_unit_test(test_pool),
        cmocka_unit_test(test_scales),   cmocka_unit_test(test_certain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
