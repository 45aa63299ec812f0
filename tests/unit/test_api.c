#include "support.h"

#include <stdio.h>
#include <unistd.h>

static void test_version(void **state)
{
    char expected[32];
    (void)state;
    (void)snprintf(expected, sizeof expected, "%d.%d.%d", DEDPUL_VERSION_MAJOR, DEDPUL_VERSION_MINOR,
                   DEDPUL_VERSION_PATCH);
    assert_string_equal(dedpul_version(), expected);
}

/* Two structs of different garbage are equal after init: every field has its default. */
static void test_options_init_sets_all(void **state)
{
    dedpul_options a, b;
    (void)state;
    memset(&a, 0xa5, sizeof a);
    memset(&b, 0x5a, sizeof b);
    dedpul_options_init(&a);
    dedpul_options_init(&b);
    assert_memory_equal(&a, &b, sizeof a);
    assert_string_equal(a.method, "pooled");
    assert_string_equal(a.density, "kde");
    assert_near(a.bandwidth_p.value, 0.12, 0);
    assert_near(a.bandwidth_u.value, 0.08, 0);
    assert_int_equal(a.smoothing, DEDPUL_SMOOTHING_TREND);
    assert_int_equal(a.solver, DEDPUL_SOLVER_EXACT);
    assert_true(isnan(a.alpha));
    assert_null(a.allocator);
}

static void test_options_set(void **state)
{
    dedpul_options options;
    (void)state;
    dedpul_options_init(&options);
    assert_ok(dedpul_options_set(&options, "bandwidth-p", "0.25", &test_error), &test_error);
    assert_int_equal(options.bandwidth_p.rule, DEDPUL_BANDWIDTH_ABSOLUTE);
    assert_ok(dedpul_options_set(&options, "bandwidth-u", "0.5sd", &test_error), &test_error);
    assert_int_equal(options.bandwidth_u.rule, DEDPUL_BANDWIDTH_FACTOR);
    assert_near(options.bandwidth_u.value, 0.5, 0);
    assert_ok(dedpul_options_set(&options, "bandwidth-u", "auto", &test_error), &test_error);
    assert_int_equal(options.bandwidth_u.rule, DEDPUL_BANDWIDTH_AUTO);
    assert_ok(dedpul_options_set(&options, "smoothing", "none", &test_error), &test_error);
    assert_int_equal(options.smoothing, DEDPUL_SMOOTHING_NONE);
    assert_ok(dedpul_options_set(&options, "solver", "em", &test_error), &test_error);
    assert_ok(dedpul_options_set(&options, "seed", "18446744073709551615", &test_error), &test_error);
    assert_true(options.seed == UINT64_MAX);
    assert_ok(dedpul_options_set(&options, "threads", "3", &test_error), &test_error);
    assert_int_equal(options.threads, 3);
    assert_ok(dedpul_options_set(&options, "alpha", "0.25", &test_error), &test_error);
    assert_ok(dedpul_options_set(&options, "density", "gmm", &test_error), &test_error);
    assert_string_equal(options.density, "gmm");
}

static void test_options_refused(void **state)
{
    static const char *const cases[][3] = {
        {"alpha", "1.5", "alpha: '1.5' is not a share between 0 and 1"},
        {"alpha", "nan", "'nan'"},
        {"method", "dedpool", "unknown method 'dedpool'; did you mean 'dedpul'?"},
        {"density", "kdee", "unknown density 'kdee'; did you mean 'kde'?"},
        {"smoothing", "tren", "is not trend|paper|none"},
        {"bandwidth-p", "0", "positive number"},
        {"bandwidth-p", "-1sd", "positive number"},
        {"bandwidth-p", "sd", "positive number"},
        {"bandwidth-p", "inf", "positive number"},
        {"seed", "-1", "whole number"},
        {"threads", "99999999", "whole number"},
        {"solver", "", "is not exact|em"},
        {"smothing", "trend", "unknown option 'smothing'; did you mean 'smoothing'?"},
    };
    dedpul_options options;
    (void)state;
    dedpul_options_init(&options);
    for (size_t i = 0; i < LENGTH(cases); i++) {
        assert_int_equal(dedpul_options_set(&options, cases[i][0], cases[i][1], &test_error),
                         DEDPUL_INVALID_ARGUMENT);
        assert_contains(test_error.message, cases[i][2]);
    }
    assert_int_equal(dedpul_options_set(NULL, "alpha", "1", NULL), DEDPUL_INVALID_ARGUMENT);
}

