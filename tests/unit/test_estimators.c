/* The formulas of the rivals, against their definitions on the rows repeated as their weights say. */
#include "estimator.h"
#include "support.h"

enum { N_P = 40, N_U = 90, MOST = 4 };

struct setup {
    struct context context;
    struct sample p, u;
    double rows_p[N_P * MOST], rows_u[N_U * MOST]; /* repeated, ascending */
    size_t n_p, n_u;
};

static size_t make_sample(struct context *context, struct rng *rng, size_t n, double shift, double *rows,
                          struct sample *sample)
{
    double *score = context_allocate(context, n, sizeof *score);
    double *weight = context_allocate(context, n, sizeof *weight);
    const dedpul_sample input = {n, score, weight};
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        score[i] = 1 / (1 + exp(-shift - random_normal(rng)));
        if (i % 3 == 0)
            score[i] = round(10 * score[i]) / 10; /* ties, also between the samples */
        weight[i] = 1 + rng_below(rng, MOST);
        for (int k = 0; k < (int)weight[i]; k++)
            rows[count++] = fmin(fmax(score[i], 1e-3), 1 - 1e-3);
    }
    for (size_t i = 0; i < n; i++)
        score[i] = fmin(fmax(score[i], 1e-3), 1 - 1e-3);
    sort_doubles(count, rows);
    assert_ok(sample_sort(context, &input, NULL, 0, sample), &test_error);
    return count;
}

static void setup_random(struct setup *setup, struct rng *rng)
{
    test_context_init(&setup->context);
    setup->n_p = make_sample(&setup->context, rng, N_P, 1, setup->rows_p, &setup->p);
    setup->n_u = make_sample(&setup->context, rng, N_U, 0, setup->rows_u, &setup->u);
    assert_ok(samples_transform(&setup->context, &setup->p, &setup->u), &test_error);
}

static double share_from(size_t n, const double *rows, double threshold)
{
    double count = 0;
    for (size_t i = 0; i < n; i++)
        count += rows[i] >= threshold;
    return count / (double)n;
}

/* Thresholds in ascending order; the first of equal bounds. */
static double plain_best_bin(const struct setup *setup)
{
    const double slack =
        sqrt(log(4 / 0.1) / (2 * (double)setup->n_u)) + sqrt(log(4 / 0.1) / (2 * (double)setup->n_p));
    double best_bound = INFINITY, best = NAN;
    for (size_t i = 0; i < setup->n_u; i++) {
        const double q_u = share_from(setup->n_u, setup->rows_u, setup->rows_u[i]);
        const double q_p = share_from(setup->n_p, setup->rows_p, setup->rows_u[i]);
        const double bound = q_u / q_p + 1.01 / q_p * slack;
        if (q_p > 0 && bound < best_bound) {
            best_bound = bound;
            best = fmin(1, q_u / q_p);
        }
    }
    return best;
}

static struct proportion alpha_of(struct setup *setup, const struct estimator *estimator)
{
    dedpul_options options;
    dedpul_options_init(&options);
    struct problem problem = {&setup->p, &setup->u, &options, NULL, NULL, NAN, NAN};
    struct proportion proportion = {NAN, NAN, NAN, DEDPUL_RULE_ROOT};
    struct ratio ratio;
    struct mixture mixture;
    assert_ok(estimator->ratio(&setup->context, &problem, &ratio), &test_error);
    double *mass = context_allocate(&setup->context, ratio.m, sizeof *mass);
    for (size_t k = 0; k < ratio.m; k++)
        mass[k] = 0;
    for (size_t i = 0; i < ratio.n; i++)
        mass[ratio.rank[i]] += ratio.weight[i];
    assert_ok(mixture_init(&setup->context, ratio.m, ratio.value, mass, &mixture), &test_error);
    assert_ok(estimator->alpha(&setup->context, &problem, &mixture, &proportion), &test_error);
    assert_int_equal(proportion.rule, DEDPUL_RULE_FORMULA);
    return proportion;
}

static void test_best_bin(void **state)
{
    struct rng rng;
    (void)state;
    rng_init(&rng, 1, 1);
    for (int round = 0; round < 100; round++) {
        struct setup setup;
        setup_random(&setup, &rng);
        assert_near(best_bin(&setup.p, &setup.u), plain_best_bin(&setup), 1e-12);
        assert_near(alpha_of(&setup, &estimator_bbe).alpha, plain_best_bin(&setup), 1e-12);
        context_free(&setup.context);
    }
}

static void test_elkan_noto(void **state)
{
    struct rng rng;
    (void)state;
    rng_init(&rng, 2, 1);
    for (int round = 0; round < 100; round++) {
        struct setup setup;
        double quantity[(N_P + N_U) * MOST], mean = 0;
        setup_random(&setup, &rng);
        for (size_t i = 0; i < setup.n_p; i++) {
            mean += setup.rows_p[i] / (double)setup.n_p;
            quantity[i] = (1 - setup.rows_p[i]) / setup.rows_p[i];
        }
        for (size_t i = 0; i < setup.n_u; i++)
            quantity[setup.n_p + i] = (1 - setup.rows_u[i]) / setup.rows_u[i];
        const size_t n = setup.n_p + setup.n_u;
        sort_doubles(n, quantity);
        assert_near(alpha_of(&setup, &estimator_en_e1).alpha, fmin(1, (1 - mean) / mean), 1e-12);
        assert_near(alpha_of(&setup, &estimator_en_e3).alpha,
                    fmin(1, quantity[(size_t)(0.05 * (double)(n - 1))]), 1e-12);
        context_free(&setup.context);
    }
}

/* The raw ratio of the rows, repeated: alpha is one over its 95% quantile. */
static void test_simple_alpha(void **state)
{
    struct rng rng;
    (void)state;
    rng_init(&rng, 3, 1);
    for (int round = 0; round < 20; round++) {
        struct setup setup;
        struct ratio ratio;
        dedpul_options options;
        double values[N_U * MOST];
        size_t n = 0;
        setup_random(&setup, &rng);
        dedpul_options_init(&options);
        options.smoothing = DEDPUL_SMOOTHING_NONE;
        struct problem problem = {&setup.p, &setup.u, &options, NULL, NULL, NAN, NAN};
        assert_ok(density_ratio(&setup.context, &problem, &ratio), &test_error);
        for (size_t i = 0; i < ratio.n; i++) /* pieces of weight 1 */
            values[n++] = ratio_at(&ratio, i);
        sort_doubles(n, values);
        assert_near(alpha_of(&setup, &estimator_simple_alpha).alpha,
                    1 / fmax(1, values[(size_t)(0.95 * (double)(n - 1))]), 1e-12);
        context_free(&setup.context);
    }
}

static void test_registry(void **state)
{
    (void)state;
    assert_ptr_equal(estimator_find("bbe", NULL), &estimator_bbe);
    assert_null(estimator_find("nothing", &test_error));
    assert_contains(test_error.message, "unknown method 'nothing'");
    assert_null(estimator_at(99));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_bin),
        cmocka_unit_test(test_elkan_noto),
        cmocka_unit_test(test_simple_alpha),
        cmocka_unit_test(test_registry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
