/* Fits whose labeled rows are of several kinds, which were labeled at different rates. */
#include "fitting.h"
#include "reading.h"

enum { N_LABELED = 400, N_UNLABELED = 2000, N = N_LABELED + N_UNLABELED, WIDTH = 3 };

static const double labeled_of_a = 0.9, shares[2] = {0.1, 0.2};

struct rows {
    float x[N * WIDTH];
    unsigned char label[N];
    const char *kind[N];
    double weight[N];
};

/* Kind a is at (4, 0), b at (0, 4), negatives at (0, 0). Of 10 labeled rows, 9 are of kind a. */
static struct rows *make_rows(void)
{
    struct rows *rows = calloc(1, sizeof *rows);
    struct rng rng;
    rng_init(&rng, 3, 0);
    for (size_t i = 0; i < N; i++) {
        const double u = rng_uniform(&rng);
        const int kind = i < N_LABELED               ? u >= labeled_of_a
                         : u < shares[0]             ? 0
                         : u < shares[0] + shares[1] ? 1
                                                     : 2;
        rows->label[i] = i < N_LABELED;
        rows->weight[i] = 1;
        rows->kind[i] = i >= N_LABELED ? NULL : kind == 0 ? "a" : "b";
        for (int j = 0; j < WIDTH; j++)
            rows->x[i * WIDTH + (size_t)j] = (float)(random_normal(&rng) + (j == kind ? 4 : 0));
    }
    return rows;
}

static dedpul_table *make_table(const struct rows *rows, const double *weight, bool has_kinds)
{
    const dedpul_matrix matrix = {.n = N, .width = WIDTH, .f32 = rows->x};
    dedpul_table *table;
    assert_ok(dedpul_table_from_matrix(&matrix, rows->label, weight, NULL, &table, &test_error), &test_error);
    if (has_kinds)
        assert_ok(dedpul_table_set_kinds(table, rows->kind, &test_error), &test_error);
    return table;
}

static struct fitted fit(const struct rows *rows, bool has_kinds, const char *classifier, unsigned threads)
{
    dedpul_options options = cheap_options(classifier);
    options.threads = threads;
    dedpul_table *table = make_table(rows, NULL, has_kinds);
    const struct fitted fitted = fit_rows(table, &options);
    dedpul_table_free(table);
    return fitted;
}

/* Without kinds, alpha counts hardly any rows of b; with them, all; and the shares by kind are right. */
static void kinds_are_found(void **state)
{
    static const char *const classifiers[] = {"gbdt", "mlp", "blend"};
    struct rows *rows = make_rows();
    (void)state;
    struct fitted plain = fit(rows, false, "gbdt", 0);
    assert_int_equal(plain.result->n_kinds, 0);
    assert_null(plain.result->row_weights);
    assert_true(plain.result->alpha < 0.2);
    fitted_free(&plain);
    for (size_t c = 0; c < 3; c++) {
        struct fitted fitted = fit(rows, true, classifiers[c], 0);
        const dedpul_result *result = fitted.result;
        assert_near(result->alpha, 0.3, 0.05);
        assert_int_equal(result->n_kinds, 2);
        for (size_t k = 0; k < 2; k++) {
            const dedpul_kind *kind = result->kinds[k];
            assert_string_equal(kind->name, k == 0 ? "a" : "b");
            assert_near(kind->share, shares[k], 0.04);
            assert_true(kind->low <= kind->share && kind->share <= kind->high);
            assert_near(kind->label_rate,
                        kind->weight_labeled / (kind->weight_labeled + kind->share * N_UNLABELED), 1e-12);
            assert_true(kind->label_rate_low <= kind->label_rate &&
                        kind->label_rate <= kind->label_rate_high);
        }
        assert_near(result->kinds[0]->share + result->kinds[1]->share, result->alpha, 1e-12);
        assert_int_equal(result->kinds[0]->n_labeled + result->kinds[1]->n_labeled, N_LABELED);
        fitted_free(&fitted);
    }
    free(rows);
}