/* Each entry has a name of its own and a summary, and there is nothing behind the last. */
static void check_registry(size_t count, const char *(*name)(size_t), const char *(*summary)(size_t))
{
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        assert_true(strlen(name(i)) > 0 && strlen(summary(i)) > 10);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(name(k), name(i));
    }
    assert_null(name(count));
    assert_null(summary(count));
}

static void test_registries(void **state)
{
    (void)state;
    check_registry(dedpul_method_count(), dedpul_method_name, dedpul_method_summary);
    check_registry(dedpul_density_count(), dedpul_density_name, dedpul_density_summary);
    check_registry(dedpul_classifier_count(), dedpul_classifier_name, dedpul_classifier_summary);
    assert_string_equal(dedpul_method_name(0), "pooled");
    assert_null(dedpul_option_at(dedpul_option_count()));
}

/* ---- bad calls ---- */

static void expect_failure(const dedpul_sample *p, const dedpul_sample *u, const dedpul_options *options,
                           dedpul_status status, const char *message)
{
    dedpul_result *result = (dedpul_result *)&test_error; /* must stay as it is */
    assert_int_equal(dedpul_estimate_two(p, u, options, &result, &test_error), status);
    assert_int_equal(test_error.status, status);
    assert_contains(test_error.message, message);
    assert_ptr_equal(result, &test_error);
    assert_int_equal(dedpul_estimate_two(p, u, options, &result, NULL), status); /* nobody listens */
}

static void test_bad_samples(void **state)
{
    static const double good[] = {0.2, 0.4, 0.6, 0.8}, high[] = {0.2, 1.5}, with_nan[] = {0.1, NAN},
                        one[] = {0.5}, equal[] = {0.5, 0.5}, saturated[] = {1, 1 - 1e-14},
                        tiny[] = {1e-14, 5e-13}, weight[] = {1, -1, 1, 1}, light[] = {0.1, 0.1, 0.1, 0.1},
                        zero[] = {0, 0, 0, 0}, heavy[] = {1e15, 1e15, 1, 1}, infinite[] = {INFINITY, 1, 1, 1};
    const dedpul_sample fine = {4, good, NULL};
    (void)state;
    expect_failure(NULL, &fine, NULL, DEDPUL_INVALID_ARGUMENT, "must not be NULL");
    expect_failure(&(dedpul_sample){2, NULL, NULL}, &fine, NULL, DEDPUL_INVALID_ARGUMENT,
                   "positive.score must not be NULL");
    expect_failure(&(dedpul_sample){2, high, NULL}, &fine, NULL, DEDPUL_INVALID_DATA,
                   "positive.score[1] is 1.5: scores must lie in [0, 1]");
    expect_failure(&fine, &(dedpul_sample){2, with_nan, NULL}, NULL, DEDPUL_INVALID_DATA,
                   "unlabeled.score[1] is nan");
    expect_failure(&fine, &(dedpul_sample){1, one, NULL}, NULL, DEDPUL_INVALID_DATA,
                   "there are 1 unlabeled rows");
    expect_failure(&(dedpul_sample){0, NULL, NULL}, &fine, NULL, DEDPUL_INVALID_DATA,
                   "there are 0 labeled positive rows");
    expect_failure(&(dedpul_sample){2, equal, NULL}, &(dedpul_sample){2, equal, NULL}, NULL,
                   DEDPUL_INVALID_DATA, "all scores are equal (0.5)");
    expect_failure(&(dedpul_sample){2, saturated, NULL}, &(dedpul_sample){2, saturated, NULL}, NULL,
                   DEDPUL_INVALID_DATA, "within 1e-12 of 1");
    expect_failure(&(dedpul_sample){2, tiny, NULL}, &(dedpul_sample){2, tiny, NULL}, NULL,
                   DEDPUL_INVALID_DATA, "within 1e-12 of 0, where they count as equal");
    expect_failure(&(dedpul_sample){4, good, weight}, &fine, NULL, DEDPUL_INVALID_DATA,
                   "positive.weight[1] is -1");
    expect_failure(&fine, &(dedpul_sample){4, good, infinite}, NULL, DEDPUL_INVALID_DATA,
                   "unlabeled.weight[0] is inf");
    expect_failure(&fine, &(dedpul_sample){4, good, light}, NULL, DEDPUL_INVALID_DATA,
                   "of total weight 0.4: at least 2 are needed (weights are counts of rows)");
    expect_failure(&fine, &(dedpul_sample){4, good, zero}, NULL, DEDPUL_INVALID_DATA, "there are 0");
    expect_failure(&fine, &(dedpul_sample){4, good, heavy}, NULL, DEDPUL_INVALID_DATA, "add up to");
    expect_failure(&fine, &(dedpul_sample){(size_t)1 << 33, good, NULL}, NULL, DEDPUL_INVALID_DATA,
                   "at most");
}

