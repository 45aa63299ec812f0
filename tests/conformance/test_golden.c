/* Values computed independently, by direct evaluation in double precision. */
#include "support.h"

#include <jansson.h>
#include <stdio.h>

static const char *const smoothings[] = {"none", "paper", "trend"};

static json_t *expected;

static int load_expected(void **state)
{
    (void)state;
    expected = json_load_file(GOLDEN_DIRECTORY "/expected.json", 0, NULL);
    return expected == NULL;
}

static int free_expected(void **state)
{
    (void)state;
    json_decref(expected);
    return 0;
}

/* The number at a path of up to three keys. */
static double number_at(const json_t *value, const char *a, const char *b, const char *c)
{
    value = json_object_get(value, a);
    if (b != NULL)
        value = json_object_get(value, b);
    if (c != NULL)
        value = json_object_get(value, c);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static dedpul_score_table *load_scores(const char *name)
{
    char path[500];
    dedpul_score_table *table;
    (void)snprintf(path, sizeof path, "%s/%s.csv", GOLDEN_DIRECTORY, name);
    assert_ok(dedpul_score_table_read(path, NULL, NULL, &table, &test_error), &test_error);
    return table;
}

static dedpul_result *estimate(const dedpul_score_table *table, const dedpul_options *options)
{
    dedpul_result *result;
    assert_ok(dedpul_estimate(&table->rows, table->label, options, &result, &test_error), &test_error);
    return result;
}

/* The columns raw_ratio, ratio_paper, posterior_paper, ratio_trend, posterior_trend. */
static void check_rows(const char *name, dedpul_smoothing smoothing, const dedpul_result *result,
                       bool is_straight)
{
    char path[500], header[200];
    (void)snprintf(path, sizeof path, "%s/%s.expected.csv", GOLDEN_DIRECTORY, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(header, sizeof header, file));
    for (size_t i = 0; i < result->n_unlabeled; i++) {
        double raw, ratio[2], posterior[2];
        assert_int_equal(
            fscanf(file, "%lf,%lf,%lf,%lf,%lf", &raw, &ratio[0], &posterior[0], &ratio[1], &posterior[1]), 5);
        const int column = smoothing == DEDPUL_SMOOTHING_PAPER ? 0 : 1;
        const double wanted = smoothing == DEDPUL_SMOOTHING_NONE ? raw : ratio[column];
        assert_near(result->ratio[i], wanted, fmax(1e-9, 1e-6 * wanted));
        if (smoothing != DEDPUL_SMOOTHING_NONE && !is_straight)
            assert_near(result->posterior[i], posterior[column], 1e-6);
    }
    (void)fclose(file);
}

/* The expected values are of the paper's kernels. */
static void paper_options(dedpul_options *options)
{
    dedpul_options_init(options);
    options->method = "dedpul";
    options->bandwidth_p.value = 0.1;
    options->bandwidth_u.value = 0.05;
}

static void check_smoothing(const char *name, const json_t *want, const dedpul_score_table *table,
                            dedpul_smoothing smoothing)
{
    const char *key = smoothings[smoothing == DEDPUL_SMOOTHING_NONE    ? 0
                                 : smoothing == DEDPUL_SMOOTHING_PAPER ? 1
                                                                       : 2];
    /*
     * In `tiny` D(alpha) is a straight line as far as alpha_n may look (D < 0.05), so that the largest
     * second difference, and the expected alpha_n with it, is rounding noise.
     */
    const bool is_straight = strcmp(name, "tiny") == 0;
    dedpul_options options;
    paper_options(&options);
    options.smoothing = smoothing;
    dedpul_result *result = estimate(table, &options);
    assert_int_equal(result->n_positive, (size_t)number_at(want, "n_positive", NULL, NULL));
    assert_int_equal(result->n_unlabeled, (size_t)number_at(want, "n_unlabeled", NULL, NULL));
    assert_near(result->alpha_c, number_at(want, key, "alpha_c", NULL), 1e-6);
    assert_near(result->mean_ratio, number_at(want, key, "mean_r", NULL), 1e-6);
    if (!is_straight) {
        assert_near(result->alpha, number_at(want, key, "alpha", NULL), 1e-6);
        assert_near(result->alpha_n, number_at(want, key, "alpha_n", NULL), 1e-9);
    }
    check_rows(name, smoothing, result, is_straight);
    dedpul_result_free(result);

    options.solver = DEDPUL_SOLVER_EM;
    result = estimate(table, &options);
    assert_near(result->alpha_c, number_at(want, key, "alpha_em", NULL), 1e-8);
    dedpul_result_free(result);
}

static void check_method(const dedpul_score_table *table, const char *method, double alpha)
{
    dedpul_options options;
    paper_options(&options);
    options.method = method;
    dedpul_result *result = estimate(table, &options);
    assert_near(result->alpha, alpha, 1e-9);
    dedpul_result_free(result);
}

static void test_golden(void **state)
{
    const char *name;
    json_t *want;
    size_t cases = 0;
    (void)state;
    json_object_foreach(expected, name, want)
    {
        dedpul_score_table *table = load_scores(name);
        dedpul_options options;
        check_smoothing(name, want, table, DEDPUL_SMOOTHING_NONE);
        check_smoothing(name, want, table, DEDPUL_SMOOTHING_PAPER);
        check_smoothing(name, want, table, DEDPUL_SMOOTHING_TREND);
        paper_options(&options);
        options.smoothing = DEDPUL_SMOOTHING_PAPER;
        options.alpha = 0.3;
        dedpul_result *result = estimate(table, &options);
        assert_near(result->scale, number_at(want, "known_alpha_0_3_scale", NULL, NULL), 1e-6);
        dedpul_result_free(result);
        check_method(table, "en_e1", number_at(want, "en", "e1", NULL));
        check_method(table, "en_e3", number_at(want, "en", "e3", NULL));
        check_method(table, "bbe", number_at(want, "bbe", NULL, NULL));
        check_method(table, "dedpul_bbe", number_at(want, "dedpul_bbe", NULL, NULL));
        dedpul_score_table_free(table);
        cases++;
    }
    assert_int_equal(cases, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden)};
    return cmocka_run_group_tests(tests, load_expected, free_expected);
}
