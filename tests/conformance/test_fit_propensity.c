/* Fits whose positives were labeled with a chance that depends on a column. */
#include "fitting.h"
#include "reading.h"

#include <math.h>
#include <stdio.h>

enum { N_POSITIVE = 1000, N_NEGATIVE = 1500, N = N_POSITIVE + N_NEGATIVE, WIDTH = 3 };

struct rows {
    float x[N * WIDTH];
    unsigned char label[N];
    double propensity[N];
    double alpha; /* the share of positives among unlabeled rows */
};

/*
 * Positives are at 3 in the first column. The second decides about labels, which 1 to 6 in 10 positives have;
 * positives are higher in it, too. The third is noise of four values.
 */
static struct rows *make_rows(bool is_random)
{
    struct rows *rows = calloc(1, sizeof *rows);
    struct rng rng;
    size_t labeled = 0;
    rng_init(&rng, 3, 0);
    for (size_t i = 0; i < N; i++) {
        const bool is_positive = i < N_POSITIVE;
        const double z = random_normal(&rng) + (is_positive ? 0.5 : 0);
        rows->x[i * WIDTH] = (float)(random_normal(&rng) + (is_positive ? 4 : 0));
        rows->x[i * WIDTH + 1] = (float)z;
        rows->x[i * WIDTH + 2] = (float)rng_below(&rng, 4);
        rows->propensity[i] = !is_positive ? NAN : is_random ? 0.3 : 0.1 + 0.5 / (1 + exp(-3 * (z - 0.5)));
        rows->label[i] = is_positive && rng_uniform(&rng) < rows->propensity[i];
        labeled += rows->label[i];
    }
    rows->alpha = (double)(N_POSITIVE - labeled) / (double)(N - labeled);
    return rows;
}

static dedpul_table *make_table(const struct rows *rows, const char *columns, const double *propensity)
{
    const dedpul_matrix matrix = {.n = N, .width = WIDTH, .f32 = rows->x};
    dedpul_table *table;
    assert_ok(dedpul_table_from_matrix(&matrix, rows->label, NULL, NULL, &table, &test_error), &test_error);
    if (columns != NULL)
        assert_ok(dedpul_table_set_propensity(table, columns, &test_error), &test_error);
    if (propensity != NULL)
        assert_ok(dedpul_table_set_propensity_values(table, propensity, &test_error), &test_error);
    return table;
}

static struct fitted fit(const struct rows *rows, const char *columns, const double *propensity,
                         const dedpul_options *options)
{
    dedpul_table *table = make_table(rows, columns, propensity);
    const struct fitted fitted = fit_rows(table, options);
    dedpul_table_free(table);
    return fitted;
}

static void check_weights(const struct rows *rows, const dedpul_result *result)
{
    double total = 0, labeled = 0;
    for (size_t i = 0; i < N; i++) {
        assert_true(rows->label[i] == 1 || result->row_weights[i] == 1);
        labeled += rows->label[i];
        total += rows->label[i] == 1 ? result->row_weights[i] : 0;
    }
    assert_near(total, labeled, 1e-6);
}

/* Without propensities, alpha is too low; if they are estimated or known, it is right. */
static void alpha_is_right(void **state)
{
    struct rows *rows = make_rows(false);
    const dedpul_options options = cheap_options("gbdt");
    (void)state;
    struct fitted plain = fit(rows, NULL, NULL, &options);
    assert_null(plain.result->propensities);
    assert_true(plain.result->alpha < rows->alpha - 0.1);
    struct fitted estimated = fit(rows, "2", NULL, &options);
    struct fitted known = fit(rows, NULL, rows->propensity, &options);
    const dedpul_propensities *found = estimated.result->propensities, *given = known.result->propensities;
    assert_near(estimated.result->alpha, rows->alpha, 0.04);
    assert_near(known.result->alpha, rows->alpha, 0.04);
    assert_true(found->alpha_without == plain.result->alpha && given->alpha_without == plain.result->alpha);
    check_weights(rows, estimated.result);
    check_weights(rows, known.result);
    fitted_free(&plain);
    fitted_free(&estimated);
    fitted_free(&known);
    free(rows);
}

