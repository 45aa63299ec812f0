/* The formulas of the rivals, against their definitions on the rows repeated as their weights say. */
#include "binomial.h"
#include "estimator.h"
#include "share_likelihood.h"
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
    const struct scored_rows input = {.n = n, .score = score, .weight = weight};
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

/* Each unlabeled score, in ascending order, and then the place above all of them. */
static double threshold_at(const struct setup *setup, size_t i)
{
    return i < setup->n_u ? setup->rows_u[i] : nextafter(setup->rows_u[setup->n_u - 1], 1);
}

/* Thresholds in ascending order; the first of equal bounds. */
static double plain_best_bin(const struct setup *setup)
{
    const double slack =
        sqrt(log(4 / 0.1) / (2 * (double)setup->n_u)) + sqrt(log(4 / 0.1) / (2 * (double)setup->n_p));
    double best_bound = INFINITY, best = NAN;
    for (size_t i = 0; i <= setup->n_u; i++) {
        const double q_u = share_from(setup->n_u, setup->rows_u, threshold_at(setup, i));
        const double q_p = share_from(setup->n_p, setup->rows_p, threshold_at(setup, i));
        const double bound = q_u / q_p + 1.01 / q_p * slack;
        if (q_p > 0 && bound < best_bound) {
            best_bound = bound;
            best = fmin(1, q_u / q_p);
        }
    }
    return best;
}

static const struct ratio_plan plan = {
    .density = {&density_kde, {BANDWIDTH_FACTOR, 0.12}, {BANDWIDTH_FACTOR, 0.08}},
    .smoothing = SMOOTHING_TREND,
};

static struct proportion alpha_of(struct setup *setup, const struct estimator *estimator)
{
    const struct problem problem = {&setup->p, &setup->u, &plan, NULL};
    struct densities densities = no_densities(NULL);
    struct proportion proportion = {NAN, NAN, NAN, RULE_ROOT};
    struct ratio ratio;
    struct mixture mixture;
    assert_ok(estimator->ratio(&setup->context, &problem, &densities, &ratio), &test_error);
    double *mass = context_allocate(&setup->context, ratio.m, sizeof *mass);
    for (size_t k = 0; k < ratio.m; k++)
        mass[k] = 0;
    for (size_t i = 0; i < ratio.n; i++)
        mass[ratio.rank[i]] += ratio.weight[i];
    assert_ok(mixture_init(&setup->context, ratio.m, ratio.value, mass, &mixture), &test_error);
    assert_ok(estimator->alpha(&setup->context, &problem, &mixture, &proportion), &test_error);
    assert_int_equal(proportion.rule, RULE_FORMULA);
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
        test_context_close(&setup.context);
    }
}

/* Every threshold, by the definition. */
static double plain_roc(const struct setup *setup)
{
    const double n_p = (double)setup->n_p, n_u = (double)setup->n_u;
    double best = 1;
    for (size_t i = 0; i <= setup->n_u; i++) {
        const double in_u = n_u * share_from(setup->n_u, setup->rows_u, threshold_at(setup, i));
        const double in_p = n_p * share_from(setup->n_p, setup->rows_p, threshold_at(setup, i));
        best = fmin(best, binomial_upper(round(in_u), n_u, 0.9) / binomial_lower(round(in_p), n_p, 0.9));
    }
    return best;
}

static void test_roc(void **state)
{
    struct rng rng;
    double lowest = 1;
    (void)state;
    rng_init(&rng, 4, 1);
    for (int round = 0; round < 100; round++) {
        struct setup setup;
        setup_random(&setup, &rng);
        const double expected = plain_roc(&setup);
        assert_near(alpha_of(&setup, &estimator_roc).alpha, expected, 1e-12);
        lowest = fmin(lowest, expected);
        test_context_close(&setup.context);
    }
    assert_true(lowest < 0.9);
}

/* So many thresholds that not all of them are looked at. */
static void test_roc_of_many(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct test_problem problem = problem_make(3000, 6000, 0.2 + 0.15 * (double)seed, 2, seed);
        dedpul_result *result = problem_estimate(&problem, "method", "roc", NULL);
        double best = 1;
        sort_doubles(problem.n_p, problem.p);
        sort_doubles(problem.n_u, problem.u);
        for (size_t in_u = 0, in_p = 0; in_u <= problem.n_u; in_u++) {
            const double highest = problem.u[problem.n_u - 1];
            const double threshold = in_u > 0 ? problem.u[problem.n_u - in_u] : nextafter(highest, 1);
            while (in_p < problem.n_p && problem.p[problem.n_p - 1 - in_p] >= threshold)
                in_p++;
            best = fmin(best, binomial_upper((double)in_u, (double)problem.n_u, 0.9) /
                                  binomial_lower((double)in_p, (double)problem.n_p, 0.9));
        }
        assert_near(result->alpha, best, 1e-12);
        dedpul_result_free(result);
        problem_free(&problem);
    }
}

