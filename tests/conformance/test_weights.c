/* Weights have the meaning of counts. */
#include "fitting.h"

enum { N_P = 300, N_U = 2000, MOST = 3 };

struct weighted {
    double weight_p[N_P], weight_u[N_U];
    double repeated_p[N_P * MOST], repeated_u[N_U * MOST];
    size_t n_p, n_u;
};

static size_t repeat(size_t n, const double *value, const double *weight, double *out)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < (int)weight[i]; k++)
            out[count++] = value[i];
    return count;
}

static void estimate(const struct test_problem *problem, const double *weight_p, const double *weight_u,
                     const char *method, const char *density, dedpul_result **result)
{
    const dedpul_sample p = {problem->n_p, problem->p, weight_p}, u = {problem->n_u, problem->u, weight_u};
    dedpul_options options;
    dedpul_options_init(&options);
    options.method = method;
    options.density = density;
    assert_ok(dedpul_estimate_two(&p, &u, &options, result, &test_error), &test_error);
}

static void test_weight_as_repetition(void **state)
{
    struct test_problem problem = problem_make(N_P, N_U, 0.4, 2.5, 11);
    static struct weighted w;
    struct rng rng;
    (void)state;
    rng_init(&rng, 12, 1);
    for (size_t i = 0; i < N_P; i++)
        w.weight_p[i] = rng_below(&rng, MOST + 1);
    for (size_t i = 0; i < N_U; i++)
        w.weight_u[i] = rng_below(&rng, MOST + 1);
    w.n_p = repeat(N_P, problem.p, w.weight_p, w.repeated_p);
    w.n_u = repeat(N_U, problem.u, w.weight_u, w.repeated_u);
    const struct test_problem repeated = {w.n_p, w.n_u, w.repeated_p, w.repeated_u, 0};
    for (size_t m = 0; m < score_method_count(); m++)
        for (size_t d = 0; d < dedpul_density_count(); d++) {
            const char *method = dedpul_method_name(m), *density = dedpul_density_name(d);
            dedpul_result *by_weight, *by_rows;
            estimate(&problem, w.weight_p, w.weight_u, method, density, &by_weight);
            estimate(&repeated, NULL, NULL, method, density, &by_rows);
            assert_near(by_weight->alpha, by_rows->alpha, strcmp(density, "gmm") == 0 ? 1e-6 : 1e-9);
            assert_near(by_weight->auc, by_rows->auc, 1e-12);
            assert_near(by_weight->weight_unlabeled, (double)by_rows->n_unlabeled, 0);
            if (by_rows->density != NULL && strcmp(density, "kde") == 0)
                assert_near(by_weight->bandwidth_u, by_rows->bandwidth_u, 1e-12);
            for (size_t i = 0, k = 0; i < N_U; i++) { /* the mean over the copies */
                double mean = 0;
                for (int copy = 0; copy < (int)w.weight_u[i]; copy++)
                    mean += by_rows->posterior[k++] / w.weight_u[i];
                if (w.weight_u[i] > 0)
                    assert_near(by_weight->posterior[i], mean, strcmp(density, "gmm") == 0 ? 1e-5 : 1e-8);
            }
            dedpul_result_free(by_weight);
            dedpul_result_free(by_rows);
        }
    problem_free(&problem);
}

/* More rows than pieces: each row answers as a whole. */
static void test_large_weights(void **state)
{
    struct test_problem problem = problem_make(N_P, N_U, 0.4, 2.5, 16);
    static double hundreds[N_U], thousands[N_U];
    dedpul_result *a, *b;
    struct rng rng;
    (void)state;
    rng_init(&rng, 17, 1);
    for (size_t i = 0; i < N_U; i++) {
        hundreds[i] = 100 + rng_below(&rng, 300);
        thousands[i] = 1e6 * hundreds[i];
    }
    estimate(&problem, NULL, hundreds, "dedpul", "kde", &a);
    estimate(&problem, NULL, thousands, "dedpul", "kde", &b);
    assert_near(a->alpha, b->alpha, 1e-4);
    dedpul_result_free(a);
    dedpul_result_free(b);
    problem_free(&problem);
}