static void summaries_are_right(void **state)
{
    struct rows *rows = make_rows(false);
    const dedpul_options options = cheap_options("gbdt");
    struct fitted estimated = fit(rows, "2", NULL, &options);
    struct fitted known = fit(rows, NULL, rows->propensity, &options);
    const dedpul_propensities *found = estimated.result->propensities, *given = known.result->propensities;
    double lowest = 1, highest = 0, unlabeled = 0, labeled = 0;
    (void)state;
    for (size_t i = 0; i < N_POSITIVE; i++)
        if (rows->label[i] == 1) {
            lowest = fmin(lowest, rows->propensity[i]);
            highest = fmax(highest, rows->propensity[i]);
            unlabeled += 1 / rows->propensity[i] - 1;
            labeled++;
        }
    assert_near(given->lowest, lowest, 1e-12);
    assert_near(given->highest, highest, 1e-12);
    assert_near(given->mean, labeled / (labeled + unlabeled), 1e-12);
    assert_near(given->alpha_by_values, unlabeled / (N - labeled), 1e-12);
    assert_int_equal(given->n_groups, 0);
    assert_true(isnan(found->alpha_by_values));
    assert_near(found->mean, labeled / N_POSITIVE, 0.05);
    assert_near(found->lowest, 0.1, 0.08);
    assert_near(found->highest, 0.6, 0.1);
    assert_int_equal(found->n_groups, 8);
    size_t n = 0;
    for (size_t k = 0; k < found->n_groups; k++) {
        assert_string_equal(found->groups[k]->column, "2");
        assert_true(found->groups[k]->propensity >= found->lowest);
        assert_true(found->groups[k]->propensity <= found->highest);
        n += found->groups[k]->n_labeled;
    }
    assert_int_equal(n, (int)labeled);
    assert_true(found->groups[7]->propensity > 2 * found->groups[0]->propensity);
    fitted_free(&estimated);
    fitted_free(&known);
    free(rows);
}

/* Where all positives are labeled, none is among the unlabeled rows: such labeled rows tell nothing of them.
 */
static void certain_labels_weigh_nothing(void **state)
{
    struct rows *rows = make_rows(false);
    const dedpul_options options = cheap_options("gbdt");
    size_t certain = 0;
    (void)state;
    for (size_t i = 0; i < N_POSITIVE && certain < 20; i++)
        if (rows->label[i] == 1) {
            rows->propensity[i] = 1;
            certain++;
        }
    struct fitted known = fit(rows, NULL, rows->propensity, &options);
    for (size_t i = 0; i < N; i++)
        assert_true((known.result->row_weights[i] > 0) == (rows->label[i] == 0 || rows->propensity[i] < 1));
    assert_near(known.result->alpha, rows->alpha, 0.05);
    fitted_free(&known);
    free(rows);
}

/* If labels are a random draw, propensities change hardly anything; equal ones that are known, nothing. */
static void random_labels_are_not_harmed(void **state)
{
    struct rows *rows = make_rows(true);
    const dedpul_options options = cheap_options("gbdt");
    struct fitted plain = fit(rows, NULL, NULL, &options),
                  known = fit(rows, NULL, rows->propensity, &options);
    struct fitted estimated = fit(rows, "2,3", NULL, &options);
    (void)state;
    assert_near(known.result->alpha, plain.result->alpha, 1e-12);
    assert_near(estimated.result->alpha, rows->alpha, 0.04);
    fitted_free(&plain);
    fitted_free(&known);
    fitted_free(&estimated);
    free(rows);
}

/* Training had the weights, so a model needs no more to predict: rows that are seldom labeled are positive.
 */
static void models_predict(void **state)
{
    struct rows *rows = make_rows(false);
    const dedpul_options options = cheap_options("gbdt");
    const float x[WIDTH] = {4, -1.5F, 0};
    const dedpul_matrix matrix = {.n = 1, .width = WIDTH, .f32 = x};
    struct fitted estimated = fit(rows, "2", NULL, &options);
    double posterior[2];
    (void)state;
    assert_ok(dedpul_model_save(estimated.model, test_path("propensity.model"), &test_error), &test_error);
    dedpul_model *loaded = load_model(test_path("propensity.model"));
    const dedpul_model *models[] = {estimated.model, loaded};
    for (size_t m = 0; m < 2; m++)
        assert_ok(dedpul_model_predict(models[m], &matrix, NULL, NULL, &posterior[m], NULL, &test_error),
                  &test_error);
    assert_true(posterior[0] == posterior[1]);
    assert_true(posterior[0] > 0.8);
    dedpul_model_free(loaded);
    fitted_free(&estimated);
    free(rows);
}

static void threads_change_nothing(void **state)
{
    struct rows *rows = make_rows(false);
    dedpul_options options = cheap_options("gbdt");
    options.threads = 1;
    struct fitted one = fit(rows, "2,3", NULL, &options);
    options.threads = 3;
    struct fitted many = fit(rows, "2,3", NULL, &options);
    (void)state;
    assert_true(one.result->alpha == many.result->alpha);
    assert_memory_equal(one.score, many.score, N * sizeof *one.score);
    fitted_free(&one);
    fitted_free(&many);
    free(rows);
}

