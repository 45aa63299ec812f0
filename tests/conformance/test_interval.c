/* Intervals and bands: what must hold for any sample, and how often they hold the true share. */
#include "support.h"

#include "weighted.h"

static void assert_same_interval(const dedpul_interval *a, const dedpul_interval *b)
{
    assert_int_equal(a->resamples, b->resamples);
    assert_true(a->low == b->low && a->high == b->high);
    assert_true(a->percentile_low == b->percentile_low && a->percentile_high == b->percentile_high);
    assert_true(a->upper_bound == b->upper_bound);
}

static void test_none_unless_asked_for(void **state)
{
    struct test_problem problem = problem_make(200, 500, 0.4, 2, 1);
    dedpul_result *without = problem_estimate(&problem, NULL);
    dedpul_result *with = problem_estimate(&problem, "resamples", "30", "bands", "on", NULL);
    (void)state;
    assert_null(without->interval);
    assert_null(without->posterior_low);
    assert_null(without->posterior_high);
    assert_int_equal(with->interval->resamples, 30);
    assert_near(with->interval->level, 0.95, 0);
    assert_near(with->alpha, without->alpha, 0);
    assert_memory_equal(with->posterior, without->posterior, with->n_unlabeled * sizeof *with->posterior);
    dedpul_result_free(without);
    dedpul_result_free(with);
    problem_free(&problem);
}

/* Rows drawn with replacement. */
static struct test_problem redraw(const struct test_problem *from, uint64_t seed)
{
    struct test_problem drawn = problem_make(from->n_p, from->n_u, from->alpha, 0, 1);
    struct rng rng;
    rng_init(&rng, seed, 5);
    for (size_t i = 0; i < drawn.n_p; i++)
        drawn.p[i] = from->p[rng_below(&rng, (uint32_t)from->n_p)];
    for (size_t i = 0; i < drawn.n_u; i++)
        drawn.u[i] = from->u[rng_below(&rng, (uint32_t)from->n_u)];
    return drawn;
}

/* Doubts about a resample are not doubts about the estimate. */
static void test_warnings_of_resamples(void **state)
{
    struct test_problem problem = problem_make(50, 1000, 0.01, 2, 1);
    size_t warned = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct test_problem drawn = redraw(&problem, seed);
        dedpul_result *result = problem_estimate(&drawn, "method", "dedpul", NULL);
        warned += has_warning(result, "trivial_root");
        dedpul_result_free(result);
        problem_free(&drawn);
    }
    assert_true(warned >= 4); /* so that among 100 resamples there are some */
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        char text[2] = {(char)('0' + threads), '\0'};
        dedpul_result *result =
            problem_estimate(&problem, "method", "dedpul", "resamples", "100", "threads", text, NULL);
        assert_false(has_warning(result, "trivial_root"));
        dedpul_result_free(result);
    }
    problem_free(&problem);
}

/* Every method on scores; more certainty is wider; threads make no difference, the seed does. */
static void test_conditions(void **state)
{
    struct test_problem problem = problem_make(200, 600, 0.4, 2, 2);
    (void)state;
    for (size_t m = 0; m < score_method_count(); m++) {
        const char *const name = dedpul_method_name(m);
        dedpul_result *a =
            problem_estimate(&problem, "method", name, "resamples", "16", "threads", "1", NULL);
        dedpul_result *b =
            problem_estimate(&problem, "method", name, "resamples", "16", "threads", "4", NULL);
        dedpul_result *wide =
            problem_estimate(&problem, "method", name, "resamples", "16", "level", "0.99", NULL);
        dedpul_result *other =
            problem_estimate(&problem, "method", name, "resamples", "16", "seed", "9", NULL);
        assert_same_interval(a->interval, b->interval);
        assert_true(0 <= a->interval->percentile_low &&
                    a->interval->percentile_low <= a->interval->percentile_high &&
                    a->interval->percentile_high <= 1);
        assert_true(a->interval->low <= a->interval->high);
        assert_true(wide->interval->percentile_low <= a->interval->percentile_low &&
                    a->interval->percentile_high <= wide->interval->percentile_high);
        assert_true(wide->interval->upper_bound > a->interval->upper_bound);
        assert_true(a->interval->upper_bound > 0.4 && a->interval->upper_bound <= 1);
        assert_true(other->interval->percentile_low != a->interval->percentile_low ||
                    other->interval->percentile_high != a->interval->percentile_high);
        dedpul_result_free(a);
        dedpul_result_free(b);
        dedpul_result_free(wide);
        dedpul_result_free(other);
    }
    problem_free(&problem);
}