/* Posteriors by kind add up to that of all, and tell the kinds apart; weights keep their sum. */
static void posteriors_are_split(void **state)
{
    struct rows *rows = make_rows();
    struct fitted fitted = fit(rows, true, "gbdt", 0);
    const dedpul_result *result = fitted.result;
    double mean[2][2] = {{0}}, total = 0, n[2] = {0, 0};
    (void)state;
    for (size_t i = 0; i < N_UNLABELED; i++) {
        const double a = result->kinds[0]->posterior[i], b = result->kinds[1]->posterior[i];
        const float *x = rows->x + (N_LABELED + i) * WIDTH;
        assert_true(a >= 0 && b >= 0);
        assert_near(a + b, result->posterior[i], 1e-9);
        if (x[0] > 4 || x[1] > 4) {
            const int is_b = x[1] > x[0];
            mean[is_b][0] += a;
            mean[is_b][1] += b;
            n[is_b]++;
        }
    }
    for (int kind = 0; kind < 2; kind++) {
        assert_true(mean[kind][kind] / n[kind] > 0.8);
        assert_true(mean[kind][1 - kind] / n[kind] < 0.1);
    }
    for (size_t i = 0; i < N_LABELED; i++)
        total += result->row_weights[i];
    assert_near(total, N_LABELED, 1e-6);
    for (size_t i = N_LABELED; i < N; i++)
        assert_true(result->row_weights[i] == 1);
    fitted_free(&fitted);
    free(rows);
}

/* A model that was saved predicts as before: for the corrected rates, also kind b is positive. */
static void models_keep_kinds(void **state)
{
    static const char *const classifiers[] = {"gbdt", "mlp"};
    struct rows *rows = make_rows();
    const float x[2 * WIDTH] = {4, 0, 0, 0, 4, 0};
    const dedpul_matrix matrix = {.n = 2, .width = WIDTH, .f32 = x};
    (void)state;
    for (size_t c = 0; c < 2; c++) {
        struct fitted fitted = fit(rows, true, classifiers[c], 0),
                      plain = fit(rows, false, classifiers[c], 0);
        double score[3][2], posterior[3][2];
        assert_ok(dedpul_model_save(fitted.model, test_path("kinds.model"), &test_error), &test_error);
        dedpul_model *loaded = load_model(test_path("kinds.model"));
        const dedpul_model *models[] = {fitted.model, loaded, plain.model};
        for (size_t m = 0; m < 3; m++)
            assert_ok(
                dedpul_model_predict(models[m], &matrix, NULL, score[m], posterior[m], NULL, &test_error),
                &test_error);
        for (size_t i = 0; i < 2; i++) {
            assert_true(score[1][i] == score[0][i]);
            assert_true(posterior[1][i] == posterior[0][i]);
            assert_true(posterior[0][i] > 0.8);
        }
        assert_true(posterior[2][1] < posterior[0][1]);
        dedpul_model_free(loaded);
        fitted_free(&fitted);
        fitted_free(&plain);
    }
    free(rows);
}

static void threads_change_nothing(void **state)
{
    struct rows *rows = make_rows();
    struct fitted one = fit(rows, true, "gbdt", 1), many = fit(rows, true, "gbdt", 3);
    (void)state;
    assert_true(one.result->alpha == many.result->alpha);
    for (size_t k = 0; k < 2; k++)
        assert_true(one.result->kinds[k]->share == many.result->kinds[k]->share &&
                    one.result->kinds[k]->low == many.result->kinds[k]->low);
    assert_memory_equal(one.score, many.score, N * sizeof *one.score);
    fitted_free(&one);
    fitted_free(&many);
    free(rows);
}

/* An interval of alpha is wider than it would be if the shares of the kinds were known. */
static void intervals_are_wider(void **state)
{
    struct rows *rows = make_rows();
    dedpul_options options = cheap_options("gbdt");
    dedpul_table *table = make_table(rows, NULL, true);
    (void)state;
    options.interval = DEDPUL_INTERVAL_ON;
    struct fitted fitted = fit_rows(table, &options);
    const dedpul_result *result = fitted.result;
    assert_true(result->interval->low < result->quantiles[0]);
    assert_true(result->interval->high > result->quantiles[result->n_quantiles - 1]);
    assert_true(result->interval->low <= 0.3 && result->interval->high >= 0.3);
    fitted_free(&fitted);
    dedpul_table_free(table);
    free(rows);
}