/* ---- AlphaMax ---- */

enum { BINS = 8 };

static double plain_likelihood(const double *p, const double *u, double a, const double *share)
{
    double sum = 0;
    for (size_t k = 0; k < BINS; k++) {
        const double positive = share[k] * u[k] / a, negative = (1 - share[k]) * u[k] / (1 - a);
        if (p[k] > 0)
            sum += p[k] * log(positive);
        sum += u[k] * log(a * p[k] + (1 - a) * negative);
    }
    return sum;
}

static void random_masses(struct rng *rng, double *mass)
{
    double sum = 0;
    for (size_t k = 0; k < BINS; k++)
        sum += mass[k] = 0.01 + rng_uniform(rng) * rng_uniform(rng);
    for (size_t k = 0; k < BINS; k++)
        mass[k] /= sum;
}

/* Feasible; no shift of mass from one bin to another is better; and at a low share both fit as they can. */
static void test_share_likelihood(void **state)
{
    struct rng rng;
    (void)state;
    rng_init(&rng, 5, 1);
    for (int round = 0; round < 300; round++) {
        double p[BINS], u[BINS], share[BINS], sum = 0, entropies = 0, highest_ratio = 0;
        const double a = 0.01 * (1 + rng_below(&rng, 99));
        random_masses(&rng, p);
        random_masses(&rng, u);
        if (round % 2 == 0) {
            p[1] += p[0];
            p[0] = 0;
        }
        const double likelihood = share_likelihood(BINS, p, u, a, share);
        assert_near(likelihood, plain_likelihood(p, u, a, share), 1e-12);
        for (size_t k = 0; k < BINS; k++) {
            assert_true(share[k] >= 0 && share[k] <= 1);
            sum += share[k] * u[k];
            entropies += u[k] * log(u[k]) + (p[k] > 0 ? p[k] * log(p[k]) : 0);
            highest_ratio = fmax(highest_ratio, p[k] / u[k]);
        }
        assert_near(sum, a, 1e-12);
        assert_true(likelihood <= entropies + 1e-12);
        if (a * highest_ratio <= 1)
            assert_near(likelihood, entropies, 1e-12);
        else
            assert_true(likelihood < entropies);
        for (size_t from = 0; from < BINS; from++)
            for (size_t to = 0; to < BINS; to++) {
                double other[BINS];
                const double most = fmin(share[from] * u[from], (1 - share[to]) * u[to]);
                const double mass = most * (round % 3 == 0 ? 0.5 : 1e-4);
                memcpy(other, share, sizeof other);
                other[from] -= mass / u[from];
                other[to] += mass / u[to];
                assert_true(!(plain_likelihood(p, u, a, other) > likelihood + 1e-13));
            }
    }
}

static void test_alphamax(void **state)
{
    static const double alphas[] = {0.05, 0.3, 0.6, 0.9};
    (void)state;
    for (size_t k = 0; k < LENGTH(alphas); k++) {
        struct test_problem problem = problem_make(5000, 50000, alphas[k], 6, 20 + k);
        dedpul_result *result = problem_estimate(&problem, "method", "alphamax", NULL);
        assert_near(result->alpha, alphas[k], 0.03);
        dedpul_result_free(result);
        problem_free(&problem);
    }
}

/* Where P and U have the same scores, nothing speaks against a share of 1. */
static void test_alphamax_of_equals(void **state)
{
    struct test_problem problem = problem_make(500, 500, 0.5, 3, 30);
    (void)state;
    memcpy(problem.u, problem.p, 500 * sizeof *problem.u);
    dedpul_result *result = problem_estimate(&problem, "method", "alphamax", NULL);
    assert_near(result->alpha, 1, 0);
    dedpul_result_free(result);
    problem_free(&problem);
}

/* ---- labeled rows above all unlabeled ones ---- */

/* `above` of the labeled rows at 0.9, the rest of 500 at 0.6; `same` unlabeled rows there, the rest at 0.3.
 */