/*
 * en_e1 is (1 - c) / c with c the mean score of labeled rows: its standard error follows from that of a
 * mean, and the interval must be as wide as 2 * 1.96 of them. With weights, too.
 */
static void test_width(void **state)
{
    enum { N = 2000, M = 4000 };
    static double weight_p[N], weight_u[M];
    struct test_problem problem = problem_make(N, M, 0.4, 1.5, 3);
    (void)state;
    for (size_t i = 0; i < N; i++)
        weight_p[i] = (double)(i % 4) * (i % 100 == 3 ? 30 : 0.7);
    for (size_t i = 0; i < M; i++)
        weight_u[i] = (double)(i % 2);
    for (int weighted = 0; weighted < 2; weighted++) {
        const dedpul_sample p = {N, problem.p, weighted ? weight_p : NULL};
        const dedpul_sample u = {M, problem.u, weighted ? weight_u : NULL};
        const double total = weighted_total(N, p.weight), mean = weighted_mean(N, problem.p, p.weight);
        double squares = 0;
        for (size_t i = 0; i < N; i++)
            squares += weight_at(p.weight, i) * (problem.p[i] - mean) * (problem.p[i] - mean);
        const double error = sqrt(squares) / total / mean / mean;
        dedpul_options options;
        dedpul_result *result;
        dedpul_options_init(&options);
        options.method = "en_e1";
        options.resamples = 500;
        assert_ok(dedpul_estimate_two(&p, &u, &options, &result, &test_error), &test_error);
        const double width = result->interval->percentile_high - result->interval->percentile_low;
        assert_near(width / (2 * 1.96 * error), 1, 0.12);
        assert_near((result->interval->percentile_high + result->interval->percentile_low) / 2, result->alpha,
                    error / 4);
        dedpul_result_free(result);
    }
    problem_free(&problem);
}

static void test_bands(void **state)
{
    struct test_problem problem = problem_make(300, 2000, 0.4, 2, 4);
    dedpul_result *result = problem_estimate(&problem, "resamples", "60", "bands", "on", NULL);
    size_t inside = 0;
    double width = 0;
    (void)state;
    for (size_t i = 0; i < result->n_unlabeled; i++) {
        assert_true(0 <= result->posterior_low[i] && result->posterior_low[i] <= result->posterior_high[i] &&
                    result->posterior_high[i] <= 1);
        inside += result->posterior_low[i] <= result->posterior[i] + 0.02 &&
                  result->posterior[i] <= result->posterior_high[i] + 0.02;
        width += (result->posterior_high[i] - result->posterior_low[i]) / (double)result->n_unlabeled;
    }
    assert_true((double)inside > 0.9 * (double)result->n_unlabeled);
    assert_true(width > 0.01 && width < 0.3);
    dedpul_result_free(result);
    problem_free(&problem);
}

/* The densities on the grid have an area of 1, and the ratio is that of the rows. */
static void test_grid(void **state)
{
    struct test_problem problem = problem_make(500, 2000, 0.4, 2, 5);
    (void)state;
    for (size_t d = 0; d < dedpul_density_count(); d++) {
        dedpul_result *result = problem_estimate(&problem, "density", dedpul_density_name(d), NULL);
        double area_p = 0, area_u = 0;
        assert_true(result->n_grid > 100);
        for (size_t g = 1; g < result->n_grid; g++) {
            const double step = result->grid_logit[g] - result->grid_logit[g - 1];
            assert_true(step > 0);
            area_p += step * (result->grid_positive[g] + result->grid_positive[g - 1]) / 2;
            area_u += step * (result->grid_unlabeled[g] + result->grid_unlabeled[g - 1]) / 2;
            assert_true(result->grid_ratio[g] >= 0 && isfinite(result->grid_ratio[g]));
        }
        assert_near(area_p, 1, 0.03);
        assert_near(area_u, 1, 0.03);
        dedpul_result_free(result);
    }
    dedpul_result *result = problem_estimate(&problem, "method", "en_e1", NULL);
    assert_int_equal(result->n_grid, 0); /* no density, nothing to draw */
    dedpul_result_free(result);
    problem_free(&problem);
}