/* Whichever allocation fails, nothing is leaked. */
static void memory_may_run_out(void **state)
{
    struct rows *rows = make_rows();
    dedpul_table *table = make_table(rows, NULL, true);
    dedpul_options options = cheap_options("logistic");
    size_t failures = 0;
    (void)state;
    options.threads = 1;
    options.epochs = 2;
    for (size_t n = 0;; n += 1 + n / 3) {
        struct failing failing = {0, n, 0};
        const dedpul_allocator allocator = {&failing, failing_resize};
        dedpul_model *model = NULL;
        dedpul_result *result = NULL;
        options.allocator = &allocator;
        const dedpul_status status = dedpul_fit(table, &options, &model, &result, NULL, &test_error);
        if (status == DEDPUL_OK) {
            dedpul_result_free(result);
            dedpul_model_free(model);
            assert_int_equal(failing.blocks, 0);
            break;
        }
        assert_int_equal(status, DEDPUL_NO_MEMORY);
        assert_int_equal(failing.blocks, 0);
        failures++;
    }
    assert_true(failures > 8);
    dedpul_table_free(table);
    free(rows);
}

/* Kinds that are given after others were to be found are the ones that count. */
static void given_kinds_replace_found_ones(void **state)
{
    struct rows *rows = make_rows();
    dedpul_table *table = make_table(rows, NULL, false);
    const dedpul_options options = cheap_options("gbdt");
    struct fitted expected = fit(rows, true, "gbdt", 1);
    (void)state;
    assert_ok(dedpul_table_find_kinds(table, &test_error), &test_error);
    assert_ok(dedpul_table_set_kinds(table, rows->kind, &test_error), &test_error);
    struct fitted fitted = fit_rows(table, &options);
    assert_true(fitted.result->alpha == expected.result->alpha);
    fitted_free(&expected);
    fitted_free(&fitted);
    dedpul_table_free(table);
    free(rows);
}

static void comparisons_take_kinds(void **state)
{
    struct rows *rows = make_rows();
    dedpul_table *table = make_table(rows, NULL, true);
    dedpul_options options = cheap_options("gbdt");
    dedpul_comparison *comparison;
    dedpul_model *model;
    dedpul_result *result;
    (void)state;
    options.method = "dedpul";
    assert_ok(dedpul_compare(table, &options, "dedpul", &comparison, &test_error), &test_error);
    assert_ok(dedpul_fit(table, &options, &model, &result, NULL, &test_error), &test_error);
    assert_true(comparison->methods[0]->alpha == result->alpha);
    dedpul_comparison_free(comparison);
    dedpul_result_free(result);
    dedpul_model_free(model);
    dedpul_table_free(table);
    free(rows);
}

static void what_cannot_be_is_refused(void **state)
{
    struct rows *rows = make_rows();
    dedpul_options options = cheap_options("gbdt");
    dedpul_comparison *comparison;
    dedpul_model *model;
    dedpul_result *result;
    (void)state;
    dedpul_table *table = make_table(rows, NULL, true);
    assert_int_equal(dedpul_compare_classifiers(table, &options, "gbdt,mlp", &comparison, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "kinds");
    dedpul_table_free(table);
    rows->kind[N - 1] = "a";
    table = make_table(rows, NULL, true);
    assert_int_equal(dedpul_fit(table, &options, &model, &result, NULL, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "row 2400 is unlabeled, but has the kind 'a'");
    assert_int_equal(dedpul_table_set_kinds(table, NULL, &test_error), DEDPUL_INVALID_ARGUMENT);
    dedpul_table_free(table);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_found),
        cmocka_unit_test(posteriors_are_split),
        cmocka_unit_test(models_keep_kinds),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(intervals_are_wider),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(comparisons_take_kinds),
        cmocka_unit_test(given_kinds_replace_found_ones),
    };
    return cmocka_run_group_tests(tests, NULL, remove_test_files);
}
