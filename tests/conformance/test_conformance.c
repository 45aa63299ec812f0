/* Every estimator with every density, on problems with a known answer and on inputs that must fail. */
#include "support.h"

#include <stdio.h>

/* How far a method's alpha may be from the truth here. */
static double tolerance_of(const char *method)
{
    static const struct {
        const char *method;
        double tolerance;
    } others[] = {
        {"simple_alpha", 0.03}, /* of histograms: at most 0.013 off */
        {"en_e1", 0.05},        {"en_e3", 0.05}, {"en_em", 0.05},
        {"ntc_tice", 0.12}, /* a lower bound on the label frequency: alpha errs to the high side */
    };
    for (size_t i = 0; i < LENGTH(others); i++)
        if (strcmp(method, others[i].method) == 0)
            return others[i].tolerance;
    return 0.06;
}

/* Well separated Gaussians, ideal scores: alpha* is alpha for all purposes. */
static const struct {
    size_t n_p, n_u;
    double alpha, gap;
} problems[] = {{1000, 5000, 0.1, 4}, {1000, 5000, 0.5, 4}, {500, 5000, 0.8, 4}, {200, 1000, 0.3, 5}};

/*
 * Kernels and mixtures make a few unsmoothed ratios far too high, so simple_alpha, one over a quantile of
 * them, is low: between 0.023 and 0.999 times alpha here. It is never high.
 */
static void check_simple_alpha(double alpha, double truth)
{
    assert_true(alpha > 0.015 * truth && alpha < truth + 0.02);
}

/* Whether only the rough bounds above hold. */
static bool is_rough(const dedpul_result *result)
{
    return strcmp(result->method, "simple_alpha") == 0 && strcmp(result->density, "hist") != 0;
}

/* As the header says how scales and ratio give a posterior. */
static double posterior_by_scales(const dedpul_result *result, double ratio)
{
    double sum = 0;
    for (size_t k = 0; k < result->n_scales; k++)
        sum += result->scale_weights[k] * fmin(result->scales[k] * ratio, 1);
    return sum;
}

static void check_result(const struct test_problem *problem, const dedpul_result *result)
{
    double mean = 0, errors = 0;
    for (size_t i = 0; i < result->n_unlabeled; i++) {
        const bool is_positive = (double)i < problem->alpha * (double)problem->n_u;
        assert_true(result->ratio[i] >= 0 && isfinite(result->ratio[i]));
        assert_true(result->posterior[i] >= 0 && result->posterior[i] <= 1);
        assert_near(result->posterior[i], posterior_by_scales(result, result->ratio[i]), 1e-15);
        mean += result->posterior[i];
        errors += (result->posterior[i] > 0.5) != is_positive;
    }
    mean /= (double)result->n_unlabeled;
    errors /= (double)result->n_unlabeled;
    assert_true(result->alpha >= 0 && result->alpha <= 1);
    if (is_rough(result))
        check_simple_alpha(result->alpha, problem->alpha);
    else
        assert_near(result->alpha, problem->alpha, tolerance_of(result->method));
    if (!is_rough(result) && tolerance_of(result->method) < 0.1) {
        assert_true(errors < 0.06);
        assert_near(mean, result->alpha, 0.05);
    }
    if (result->rule == DEDPUL_RULE_ROOT || result->n_scales > 1)
        assert_near(mean, result->alpha, 1e-12);
    if (result->n_scales > 1)
        assert_near(result->alpha_c, result->alpha, 0);
    assert_near(result->curve_d[0], 0, 0);
    assert_true(result->curve_d[1000] >= -1e-15);
    assert_true(result->alpha_c >= 0 && result->alpha_c <= 1);
    assert_true(result->alpha_n >= 0 && result->alpha_n < 1);
}

static void test_known_answers(void **state)
{
    (void)state;
    for (size_t k = 0; k < LENGTH(problems); k++) {
        struct test_problem problem =
            problem_make(problems[k].n_p, problems[k].n_u, problems[k].alpha, problems[k].gap, 10 + k);
        for (size_t m = 0; m < score_method_count(); m++)
            for (size_t d = 0; d < dedpul_density_count(); d++) {
                dedpul_result *result = problem_estimate(&problem, "method", dedpul_method_name(m), "density",
                                                         dedpul_density_name(d), NULL);
                assert_string_equal(result->method, dedpul_method_name(m));
                check_result(&problem, result);
                dedpul_result_free(result);
            }
        problem_free(&problem);
    }
}

static void test_automatic_densities(void **state)
{
    struct test_problem problem = problem_make(300, 2000, 0.4, 4, 3);
    (void)state;
    for (size_t d = 0; d < dedpul_density_count(); d++) {
        dedpul_result *result = problem_estimate(&problem, "density", dedpul_density_name(d), "bandwidth-p",
                                                 "auto", "bandwidth-u", "auto", NULL);
        check_result(&problem, result);
        dedpul_result_free(result);
    }
    problem_free(&problem);
}