/* Weights of 1 are no weights, bit for bit. */
static void test_ones(void **state)
{
    struct test_problem problem = problem_make(N_P, N_U, 0.4, 2.5, 13);
    static double ones[N_U];
    (void)state;
    for (size_t i = 0; i < N_U; i++)
        ones[i] = 1;
    for (size_t m = 0; m < score_method_count(); m++) {
        dedpul_result *with, *without;
        estimate(&problem, ones, ones, dedpul_method_name(m), "kde", &with);
        estimate(&problem, NULL, NULL, dedpul_method_name(m), "kde", &without);
        assert_same_result(with, without);
        dedpul_result_free(with);
        dedpul_result_free(without);
    }
    problem_free(&problem);
}

/* A row of weight 0 changes nothing, and gets the posterior of its score. */
static void test_zeros(void **state)
{
    struct test_problem problem = problem_make(N_P, N_U, 0.4, 2.5, 14);
    static double weight[N_U];
    dedpul_result *with, *without;
    double expected;
    (void)state;
    for (size_t i = 0; i < N_U; i++)
        weight[i] = i >= 10;
    estimate(&problem, NULL, weight, "dedpul", "kde", &with);
    struct test_problem rest = {N_P, N_U - 10, problem.p, problem.u + 10, 0};
    estimate(&rest, NULL, NULL, "dedpul", "kde", &without);
    assert_true(with->alpha == without->alpha);
    assert_int_equal(with->n_unlabeled, N_U);
    assert_memory_equal(with->posterior + 10, without->posterior, (N_U - 10) * sizeof(double));
    for (size_t i = 0; i < 10; i++) {
        assert_ok(dedpul_result_evaluate(without, 1, problem.u + i, NULL, &expected, &test_error),
                  &test_error);
        assert_true(with->posterior[i] == expected);
    }
    dedpul_result_free(with);
    dedpul_result_free(without);
    problem_free(&problem);
}

/* Scores handed over as bins with counts answer like the scores. */
static void test_bins(void **state)
{
    enum { BINS = 1000 };
    struct test_problem problem = problem_make(5000, 50000, 0.4, 3, 15);
    static double centre[BINS], count_p[BINS], count_u[BINS];
    (void)state;
    for (size_t b = 0; b < BINS; b++) {
        centre[b] = ((double)b + 0.5) / BINS;
        count_p[b] = count_u[b] = 0;
    }
    for (size_t i = 0; i < problem.n_p; i++)
        count_p[(size_t)(problem.p[i] * BINS)]++;
    for (size_t i = 0; i < problem.n_u; i++)
        count_u[(size_t)(problem.u[i] * BINS)]++;
    struct test_problem bins = {BINS, BINS, centre, centre, 0};
    dedpul_result *by_bins, *by_rows;
    estimate(&bins, count_p, count_u, "dedpul", "kde", &by_bins);
    estimate(&problem, NULL, NULL, "dedpul", "kde", &by_rows);
    assert_near(by_bins->alpha, by_rows->alpha, 0.03);
    assert_near(by_bins->weight_unlabeled, 50000, 0);
    dedpul_result_free(by_bins);
    dedpul_result_free(by_rows);
    problem_free(&problem);
}

/* ---- as a weight goes to 0 ---- */

enum { N_LIGHT = 400, HEAVY = 3 }; /* every third row is heavy */

static const double light_weights[] = {1e-5, 1e-6, 1e-9, 1e-12, 1e-100, 1e-300, 1e-310, 5e-324};

/* Heavy rows weigh 2, the others `light`. */
static void fill_weights(double light, double *weight)
{
    for (size_t i = 0; i < N_LIGHT; i++)
        weight[i] = i % HEAVY == 0 ? 2 : light;
}

static double light_tolerance(double light)
{
    return fmax(1e-12, 10 * light);
}

