/* A model whose estimate is made again, and scores of unseen rows that are like those of the fit. */
#include "fitting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDS = 3 };

static dedpul_options options;
static struct crowd crowd;
static dedpul_table *table;

static int make_rows(void **state)
{
    (void)state;
    options = cheap_options("logistic");
    assert_int_equal(options.folds, FOLDS);
    crowd = crowd_make(300, 1500, 2, 0.4, 2, 5);
    table = crowd_table(&crowd, NULL);
    return 0;
}

static int free_rows(void **state)
{
    dedpul_table_free(table);
    crowd_free(&crowd);
    return remove_test_files(state);
}

/* From the scores of its own fit, a model gets the estimate that it has; with weights, they count the rows.
 */
static void test_same_scores(void **state)
{
    struct fitted fitted = fit_rows(table, &options);
    double *weight = malloc(crowd.n * sizeof *weight);
    dedpul_sample rows = {crowd.n, fitted.score, NULL};
    dedpul_result *result;
    const double alpha = dedpul_model_describe(fitted.model)->alpha;
    (void)state;
    assert_ok(dedpul_model_estimate(fitted.model, &rows, crowd.label, &options, &result, &test_error),
              &test_error);
    assert_near(result->alpha, alpha, 1e-9);
    assert_near(dedpul_model_describe(fitted.model)->alpha, alpha, 1e-9);
    dedpul_result_free(result);
    for (size_t i = 0; i < crowd.n; i++)
        weight[i] = 10;
    rows.weight = weight;
    assert_ok(dedpul_model_estimate(fitted.model, &rows, crowd.label, &options, &result, &test_error),
              &test_error);
    assert_int_equal(dedpul_model_describe(fitted.model)->n_positive, 10 * result->n_positive);
    assert_int_equal(dedpul_model_describe(fitted.model)->n_unlabeled, 10 * result->n_unlabeled);
    dedpul_result_free(result);
    free(weight);
    fitted_free(&fitted);
}

/* Without the upper half of the unlabeled rows alpha falls, in the model's file, too; also scores of 0 and 1
 * do. */
static void test_other_scores(void **state)
{
    struct fitted fitted = fit_rows(table, &options);
    const double before = dedpul_model_describe(fitted.model)->alpha;
    double *score = malloc(crowd.n * sizeof *score);
    unsigned char *label = malloc(crowd.n);
    size_t n = 0;
    dedpul_result *result;
    (void)state;
    for (size_t i = 0; i < crowd.n; i++)
        if (crowd.label[i] == 1 || fitted.score[i] < 0.3) {
            score[n] = n < 2 ? (double)n : fitted.score[i];
            label[n++] = crowd.label[i];
        }
    const dedpul_sample rows = {n, score, NULL};
    assert_ok(dedpul_model_estimate(fitted.model, &rows, label, &options, &result, &test_error), &test_error);
    assert_true(result->alpha < before - 0.05);
    assert_ok(dedpul_model_save(fitted.model, test_path("again"), &test_error), &test_error);
    dedpul_model *loaded = load_model(test_path("again"));
    assert_near(dedpul_model_describe(loaded)->alpha, result->alpha, 0);
    dedpul_model_free(loaded);
    dedpul_result_free(result);
    free(score);
    free(label);
    fitted_free(&fitted);
}

static void test_refused(void **state)
{
    struct fitted fitted = fit_rows(table, &options);
    const double alpha = dedpul_model_describe(fitted.model)->alpha;
    const dedpul_sample rows = {crowd.n, fitted.score, NULL}, none = {0, NULL, NULL};
    dedpul_options other = options;
    dedpul_result *result;
    (void)state;
    assert_int_equal(dedpul_model_estimate(NULL, &rows, crowd.label, NULL, &result, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    other.method = "tice";
    assert_int_equal(dedpul_model_estimate(fitted.model, &rows, crowd.label, &other, &result, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_non_null(strstr(test_error.message, "looks at the features"));
    assert_int_equal(dedpul_model_estimate(fitted.model, &none, crowd.label, NULL, &result, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_near(dedpul_model_describe(fitted.model)->alpha, alpha, 0);
    fitted_free(&fitted);
}

/* Each row is scored by the member of one fold, so that scores are those of single members, all of them. */
static void test_scores_as_fit(void **state)
{
    struct fitted fitted = fit_rows(table, &options);
    dedpul_predict_options predict;
    double *score = malloc(crowd.n * sizeof *score), *mean = malloc(crowd.n * sizeof *mean);
    size_t same = 0;
    (void)state;
    const dedpul_matrix rows = crowd_matrix(&crowd);
    dedpul_predict_options_init(&predict);
    assert_ok(dedpul_model_predict(fitted.model, &rows, &predict, mean, NULL, NULL, &test_error),
              &test_error);
    predict.folds = FOLDS;
    assert_ok(dedpul_model_predict(fitted.model, &rows, &predict, score, NULL, NULL, &test_error),
              &test_error);
    for (size_t i = 0; i < crowd.n; i++)
        same += fabs(score[i] - fitted.score[i]) < 1e-9; /* by the member that has not seen the row */
    assert_true(same > crowd.n / 4 && same < crowd.n / 2);
    assert_true(distance(crowd.n, score, mean) > 0 && distance(crowd.n, score, mean) < 0.05);
    predict.folds = FOLDS + 1;
    assert_int_equal(dedpul_model_predict(fitted.model, &rows, &predict, score, NULL, NULL, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    free(score);
    free(mean);
    fitted_free(&fitted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_scores),
        cmocka_unit_test(test_other_scores),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_scores_as_fit),
    };
    return cmocka_run_group_tests(tests, make_rows, free_rows);
}