/* The same bits for any number of threads, and for any order of the rows. */
static void test_threads(void **state)
{
    const size_t n = IS_SLOW ? 4000 : 40000;
    struct test_problem problem = problem_make(n, 5 * n / 2, 0.4, 2, 4);
    static const char *const threads[] = {"2", "3", "8"};
    (void)state;
    for (size_t m = 0; m < score_method_count(); m++)
        for (size_t d = 0; d < dedpul_density_count(); d++) {
            const char *method = dedpul_method_name(m), *density = dedpul_density_name(d);
            if (m > 0 && d > 0)
                continue; /* densities differ in the same way under all methods */
            dedpul_result *one =
                problem_estimate(&problem, "method", method, "density", density, "threads", "1", NULL);
            for (size_t t = 0; t < LENGTH(threads); t++) {
                dedpul_result *many = problem_estimate(&problem, "method", method, "density", density,
                                                       "threads", threads[t], NULL);
                assert_same_result(one, many);
                dedpul_result_free(many);
            }
            dedpul_result_free(one);
        }
    problem_free(&problem);
}

static void test_threads_automatic(void **state)
{
    struct test_problem problem = problem_make(300, 1500, 0.4, 2, 4);
    (void)state;
    for (size_t d = 0; d < dedpul_density_count(); d++) {
        dedpul_result *result[2];
        for (size_t t = 0; t < 2; t++)
            result[t] =
                problem_estimate(&problem, "density", dedpul_density_name(d), "bandwidth-p", "auto",
                                 "bandwidth-u", "auto", "seed", "5", "threads", t == 0 ? "1" : "4", NULL);
        assert_same_result(result[0], result[1]);
        dedpul_result_free(result[0]);
        dedpul_result_free(result[1]);
    }
    problem_free(&problem);
}

static void test_order_of_rows(void **state)
{
    struct test_problem problem = problem_make(500, 3000, 0.4, 2, 5), reversed = problem;
    reversed.u = malloc(problem.n_u * sizeof *reversed.u);
    (void)state;
    for (size_t i = 0; i < problem.n_u; i++)
        reversed.u[i] = problem.u[problem.n_u - 1 - i];
    for (size_t m = 0; m < score_method_count(); m++) {
        dedpul_result *before = problem_estimate(&problem, "method", dedpul_method_name(m), NULL);
        dedpul_result *after = problem_estimate(&reversed, "method", dedpul_method_name(m), NULL);
        assert_true(before->alpha == after->alpha);
        for (size_t i = 0; i < problem.n_u; i++)
            assert_true(before->posterior[i] == after->posterior[problem.n_u - 1 - i]);
        dedpul_result_free(before);
        dedpul_result_free(after);
    }
    free(reversed.u);
    problem_free(&problem);
}

/*
 * Discrete scores: atoms of known masses in P and U. The ratio at an atom is that of its shares, and
 * alpha* the smallest share of U over share of P.
 */
static void check_atoms(const int in_p[5], const int in_u[5], double noise)
{
    static const double atom[] = {0.12, 0.32, 0.52, 0.72, 0.92};
    double p[1000], u[5000], expected[5000];
    size_t n_p = 0, n_u = 0;
    for (size_t a = 0; a < LENGTH(atom); a++) {
        for (int i = 0; i < in_p[a]; i++)
            p[n_p++] = atom[a] + noise * (i % 3 - 1);
        for (int i = 0; i < in_u[a]; i++) {
            expected[n_u] = (in_p[a] / 1000.0) / (in_u[a] / 5000.0);
            u[n_u++] = atom[a] + noise * (i % 3 - 1);
        }
    }
    struct test_problem problem = {n_p, n_u, p, u, 0};
    for (size_t d = 0; d < dedpul_density_count(); d++) {
        dedpul_result *result = problem_estimate(&problem, "method", "dedpul", "smoothing", "none", "density",
                                                 dedpul_density_name(d), NULL);
        for (size_t i = 0; i < n_u; i++)
            assert_near(result->ratio[i], expected[i], 1e-3);
        assert_int_equal(has_warning(result, "discrete_scores"), strcmp(result->density, "kde") == 0);
        dedpul_result_free(result);
    }
}

static void test_atoms(void **state)
{
    static const int narrow[] = {0, 20, 80, 300, 600}, wide[] = {300, 100, 0, 100, 500},
                     spread[] = {1500, 900, 700, 650, 1250}, middle[] = {50, 300, 4000, 300, 350};
    (void)state;
    check_atoms(narrow, spread, 0);   /* P's bandwidth is the smaller one */
    check_atoms(wide, middle, 0);     /* U's is */
    check_atoms(wide, middle, 2e-16); /* ties but for rounding */
    check_atoms(wide, middle, 1e-9);
}