static dedpul_result *estimate_light(const struct test_problem *problem, double light,
                                     const dedpul_options *options)
{
    double weight[N_LIGHT];
    const dedpul_sample p = {N_LIGHT, problem->p, weight}, u = {N_LIGHT, problem->u, weight};
    dedpul_result *result;
    fill_weights(light, weight);
    assert_ok(dedpul_estimate_two(&p, &u, options, &result, &test_error), &test_error);
    return result;
}

/* Posteriors of new scores. */
static void check_same_curve(const dedpul_result *a, const dedpul_result *b, double tolerance)
{
    enum { N = 101 };
    double score[N], of_a[N], of_b[N];
    for (size_t i = 0; i < N; i++)
        score[i] = (double)i / (N - 1);
    assert_ok(dedpul_result_evaluate(a, N, score, NULL, of_a, &test_error), &test_error);
    assert_ok(dedpul_result_evaluate(b, N, score, NULL, of_b, &test_error), &test_error);
    for (size_t i = 0; i < N; i++)
        assert_near(of_a[i], of_b[i], tolerance);
}

/* Rows of weight next to 0 answer as rows of weight 0 do. */
static void check_light(const struct test_problem *problem, const dedpul_options *options)
{
    dedpul_result *without = estimate_light(problem, 0, options);
    for (size_t k = 0; k < LENGTH(light_weights); k++) {
        const double tolerance = light_tolerance(light_weights[k]);
        dedpul_result *with = estimate_light(problem, light_weights[k], options);
        if (!(fabs(with->alpha - without->alpha) <= tolerance))
            print_error("%s, %s, weight %g\n", options->method, options->density, light_weights[k]);
        assert_near(with->alpha, without->alpha, tolerance);
        assert_near(with->auc, without->auc, tolerance);
        for (size_t i = 0; i < N_LIGHT; i++) /* the light rows' own, too */
            assert_near(with->posterior[i], without->posterior[i], tolerance);
        check_same_curve(with, without, tolerance);
        dedpul_result_free(with);
    }
    dedpul_result_free(without);
}

/* By all methods and densities, with all smoothings and with automatic bandwidths. */
static void check_light_rows(const struct test_problem *problem)
{
    static const dedpul_smoothing smoothings[] = {DEDPUL_SMOOTHING_NONE, DEDPUL_SMOOTHING_PAPER,
                                                  DEDPUL_SMOOTHING_TREND};
    dedpul_options options;
    dedpul_options_init(&options);
    for (size_t d = 0; d < dedpul_density_count(); d++) {
        options.density = dedpul_density_name(d);
        for (size_t m = 0; m < score_method_count(); m++) {
            options.method = dedpul_method_name(m);
            for (size_t s = 0; s < LENGTH(smoothings); s++) {
                options.smoothing = smoothings[s];
                check_light(problem, &options);
            }
        }
        options.method = "dedpul";
        dedpul_options is_auto = options;
        is_auto.bandwidth_p.rule = is_auto.bandwidth_u.rule = DEDPUL_BANDWIDTH_AUTO;
        check_light(problem, &is_auto);
    }
}

static void test_light_rows(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (IS_SLOW ? 1 : 3); seed++) {
        struct test_problem problem = problem_make(N_LIGHT, N_LIGHT, 0.3 + 0.2 * (double)seed, 1.5, seed);
        check_light_rows(&problem);
        problem_free(&problem);
    }
}

/* Heavy rows in a few atoms or at the bounds; light ones between and beyond them, and alone on top. */
static void test_light_rows_at_extremes(void **state)
{
    struct test_problem problem = problem_make(N_LIGHT, N_LIGHT, 0.4, 2, 40);
    static const double far[] = {0, 1, 1e-9, 1 - 1e-9, 5e-324};
    (void)state;
    for (size_t i = 0; i < N_LIGHT; i++) {
        if (i % HEAVY == 0) {
            problem.p[i] = round(4 * problem.p[i]) / 4;
            problem.u[i] = fmin(round(4 * problem.u[i]) / 4, 0.75);
        } else if (i % 7 == 0) {
            problem.p[i] = far[i % LENGTH(far)];
            problem.u[i] = far[(i + 1) % LENGTH(far)];
        }
    }
    check_light_rows(&problem);
    problem_free(&problem);
}