/* Uneven weights are worth fewer rows, and estimated ones are uncertain. */
static void intervals_are_wider(void **state)
{
    struct rows *rows = make_rows(false);
    dedpul_options options = cheap_options("gbdt");
    options.interval = DEDPUL_INTERVAL_ON;
    struct fitted estimated = fit(rows, "2", NULL, &options);
    const dedpul_result *result = estimated.result;
    (void)state;
    assert_true(result->interval->low < result->quantiles[0]);
    assert_true(result->interval->high > result->quantiles[result->n_quantiles - 1]);
    assert_true(result->interval->low <= rows->alpha && result->interval->high >= rows->alpha);
    fitted_free(&estimated);
    free(rows);
}

static void check_refused(const struct rows *rows, const char *columns, const double *propensity,
                          const char *message)
{
    const dedpul_options options = cheap_options("gbdt");
    dedpul_table *table = make_table(rows, columns, propensity);
    dedpul_model *model;
    dedpul_result *result;
    assert_int_equal(dedpul_fit(table, &options, &model, &result, NULL, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, message);
    dedpul_table_free(table);
}

static void bad_propensities_are_refused(void **state)
{
    struct rows *rows = make_rows(false);
    static const struct {
        double value;
        const char *message;
    } bad[] = {{0, "its propensity is 0"},
               {-0.5, "its propensity is -0.5"},
               {1.5, "its propensity is 1.5"},
               {INFINITY, "its propensity is inf"},
               {NAN, "has no propensity"}};
    size_t first = 0;
    (void)state;
    while (rows->label[first] == 0)
        first++;
    const double before = rows->propensity[first];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char row[32];
        rows->propensity[first] = bad[i].value;
        check_refused(rows, NULL, rows->propensity, bad[i].message);
        (void)snprintf(row, sizeof row, "row %zu is labeled", first + 1);
        assert_contains(test_error.message, row);
    }
    rows->propensity[first] = before;
    check_refused(rows, "1", rows->propensity, "known or estimated, not both");
    for (size_t i = 0; i < N; i++)
        rows->propensity[i] = 1;
    check_refused(rows, NULL, rows->propensity, "all propensities of labeled rows are 1");
    for (size_t i = 0; i < N; i++)
        rows->x[i * WIDTH + 2] = rows->label[i] == 1 ? 1 : (float)(i % 3);
    check_refused(rows, "2,3", NULL, "column '3' does not tell labeled rows apart");
    free(rows);
}

static void bad_names_are_refused(void **state)
{
    struct rows *rows = make_rows(false);
    dedpul_table *table = make_table(rows, NULL, NULL);
    (void)state;
    assert_int_equal(dedpul_table_set_propensity(table, "4", &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "no feature '4'");
    assert_int_equal(dedpul_table_set_propensity(table, "2, 2", &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "named twice");
    assert_int_equal(dedpul_table_set_propensity(table, NULL, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_table_set_propensity_values(table, NULL, &test_error), DEDPUL_INVALID_ARGUMENT);
    dedpul_table_free(table);
    free(rows);
}

/* Rates that are relative say by themselves that there are far fewer positives. */
static void relative_rates_are_doubted(void **state)
{
    struct rows *rows = make_rows(true);
    const dedpul_options options = cheap_options("gbdt");
    (void)state;
    for (size_t i = 0; i < N_POSITIVE; i++)
        rows->propensity[i] *= 3;
    struct fitted fitted = fit(rows, NULL, rows->propensity, &options);
    assert_true(has_warning(fitted.result, "propensity_mismatch"));
    fitted_free(&fitted);
    for (size_t i = 0; i < N_POSITIVE; i++)
        rows->propensity[i] /= 1000;
    fitted = fit(rows, NULL, rows->propensity, &options);
    assert_false(has_warning(fitted.result, "propensity_mismatch"));
    fitted_free(&fitted);
    free(rows);
}

/* Whichever allocation fails, nothing is leaked. */
static void memory_may_run_out(void **state)
{
    struct rows *rows = make_rows(false);
    dedpul_table *table = make_table(rows, "2,3", NULL);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alpha_is_right),
        cmocka_unit_test(summaries_are_right),
        cmocka_unit_test(certain_labels_weigh_nothing),
        cmocka_unit_test(random_labels_are_not_harmed),
        cmocka_unit_test(models_predict),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(intervals_are_wider),
        cmocka_unit_test(bad_propensities_are_refused),
        cmocka_unit_test(bad_names_are_refused),
        cmocka_unit_test(relative_rates_are_doubted),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, remove_test_files);
}