/* A perfect classifier's score of a row of Laplace densities, positives at 0 and as many negatives at 2. */
static double laplace_score(struct rng *rng, bool positive)
{
    const double u = rng_uniform(rng) - 0.5;
    const double x = (positive ? 0 : 2) - copysign(log(1 - 2 * fabs(u)), u);
    const double ratio = 1 / (0.5 + 0.5 * exp(fabs(x) - fabs(x - 2)));
    return ratio / (1 + ratio) * (1 - 1e-6 * rng_uniform(rng)); /* no ties */
}

static void make_laplace(struct test_problem *problem, uint64_t seed)
{
    struct rng rng;
    rng_init(&rng, seed, 0);
    for (size_t i = 0; i < problem->n_p; i++)
        problem->p[i] = laplace_score(&rng, true);
    for (size_t i = 0; i < problem->n_u; i++)
        problem->u[i] = laplace_score(&rng, 2 * i < problem->n_u);
}

/*
 * Smoothing has a bias that resamples do not know of, so fewer intervals hold the true share than should: but
 * most do (docs/RESULTS.md has the measured shares). The bound always does.
 */
static void test_coverage(void **state)
{
    enum { DATA_SETS = 30 };
    (void)state;
    if (IS_SLOW)
        skip();
    for (int laplace = 0; laplace < 2; laplace++) {
        const double target = laplace ? 0.5 + 0.5 * exp(-2) : 0.5; /* alpha*: the least of f_u / f_p */
        size_t held = 0;
        for (uint64_t seed = 0; seed < DATA_SETS; seed++) {
            struct test_problem problem = problem_make(400, 1200, 0.5, 2, 100 + seed);
            if (laplace)
                make_laplace(&problem, seed);
            dedpul_result *result = problem_estimate(&problem, "method", "dedpul", "resamples", "40", NULL);
            held += result->interval->low <= target && target <= result->interval->high;
            assert_true(result->interval->upper_bound >= target);
            dedpul_result_free(result);
            problem_free(&problem);
        }
        assert_true(held >= 22);
    }
}

/* Too few rows, of which some resamples are all the same, or too few resamples: no interval. */
static void test_too_few(void **state)
{
    (void)state;
    for (int rows = 0; rows < 2; rows++) {
        struct test_problem problem = problem_make(rows ? 2 : 50, rows ? 2 : 50, 0.5, 2, 6);
        dedpul_result *result =
            problem_estimate(&problem, "resamples", rows ? "50" : "5", "bands", "on", NULL);
        assert_int_equal(result->interval->resamples, 0);
        assert_true(isnan(result->interval->percentile_low) && isnan(result->interval->high));
        assert_null(result->posterior_low);
        dedpul_result_free(result);
        problem_free(&problem);
    }
}

/* A share that is given has no interval, but posteriors have. */
static void test_given(void **state)
{
    struct test_problem problem = problem_make(100, 300, 0.5, 2, 7);
    dedpul_result *result =
        problem_estimate(&problem, "alpha", "0.4", "resamples", "20", "bands", "on", NULL);
    (void)state;
    assert_int_equal(result->interval->resamples, 0);
    assert_true(isnan(result->interval->percentile_low));
    assert_non_null(result->posterior_low);
    dedpul_result_free(result);
    problem_free(&problem);
}

/* Bandwidths by held-out likelihood are not chosen anew: the interval lies about alpha. */
static void test_auto(void **state)
{
    struct test_problem problem = problem_make(300, 900, 0.5, 2, 8);
    dedpul_result *result =
        problem_estimate(&problem, "bandwidth-p", "auto", "bandwidth-u", "auto", "resamples", "40", NULL);
    (void)state;
    assert_true(result->interval->percentile_low < result->alpha &&
                result->alpha < result->interval->percentile_high);
    assert_true(result->interval->percentile_high - result->interval->percentile_low < 0.25);
    dedpul_result_free(result);
    problem_free(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none_unless_asked_for),
        cmocka_unit_test(test_warnings_of_resamples),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_width),
        cmocka_unit_test(test_bands),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_given),
        cmocka_unit_test(test_auto),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
