/* For every n, the n-th allocation fails once: a clean error, and nothing leaked. */
#include "columns.h"
#include "reading.h"

static void check_estimate(const char *method, const char *density, bool is_auto, bool weighted)
{
    struct test_problem problem = problem_make(40, 150, 0.4, 2, 1);
    double ones[150];
    dedpul_options options;
    size_t failures = 0;
    for (size_t i = 0; i < 150; i++)
        ones[i] = 1 + (double)(i % 3);
    dedpul_options_init(&options);
    options.method = method;
    options.density = density;
    options.threads = 1;
    options.resamples = strcmp(method, "bbe") == 0 ? 12 : 0;
    options.bands =
        options.resamples > 0 || strcmp(method, "pooled") == 0; /* 200 resamples would take long */
    if (is_auto)
        options.bandwidth_p.rule = options.bandwidth_u.rule = DEDPUL_BANDWIDTH_AUTO;
    const dedpul_sample p = {40, problem.p, weighted ? ones : NULL},
                        u = {150, problem.u, weighted ? ones : NULL};
    for (size_t n = 0;; n += is_auto && n > 100 ? 17 : 1) { /* automatic choices allocate thousands */
        struct failing failing = {0, n, 0};
        const dedpul_allocator allocator = {&failing, failing_resize};
        dedpul_result *result = NULL;
        options.allocator = &allocator;
        const dedpul_status status = dedpul_estimate_two(&p, &u, &options, &result, &test_error);
        if (status == DEDPUL_OK) {
            assert_true(failing.calls <= n);
            dedpul_result_free(result);
            assert_int_equal(failing.blocks, 0);
            break;
        }
        assert_int_equal(status, DEDPUL_NO_MEMORY);
        assert_int_equal(test_error.status, DEDPUL_NO_MEMORY);
        assert_contains(test_error.message, "out of memory");
        assert_null(result);
        assert_int_equal(failing.blocks, 0);
        failures++;
    }
    assert_true(failures > 5);
    problem_free(&problem);
}

static void test_estimate(void **state)
{
    (void)state;
    for (size_t m = 0; m < score_method_count(); m++)
        for (size_t d = 0; d < dedpul_density_count(); d++)
            for (int weighted = 0; weighted < 2; weighted++)
                if (!IS_SLOW || (m + d) % 2 == (size_t)weighted)
                    check_estimate(dedpul_method_name(m), dedpul_density_name(d), false, weighted);
    for (size_t d = 0; d < dedpul_density_count(); d++)
        check_estimate("dedpul", dedpul_density_name(d), true, d == 0);
}

static void test_evaluation(void **state)
{
    enum { N_P = 40, N_U = 150, N = N_P + N_U };
    struct test_problem problem = problem_make(N_P, N_U, 0.4, 2, 1);
    dedpul_result *result = problem_estimate(&problem, NULL);
    double score[N];
    unsigned char label[N], truth[N];
    dedpul_evaluate_options options;
    size_t failures = 0;
    (void)state;
    for (size_t i = 0; i < N; i++) {
        label[i] = i < N_P;
        truth[i] = (unsigned char)(i % 3);
        score[i] = i < N_P ? problem.p[i] : problem.u[i - N_P];
    }
    const dedpul_sample rows = {N, score, NULL};
    dedpul_evaluate_options_init(&options);
    options.threads = 1;
    for (size_t n = 0;; n++) {
        struct failing failing = {0, n, 0};
        const dedpul_allocator allocator = {&failing, failing_resize};
        dedpul_evaluation *evaluation = NULL;
        options.allocator = &allocator;
        const dedpul_status status =
            dedpul_evaluate(result, &rows, label, truth, &options, &evaluation, &test_error);
        if (status == DEDPUL_OK) {
            dedpul_evaluation_free(evaluation);
            assert_int_equal(failing.blocks, 0);
            break;
        }
        assert_int_equal(status, DEDPUL_NO_MEMORY);
        assert_contains(test_error.message, "out of memory");
        assert_null(evaluation);
        assert_int_equal(failing.blocks, 0);
        failures++;
    }
    assert_true(failures > 20);
    dedpul_result_free(result);
    problem_free(&problem);
}

static void test_score_table(void **state)
{
    static const dedpul_columns columns = {
        .label = "label", .score = "score", .weight = "w", .truth = "t", .id = "i"};
    char text[40000] = "label,score,w,t,i\n";
    size_t length = strlen(text), failures = 0;
    (void)state;
    while (length + 30 < sizeof text) { /* enough rows for the arrays to grow */
        (void)strcpy(text + length, "1,0.5,2,1,first\n0,0.25,3,,\n");
        length += strlen(text + length);
    }
    for (size_t n = 0;; n++) {
        struct failing failing = {0, n, 0};
        const dedpul_allocator allocator = {&failing, failing_resize};
        struct stream stream;
        dedpul_score_table *table = NULL;
        stream_open_memory(&stream, "test", text, length);
        const dedpul_status status =
            score_table_from_stream(&stream, &columns, &allocator, &table, &test_error);
        if (status == DEDPUL_OK) {
            dedpul_score_table_free(table);
            assert_int_equal(failing.blocks, 0);
            break;
        }
        assert_int_equal(status, DEDPUL_NO_MEMORY);
        assert_contains(test_error.message, "out of memory");
        assert_int_equal(failing.blocks, 0);
        failures++;
    }
    assert_true(failures > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_estimate),
        cmocka_unit_test(test_evaluation),
        cmocka_unit_test(test_score_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