/* Rows next to no weight do not decide which others count, however many they are. */
static void test_light_rows_beside_others(void **state)
{
    enum { N = 1200 };
    struct test_problem problem = problem_make(200, N, 0.4, 2, 50);
    double weight[2][N];
    const dedpul_sample p = {problem.n_p, problem.p, NULL};
    (void)state;
    for (size_t i = 0; i < N; i++) {
        const double heavy = i < 100 ? 1e4 : i < 200 ? 0.4 : 0;
        weight[0][i] = heavy;
        weight[1][i] = heavy > 0 ? heavy : 1e-300;
    }
    for (size_t m = 0; m < score_method_count(); m++) {
        dedpul_result *result[2];
        dedpul_options options;
        dedpul_options_init(&options);
        options.method = dedpul_method_name(m);
        for (size_t k = 0; k < 2; k++) {
            const dedpul_sample u = {N, problem.u, weight[k]};
            assert_ok(dedpul_estimate_two(&p, &u, &options, &result[k], &test_error), &test_error);
        }
        assert_near(result[1]->alpha, result[0]->alpha, 0);
        assert_near(result[1]->weight_unlabeled, result[0]->weight_unlabeled, 0);
        dedpul_result_free(result[0]);
        dedpul_result_free(result[1]);
    }
    problem_free(&problem);
}

/* In fits: light rows neither train a classifier nor stretch the range of a column or a hull. */
static void test_light_rows_of_tables(void **state)
{
    struct crowd crowd = crowd_make(N_LIGHT / 2, N_LIGHT / 2, 3, 0.4, 3, 41);
    double weight[2][N_LIGHT];
    (void)state;
    for (size_t i = 0; i < N_LIGHT; i++)
        for (size_t c = 0; i % HEAVY != 0 && c < crowd.width; c++)
            crowd.x[i * crowd.width + c] *= 5;
    fill_weights(0, weight[0]);
    fill_weights(1e-6, weight[1]);
    for (size_t m = 0; m < dedpul_method_count(); m++) {
        dedpul_options options = cheap_options("logistic");
        options.method = dedpul_method_name(m);
        struct fitted without = fit_crowd(&crowd, weight[0], &options);
        struct fitted with = fit_crowd(&crowd, weight[1], &options);
        assert_near(with.result->alpha, without.result->alpha, 0);
        assert_memory_equal(with.result->posterior, without.result->posterior,
                            with.result->n_unlabeled * sizeof *with.result->posterior);
        fitted_free(&with);
        fitted_free(&without);
    }
    crowd_free(&crowd);
}

/* If all that weighs anything has the same score, the light rest cannot tell more than rows of weight 0. */
static void test_light_rows_alone(void **state)
{
    double score[N_LIGHT], weight[N_LIGHT];
    const dedpul_sample rows = {N_LIGHT, score, weight};
    (void)state;
    for (size_t i = 0; i < N_LIGHT; i++)
        score[i] = i % HEAVY == 0 ? 0.4 : 0.9;
    for (size_t m = 0; m < score_method_count(); m++)
        for (double light = 1e-6; light > 0; light *= 1e-40) {
            dedpul_options options;
            dedpul_result *result;
            dedpul_options_init(&options);
            options.method = dedpul_method_name(m);
            fill_weights(light, weight);
            assert_int_equal(dedpul_estimate_two(&rows, &rows, &options, &result, &test_error),
                             DEDPUL_INVALID_DATA);
            assert_contains(test_error.message, "equal");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weight_as_repetition),
        cmocka_unit_test(test_large_weights),
        cmocka_unit_test(test_ones),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_bins),
        cmocka_unit_test(test_light_rows),
        cmocka_unit_test(test_light_rows_at_extremes),
        cmocka_unit_test(test_light_rows_beside_others),
        cmocka_unit_test(test_light_rows_of_tables),
        cmocka_unit_test(test_light_rows_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
