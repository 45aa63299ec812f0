/* How much rows of groups are worth. */
#include "row_groups.h"
#include "support.h"

static double excess_of(size_t n, const double *value, size_t n_groups, const uint32_t *group)
{
    struct context context;
    double excess = NAN;
    test_context_init(&context);
    assert_ok(design_excess(&context, n, value, n_groups, group, &excess), &test_error);
    assert_null(context_mark(&context));
    test_context_close(&context);
    return excess;
}

/* Rows of their own, values that are all equal, and copies. */
static void test_bounds(void **state)
{
    enum { N = 60 };
    double value[N];
    uint32_t own[N], pair[N], mixed[N];
    (void)state;
    for (uint32_t i = 0; i < N; i++) {
        value[i] = sin(i);
        own[i] = N - 1 - i;
        pair[i] = i / 2;
        mixed[i] = i < 20 ? i : 20 + i % 10; /* 20 single rows, then groups of 4 */
    }
    assert_true(excess_of(N, value, N, own) == 0);
    assert_true(excess_of(N, value, (size_t)5 * N, own) == 0);
    for (size_t i = 0; i < N; i++)
        value[i] = (double)pair[i] * 0.1;
    assert_near(excess_of(N, value, N / 2, pair), 1, 1e-9);
    for (size_t i = 0; i < N; i++)
        value[i] = sqrt(mixed[i]);
    assert_near(excess_of(N, value, 30, mixed), (20 + 10 * 16) / 60.0 - 1, 1e-9);
    for (size_t i = 0; i < N; i++)
        value[i] = 3;
    assert_true(excess_of(N, value, N / 2, pair) == 0);
    assert_true(excess_of(N, value, 1, (const uint32_t[N]){0}) == 0);
}

/* Groups of different sizes with a known correlation: the variance of the mean is that of fewer rows. */
static void test_correlation(void **state)
{
    enum { GROUPS = 3000, MOST = 8 * GROUPS };
    static const double share[] = {0, 0.1, 0.5, 0.9};
    static double value[MOST];
    static uint32_t group[MOST];
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, 1);
    for (size_t s = 0; s < LENGTH(share); s++) {
        size_t n = 0;
        double squares = 0;
        for (uint32_t g = 0; g < GROUPS; g++) {
            const size_t size = 1 + g % 8;
            const double common = random_normal(&rng);
            squares += (double)(size * size);
            for (size_t i = 0; i < size; i++) {
                group[n] = g;
                value[n++] = 5 + sqrt(share[s]) * common + sqrt(1 - share[s]) * random_normal(&rng);
            }
        }
        const double expected = share[s] * (squares / (double)n - 1);
        assert_near(excess_of(n, value, GROUPS, group), expected, 0.12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_correlation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