/* Absolute bandwidths on atoms: one holds for both, two are kept and said to be wrong. */
static void test_atoms_with_bandwidths(void **state)
{
    double p[90], u[90];
    struct test_problem problem = {90, 90, p, u, 0};
    (void)state;
    for (size_t i = 0; i < 90; i++) {
        p[i] = i < 60 ? 0.9 : 0.2;
        u[i] = i < 30 ? 0.9 : 0.2;
    }
    for (int given = 1; given <= 3; given++) {
        dedpul_result *result =
            problem_estimate(&problem, "method", "dedpul", "smoothing", "none", "bandwidth-p",
                             given & 1 ? "0.2" : "0.1sd", "bandwidth-u", given & 2 ? "0.1" : "0.1sd", NULL);
        assert_near(result->ratio[0], given == 3 ? 1 : 2, 1e-9);
        assert_near(result->bandwidth_u, given == 1 ? 0.2 : 0.1, 1e-12);
        assert_true(has_warning(result, "discrete_scores"));
        dedpul_result_free(result);
    }
}

/* One of the samples all tied, the other not. */
static void test_one_sample_tied(void **state)
{
    struct test_problem problem = problem_make(100, 1000, 0.3, 3, 6);
    (void)state;
    for (size_t i = 0; i < problem.n_p; i++)
        problem.p[i] = 0.9;
    for (size_t m = 0; m < score_method_count(); m++)
        for (size_t d = 0; d < dedpul_density_count(); d++) {
            dedpul_result *result = problem_estimate(&problem, "method", dedpul_method_name(m), "density",
                                                     dedpul_density_name(d), NULL);
            assert_true(result->alpha >= 0 && result->alpha <= 1);
            dedpul_result_free(result);
        }
    problem_free(&problem);
}

/* The smallest and the most extreme inputs: an answer in range, and nothing else. */
static void test_extremes(void **state)
{
    static double two[][4] = {{0.1, 0.9, 0.2, 0.8},
                              {0, 1, 0, 1},
                              {0.5, 0.5, 0.5, 0.6},
                              {1e-300, 1e-300, 1, 1},
                              {0, 0, 1, 1},
                              {5e-324, 1, 0, 0.5},
                              {0.9, 0.9000000000000001, 0, 1e-13},
                              {0.3, 0.3, 0.3, 0.30000000000000004}};
    (void)state;
    for (size_t k = 0; k < LENGTH(two); k++)
        for (size_t m = 0; m < score_method_count(); m++)
            for (size_t d = 0; d < dedpul_density_count(); d++)
                for (int is_auto = 0; is_auto < 2; is_auto++) {
                    struct test_problem problem = {2, 2, two[k], two[k] + 2, 0};
                    const char *density = dedpul_density_name(d);
                    dedpul_result *result =
                        is_auto
                            ? problem_estimate(&problem, "method", dedpul_method_name(m), "density", density,
                                               "bandwidth-p", "auto", "bandwidth-u", "auto", NULL)
                            : problem_estimate(&problem, "method", dedpul_method_name(m), "density", density,
                                               NULL);
                    assert_true(result->alpha >= 0 && result->alpha <= 1);
                    for (size_t i = 0; i < 2; i++)
                        assert_true(result->posterior[i] >= 0 && result->posterior[i] <= 1);
                    dedpul_result_free(result);
                }
}

static void test_must_fail(void **state)
{
    static const double good[] = {0.2, 0.8}, bad[] = {0.2, 1.1}, equal[] = {0.4, 0.4};
    const dedpul_sample fine = {2, good, NULL}, outside = {2, bad, NULL}, tied = {2, equal, NULL},
                        single = {1, good, NULL};
    (void)state;
    for (size_t m = 0; m < score_method_count(); m++)
        for (size_t d = 0; d < dedpul_density_count(); d++) {
            dedpul_options options;
            dedpul_result *result;
            dedpul_options_init(&options);
            options.method = dedpul_method_name(m);
            options.density = dedpul_density_name(d);
            assert_int_equal(dedpul_estimate_two(&outside, &fine, &options, &result, NULL),
                             DEDPUL_INVALID_DATA);
            assert_int_equal(dedpul_estimate_two(&fine, &outside, &options, &result, NULL),
                             DEDPUL_INVALID_DATA);
            assert_int_equal(dedpul_estimate_two(&single, &fine, &options, &result, NULL),
                             DEDPUL_INVALID_DATA);
            assert_int_equal(dedpul_estimate_two(&fine, &single, &options, &result, NULL),
                             DEDPUL_INVALID_DATA);
            assert_int_equal(dedpul_estimate_two(&tied, &tied, &options, &result, NULL), DEDPUL_INVALID_DATA);
            options.alpha = -0.1;
            assert_int_equal(dedpul_estimate_two(&fine, &fine, &options, &result, NULL),
                             DEDPUL_INVALID_ARGUMENT);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_automatic_densities),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_threads_automatic),
        cmocka_unit_test(test_order_of_rows),
        cmocka_unit_test(test_atoms),
        cmocka_unit_test(test_atoms_with_bandwidths),
        cmocka_unit_test(test_one_sample_tied),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_must_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