static void test_bad_labels(void **state)
{
    static const double score[] = {0.2, 0.4, 0.6, 0.8};
    static const unsigned char label[] = {1, 0, 2, 0};
    const dedpul_sample rows = {4, score, NULL};
    dedpul_result *result;
    (void)state;
    assert_int_equal(dedpul_estimate(&rows, label, NULL, &result, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "label[2] is 2");
    assert_int_equal(dedpul_estimate(&rows, NULL, NULL, &result, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_estimate(NULL, label, NULL, &result, &test_error), DEDPUL_INVALID_ARGUMENT);
}

static void test_bad_options(void **state)
{
    static const double good[] = {0.2, 0.4, 0.6, 0.8};
    const dedpul_sample fine = {4, good, NULL};
    dedpul_options options;
    (void)state;
#define CHECK(change, message)                                                    \
    do {                                                                          \
        dedpul_options_init(&options);                                            \
        options.change;                                                           \
        expect_failure(&fine, &fine, &options, DEDPUL_INVALID_ARGUMENT, message); \
    } while (0)
    CHECK(method = "nothing", "unknown method 'nothing'");
    CHECK(method = NULL, "dedpul_options_init");
    CHECK(density = "x", "unknown density 'x'");
    CHECK(alpha = 1.5, "alpha: '1.5'");
    CHECK(smoothing = (dedpul_smoothing)9, "smoothing");
    CHECK(solver = (dedpul_solver)9, "solver");
    CHECK(bandwidth_p.value = -1, "bandwidth-p");
    CHECK(bandwidth_u.value = INFINITY, "bandwidth-u");
    CHECK(bandwidth_u.rule = (dedpul_bandwidth_rule)9, "bandwidth-u");
#undef CHECK
    dedpul_options_init(&options);
    options.bandwidth_u = (dedpul_bandwidth){DEDPUL_BANDWIDTH_ABSOLUTE, 1e-9};
    expect_failure(&fine, &fine, &options, DEDPUL_INVALID_ARGUMENT, "bandwidth-u: 1e-09 is too small");
    dedpul_options_init(&options);
    options.density = "gmm";
    options.bandwidth_p.rule = DEDPUL_BANDWIDTH_ABSOLUTE;
    expect_failure(&fine, &fine, &options, DEDPUL_INVALID_ARGUMENT, "density gmm has no bandwidth");
}

/* ---- results ---- */

/* Two arrays, or the same rows mixed into one with labels: the same answer. */
static void test_labels_as_two_arrays(void **state)
{
    struct test_problem problem = problem_make(200, 1000, 0.3, 2, 5);
    double score[1200];
    unsigned char label[1200];
    const dedpul_sample rows = {1200, score, NULL};
    dedpul_result *two = problem_estimate(&problem, NULL), *one;
    (void)state;
    for (size_t i = 0; i < 1200; i++) {
        label[i] = i % 6 == 0;
        score[i] = label[i] ? problem.p[i / 6] : problem.u[i - i / 6 - 1];
    }
    assert_ok(dedpul_estimate(&rows, label, NULL, &one, &test_error), &test_error);
    assert_same_result(one, two);
    assert_int_equal(one->n_positive, 200);
    assert_near(one->weight_unlabeled, 1000, 0);
    dedpul_result_free(one);
    dedpul_result_free(two);
    problem_free(&problem);
}

static void test_result_fields(void **state)
{
    struct test_problem problem = problem_make(500, 3000, 0.4, 3, 6);
    dedpul_result *result = problem_estimate(&problem, "method", "dedpul", NULL);
    double mean = 0, mean_ratio = 0;
    (void)state;
    assert_string_equal(result->method, "dedpul");
    assert_string_equal(result->density, "kde");
    assert_string_equal(dedpul_rule_name(result->rule), "root");
    assert_near(result->alpha, 0.4, 0.05);
    assert_near(result->alpha, result->alpha_c, 0);
    assert_near(result->scale, result->alpha, 0);
    assert_true(result->bandwidth_p > 0 && result->bandwidth_u > 0);
    assert_int_equal(result->n_warnings, 0);
    for (size_t i = 0; i < result->n_unlabeled; i++) {
        assert_near(result->posterior[i], fmin(1, result->alpha * result->ratio[i]), 0);
        mean += result->posterior[i] / (double)result->n_unlabeled;
        mean_ratio += result->ratio[i] / (double)result->n_unlabeled;
    }
    assert_near(mean, result->alpha, 1e-12); /* what makes it the root of D */
    assert_near(mean_ratio, result->mean_ratio, 1e-10);
    assert_near(result->curve_alpha[1], 0.001, 1e-15);
    double capped = 0;
    for (size_t i = 0; i < result->n_unlabeled; i++)
        capped += fmin(result->ratio[i], 1) / (double)result->n_unlabeled;
    assert_int_equal(result->n_curve, 1001);
    assert_near(result->curve_d[1000], 1 - capped, 1e-12);
    dedpul_result_free(result);
    dedpul_result_free(NULL);
    problem_free(&problem);
}

static void test_evaluate(void **state)
{
    struct test_problem problem = problem_make(300, 2000, 0.4, 2, 7);
    dedpul_result *result = problem_estimate(&problem, NULL);
    double ratio[2000], posterior[2000], ends[] = {0, 1}, bad[] = {0.5, -0.1};
    (void)state;
    assert_ok(dedpul_result_evaluate(result, 2000, problem.u, ratio, posterior, &test_error), &test_error);
    for (size_t i = 0; i < 2000; i++) { /* at its own scores, the result's own values */
        assert_near(ratio[i], result->ratio[i], 1e-9 * ratio[i]);
        assert_near(posterior[i], result->posterior[i], 1e-9);
    }
    assert_ok(dedpul_result_evaluate(result, 2, ends, NULL, posterior, &test_error), &test_error);
    double lowest = 1, highest = 0;
    for (size_t i = 0; i < 2000; i++) {
        if (problem.u[i] < lowest) {
            lowest = problem.u[i];
            ratio[0] = result->posterior[i];
        }
        if (problem.u[i] > highest) {
            highest = problem.u[i];
            ratio[1] = result->posterior[i];
        }
    }
    assert_near(posterior[0], ratio[0], 0); /* constant beyond the ends */
    assert_near(posterior[1], ratio[1], 0);
    const dedpul_result stored = {.n_scales = result->n_scales,
                                  .scales = result->scales,
                                  .scale_weights = result->scale_weights,
                                  .n_points = result->n_points,
                                  .point_logit = result->point_logit,
                                  .point_ratio = result->point_ratio};
    const dedpul_result empty = {.scale = 1};
    double same[2];
    assert_ok(dedpul_result_evaluate(&stored, 2, ends, NULL, same, &test_error), &test_error);
    assert_memory_equal(same, posterior, sizeof same);
    dedpul_result older = stored; /* of a program that knows of one scale alone */
    older.n_scales = 0;
    older.scale = result->scale;
    assert_ok(dedpul_result_evaluate(&older, 2, ends, ratio, same, &test_error), &test_error);
    assert_near(same[0], fmin(result->scale * ratio[0], 1), 0);
    older.n_scales = 1000;
    assert_int_equal(dedpul_result_evaluate(&older, 2, ends, NULL, same, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    for (size_t i = 1; i < result->n_points; i++)
        assert_true(result->point_logit[i - 1] < result->point_logit[i]);
    assert_int_equal(dedpul_result_evaluate(&empty, 2, ends, NULL, same, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_ok(dedpul_result_evaluate(result, 0, NULL, NULL, NULL, &test_error), &test_error);
    assert_int_equal(dedpul_result_evaluate(result, 2, bad, NULL, posterior, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "score[1] is -0.1");
    assert_int_equal(dedpul_result_evaluate(NULL, 1, bad, NULL, NULL, NULL), DEDPUL_INVALID_ARGUMENT);
    dedpul_result_free(result);
    problem_free(&problem);
}

static void test_known_alpha(void **state)
{
    struct test_problem problem = problem_make(300, 2000, 0.4, 3, 8);
    dedpul_result *result = problem_estimate(&problem, "alpha", "0.3", NULL);
    double mean = 0;
    (void)state;
    assert_near(result->alpha, 0.3, 0);
    assert_int_equal(result->rule, DEDPUL_RULE_GIVEN);
    for (size_t i = 0; i < 2000; i++)
        mean += result->posterior[i] / 2000;
    assert_near(mean, 0.3, 1e-12);
    dedpul_result_free(result);
    result = problem_estimate(&problem, "alpha", "1", NULL);
    assert_true(has_warning(result, "prior_not_supported"));
    assert_near(result->scale, 50, 0);
    dedpul_result_free(result);
    problem_free(&problem);
}

/* max_slope is used, and said to be, just where D has only the trivial root. */
static void test_trivial_root(void **state)
{
    int trivial = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct test_problem problem = problem_make(20, 100, 0.3, 3, seed);
        struct rng rng;
        rng_init(&rng, seed, 1);
        for (size_t i = 0; i < problem.n_p; i++)
            problem.p[i] = 1 / (1 + exp(-1 - random_normal(&rng)));
        for (size_t i = 0; i < problem.n_u; i++)
            problem.u[i] = 1 / (1 + exp(-(i < 30) - random_normal(&rng)));
        dedpul_result *result = problem_estimate(&problem, "method", "dedpul", "smoothing",
                                                 seed % 2 == 0 ? "none" : "trend", NULL);
        const bool is_trivial = result->mean_ratio < 1;
        assert_int_equal(result->rule, is_trivial ? DEDPUL_RULE_MAX_SLOPE : DEDPUL_RULE_ROOT);
        assert_int_equal(has_warning(result, "trivial_root"), is_trivial);
        assert_near(result->alpha, is_trivial ? result->alpha_n : result->alpha_c, 0);
        trivial += is_trivial;
        dedpul_result_free(result);
        problem_free(&problem);
    }
    assert_true(trivial > 5 && trivial < 35); /* both were seen */
}

static void test_uninformative_scores(void **state)
{
    (void)state;
    for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
        struct test_problem problem = problem_make(300, 2000, 0.5, 3, 9);
        for (size_t i = 0; i < problem.n_u; i++) /* as labeled rows, or above them */
            problem.u[i] = is_reversed ? 0.9 + 1e-5 * (double)i : problem.p[i % 300];
        dedpul_result *result = problem_estimate(&problem, NULL);
        assert_true(has_warning(result, "uninformative_scores"));
        assert_int_equal(strstr(result->warnings[0].message, "are they reversed") != NULL, is_reversed);
        dedpul_result_free(result);
        problem_free(&problem);
    }
}

static void test_write_files(void **state)
{
    static const double score[] = {0.1, 0.9, 0.30000000000000004, 0.8, 0.2, 0.7, 0.5, 0.6};
    static const unsigned char label[] = {0, 1, 0, 1, 0, 0, 0, 1};
    const dedpul_sample rows = {8, score, NULL};
    char path[] = "/tmp/dedpul-test-XXXXXX", line[200];
    double alpha, d, read_score;
    unsigned row;
    dedpul_result *result;
    (void)state;
    (void)close(mkstemp(path));
    assert_ok(dedpul_estimate(&rows, label, NULL, &result, &test_error), &test_error);
    assert_ok(dedpul_result_write(result, &rows, label, NULL, path, NULL, &test_error), &test_error);
    FILE *file = fopen(path, "r");
    assert_string_equal(fgets(line, sizeof line, file), "row,score,ratio,posterior\n");
    assert_int_equal(fscanf(file, "%u,%lf,%lf,%lf", &row, &read_score, &alpha, &d), 4);
    assert_int_equal(row, 1);
    assert_int_equal(fscanf(file, "%u,%lf,%lf,%lf", &row, &read_score, &alpha, &d), 4);
    assert_int_equal(row, 3);
    assert_true(read_score == score[2]);
    assert_near(d, result->posterior[1], 1e-11);
    (void)fclose(file);
    static const size_t offset[] = {0, 1, 2, 2, 3, 6, 7, 8, 9};
    const dedpul_ids ids = {"who", "abcd,efgh", offset};
    assert_ok(dedpul_result_write(result, &rows, label, &ids, path, NULL, &test_error), &test_error);
    file = fopen(path, "r");
    assert_string_equal(fgets(line, sizeof line, file), "who,row,score,ratio,posterior\n");
    assert_int_equal(strncmp(fgets(line, sizeof line, file), "a,1,0.1,", 8), 0);
    assert_int_equal(strncmp(fgets(line, sizeof line, file), ",3,0.3", 6), 0);
    assert_int_equal(strncmp(fgets(line, sizeof line, file), "\"d,e\",5,0.2,", 12), 0);
    (void)fclose(file);
    assert_ok(dedpul_scores_write(path, &rows, label, &ids, &test_error), &test_error);
    file = fopen(path, "r");
    assert_string_equal(fgets(line, sizeof line, file), "who,row,label,score\n");
    assert_string_equal(fgets(line, sizeof line, file), "a,1,0,0.1\n");
    assert_string_equal(fgets(line, sizeof line, file), "b,2,1,0.9\n");
    (void)fclose(file);
    assert_ok(dedpul_result_write(result, &rows, label, NULL, NULL, path, &test_error), &test_error);
    file = fopen(path, "r");
    assert_string_equal(fgets(line, sizeof line, file), "alpha,d\n");
    for (size_t j = 0; j < DEDPUL_CURVE_POINTS; j++) {
        assert_int_equal(fscanf(file, "%lf,%lf", &alpha, &d), 2);
        assert_near(alpha, result->curve_alpha[j], 1e-9);
        assert_near(d, result->curve_d[j], 1e-11);
    }
    (void)fclose(file);
    (void)unlink(path);
    assert_int_equal(dedpul_result_write(result, &rows, NULL, NULL, path, NULL, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "8 unlabeled rows, but the result is about 5");
    assert_int_equal(dedpul_result_write(NULL, &rows, NULL, NULL, path, NULL, NULL), DEDPUL_INVALID_ARGUMENT);
    /* One that cannot be written takes the other with it. */
    assert_int_equal(dedpul_result_write(result, &rows, label, NULL, path, "/nonexistent/x", &test_error),
                     DEDPUL_IO);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(dedpul_result_write(result, &rows, label, NULL, path, "/dev/full", &test_error),
                     DEDPUL_IO);
    assert_int_equal(access(path, F_OK), -1);
    dedpul_result_free(result);
}

/* The length is told whatever the capacity, and nothing is written beyond it. */
static void test_bins_query(void **state)
{
    char whole[8192], cut[64];
    size_t length, same;
    dedpul_columns columns;
    dedpul_error error;
    (void)state;
    dedpul_columns_init(&columns);
    columns.score = "{query}\"";
    assert_ok(dedpul_bins_query("duckdb", "SELECT 1;\n", &columns, 0, NULL, &length, &error), &error);
    assert_ok(dedpul_bins_query("duckdb", "SELECT 1;\n", &columns, sizeof whole, whole, &same, &error),
              &error);
    assert_int_equal(same, length);
    assert_int_equal(strlen(whole), length);
    assert_non_null(
        strstr(whole, "CAST(dedpul_source.\"{query}\"\"\" AS double precision) AS score, 1 AS weight"));
    assert_non_null(strstr(whole, "\nSELECT 1\n"));
    memset(cut, 'x', sizeof cut);
    assert_ok(dedpul_bins_query("duckdb", "SELECT 1", &columns, sizeof cut - 1, cut, &same, &error), &error);
    assert_int_equal(same, length);
    assert_int_equal(cut[0], '\0');
    assert_int_equal(cut[sizeof cut - 1], 'x');
    assert_int_equal(dedpul_bins_query("oracle", "SELECT 1", NULL, 0, NULL, &same, NULL),
                     DEDPUL_INVALID_ARGUMENT);
    assert_string_equal(dedpul_sql_dialect_name(0), "postgres");
    assert_null(dedpul_sql_dialect_name(3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_options_init_sets_all),
        cmocka_unit_test(test_options_set),
        cmocka_unit_test(test_options_refused),
        cmocka_unit_test(test_registries),
        cmocka_unit_test(test_bad_samples),
        cmocka_unit_test(test_bad_labels),
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_labels_as_two_arrays),
        cmocka_unit_test(test_result_fields),
        cmocka_unit_test(test_evaluate),
        cmocka_unit_test(test_known_alpha),
        cmocka_unit_test(test_trivial_root),
        cmocka_unit_test(test_uninformative_scores),
        cmocka_unit_test(test_write_files),
        cmocka_unit_test(test_bins_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