static double alpha_of_atoms(const char *method, size_t above, size_t same)
{
    enum { N = 500, M = 2000 };
    double p[N], u[M];
    const struct test_problem problem = {N, M, p, u, 0};
    for (size_t i = 0; i < N; i++)
        p[i] = i < above ? 0.9 : 0.6;
    for (size_t i = 0; i < M; i++)
        u[i] = i < same ? 0.6 : 0.3;
    dedpul_result *result = problem_estimate(&problem, "method", method, NULL);
    const double alpha = result->alpha;
    dedpul_result_free(result);
    return alpha;
}

/*
 * No unlabeled row is where most of the labeled ones are, so none is positive: up to the confidence bounds of
 * roc and tice, and the part that dedpul has in the blend.
 */
static void test_labeled_above_all(void **state)
{
    static const size_t above[] = {500, 400, 250}, same[] = {0, 600, 1000};
    (void)state;
    for (size_t k = 0; k < LENGTH(above); k++) {
        const double in_blend = (double)same[k] / 2000;
        assert_near(alpha_of_atoms("bbe", above[k], same[k]), 0, 0);
        assert_near(alpha_of_atoms("alphamax", above[k], same[k]), 0, 0);
        assert_near(alpha_of_atoms("roc", above[k], same[k]), 0, 0.003);
        assert_near(alpha_of_atoms("ntc_tice", above[k], same[k]), 0, 0.06);
        assert_near(alpha_of_atoms("dedpul_bbe", above[k], same[k]), (1 - in_blend / 2) * in_blend, 1e-9);
    }
}

/* The bound that goes with an interval, and the second opinion on alpha, know of them too. */
static void test_bound_of_labeled_above_all(void **state)
{
    enum { N = 500, M = 2000 };
    double p[N], u[M];
    const struct test_problem problem = {N, M, p, u, 0};
    (void)state;
    for (size_t i = 0; i < N; i++)
        p[i] = i < 400 ? 0.9 : 0.6;
    for (size_t i = 0; i < M; i++)
        u[i] = i < 600 ? 0.6 : 0.3;
    dedpul_result *result = problem_estimate(&problem, "resamples", "10", NULL);
    const double width = sqrt(log(4 / 0.05) / (2.0 * M)) + sqrt(log(4 / 0.05) / (2.0 * N));
    assert_near(result->interval->upper_bound, 1.01 * width / 0.8, 1e-12);
    assert_false(has_warning(result, "estimators_disagree"));
    dedpul_result_free(result);
}

/* A few of them say little: chance puts some there, whatever alpha is. */
static void test_few_labeled_above_all(void **state)
{
    static const char *const methods[] = {"bbe", "alphamax", "roc", "ntc_tice", "dedpul_bbe"};
    (void)state;
    for (size_t m = 0; m < LENGTH(methods); m++)
        assert_near(alpha_of_atoms(methods[m], 1, 600), alpha_of_atoms(methods[m], 0, 600), 0.03);
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
        test_context_close(&setup.context);
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
        struct densities densities = no_densities(NULL);
        double values[N_U * MOST];
        size_t n = 0;
        setup_random(&setup, &rng);
        struct ratio_plan unsmoothed = plan;
        unsmoothed.smoothing = SMOOTHING_NONE;
        const struct problem problem = {&setup.p, &setup.u, &unsmoothed, NULL};
        assert_ok(density_ratio(&setup.context, &problem, &densities, &ratio), &test_error);
        for (size_t i = 0; i < ratio.n; i++) /* pieces of weight 1 */
            values[n++] = ratio_at(&ratio, i);
        sort_doubles(n, values);
        assert_near(alpha_of(&setup, &estimator_simple_alpha).alpha,
                    1 / fmax(1, values[(size_t)(0.95 * (double)(n - 1))]), 1e-12);
        test_context_close(&setup.context);
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
        cmocka_unit_test(test_roc),
        cmocka_unit_test(test_roc_of_many),
        cmocka_unit_test(test_share_likelihood),
        cmocka_unit_test(test_alphamax),
        cmocka_unit_test(test_alphamax_of_equals),
        cmocka_unit_test(test_labeled_above_all),
        cmocka_unit_test(test_bound_of_labeled_above_all),
        cmocka_unit_test(test_few_labeled_above_all),
        cmocka_unit_test(test_elkan_noto),
        cmocka_unit_test(test_simple_alpha),
        cmocka_unit_test(test_registry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
