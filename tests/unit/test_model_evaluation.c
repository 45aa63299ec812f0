/* Evaluation of models: by the scores that the fit kept, and on rows that they have not seen. */
#include "fitting.h"

#include "models.h"

#include <stdio.h>

static struct crowd crowd;
static dedpul_table *table;
static struct fitted fitted;

static int fit_once(void **state)
{
    dedpul_options options = cheap_options("logistic");
    (void)state;
    crowd = crowd_make(300, 1500, 2, 0.4, 2, 5);
    table = crowd_table(&crowd, NULL);
    fitted = fit_rows(table, &options);
    return 0;
}

static int free_all(void **state)
{
    fitted_free(&fitted);
    dedpul_table_free(table);
    crowd_free(&crowd);
    return remove_test_files(state);
}

static dedpul_evaluate_options goal_options(const char *goal, const char *value)
{
    dedpul_evaluate_options options;
    dedpul_evaluate_options_init(&options);
    options.threads = 1;
    assert_ok(dedpul_evaluate_options_set(&options, goal, value, &test_error), &test_error);
    return options;
}

static dedpul_evaluation *evaluate_model(const dedpul_model *model, const char *goal, const char *value)
{
    const dedpul_evaluate_options options = goal_options(goal, value);
    dedpul_evaluation *evaluation = NULL;
    assert_ok(dedpul_model_evaluate(model, &options, &evaluation, &test_error), &test_error);
    return evaluation;
}

static dedpul_evaluation *evaluate_result(const char *goal, const char *value)
{
    const dedpul_evaluate_options options = goal_options(goal, value);
    const dedpul_sample rows = {crowd.n, fitted.score, NULL};
    dedpul_evaluation *evaluation = NULL;
    assert_ok(dedpul_evaluate(fitted.result, &rows, crowd.label, NULL, &options, &evaluation, &test_error),
              &test_error);
    return evaluation;
}

static void assert_same_range(const dedpul_range *a, const dedpul_range *b, double most)
{
    assert_near(a->value, b->value, most);
    assert_near(a->low, b->low, 2e-3);
    assert_near(a->high, b->high, 2e-3);
}

static void assert_same(const dedpul_evaluation *a, const dedpul_evaluation *b)
{
    assert_near(a->alpha, b->alpha, 1e-12);
    assert_int_equal(a->n_positive, b->n_positive);
    assert_int_equal(a->n_unlabeled, b->n_unlabeled);
    assert_near(a->weight_positive, b->weight_positive, 1e-9);
    assert_near(a->weight_unlabeled, b->weight_unlabeled, 1e-9);
    assert_string_equal(a->method, b->method);
    assert_same_range(&a->auc, &b->auc, 1e-4);
    assert_same_range(&a->average_precision, &b->average_precision, 1e-4);
    assert_same_range(&a->best_f1, &b->best_f1, 1e-4);
    assert_near(a->threshold->score, b->threshold->score, 1e-3);
    assert_near(a->threshold->rows, b->threshold->rows, 2);
    const double two_rows = 2e-3; /* what they make of precision and recall */
    assert_same_range(&a->threshold->precision, &b->threshold->precision, two_rows);
    assert_same_range(&a->threshold->recall, &b->threshold->recall, two_rows);
}

/* A model answers as the scores of its fit do, also from its file and from its description. */
static void test_kept(void **state)
{
    static const char *const goal[][2] = {{"cost", "1:1"},  {"max", "f1"},     {"top", "200"},
                                          {"share", "0.2"}, {"recall", "0.8"}, {"threshold", "0.6"}};
    dedpul_model *loaded, *described;
    (void)state;
    assert_ok(dedpul_model_save(fitted.model, test_path("model"), &test_error), &test_error);
    loaded = load_model(test_path("model"));
    assert_ok(dedpul_model_load_description(test_path("model"), NULL, &described, &test_error), &test_error);
    for (size_t i = 0; i < LENGTH(goal); i++) {
        dedpul_evaluation *expected = evaluate_result(goal[i][0], goal[i][1]);
        const dedpul_model *const model[3] = {fitted.model, loaded, described};
        for (size_t k = 0; k < 3; k++) {
            dedpul_evaluation *found = evaluate_model(model[k], goal[i][0], goal[i][1]);
            assert_same(found, expected);
            assert_string_equal(dedpul_goal_name(found->goal), goal[i][0]);
            dedpul_evaluation_free(found);
        }
        dedpul_evaluation_free(expected);
    }
    assert_string_equal(dedpul_goal_name((dedpul_goal)99), "unknown");
    assert_int_equal(dedpul_model_describe(described)->n_kept, fitted.model->model.kept.n);
    dedpul_model_free(loaded);
    dedpul_model_free(described);
}

/* A threshold is part of the model. */
static void test_threshold(void **state)
{
    dedpul_evaluation *evaluation = evaluate_model(fitted.model, "recall", "0.8");
    (void)state;
    assert_false(dedpul_model_describe(fitted.model)->has_threshold);
    assert_true(isnan(dedpul_model_describe(fitted.model)->threshold));
    assert_ok(dedpul_model_set_threshold(fitted.model, evaluation, &test_error), &test_error);
    assert_ok(dedpul_model_save(fitted.model, test_path("cut"), &test_error), &test_error);
    dedpul_model *loaded = load_model(test_path("cut"));
    const dedpul_model_info *info = dedpul_model_describe(loaded);
    assert_true(info->has_threshold);
    assert_int_equal(info->goal, DEDPUL_GOAL_RECALL);
    assert_near(info->goal_value, 0.8, 0);
    assert_near(info->threshold, evaluation->threshold->score, 0);
    dedpul_evaluation_free(evaluation);
    dedpul_model_free(loaded);
    assert_int_equal(dedpul_model_set_threshold(NULL, NULL, &test_error), DEDPUL_INVALID_ARGUMENT);
}

/* Rows that the model has not seen, with labels, weights and true classes. */
static void test_new_rows(void **state)
{
    struct crowd other = crowd_make(200, 1000, 2, 0.4, 2, 6);
    FILE *file = fopen(test_path("new.csv"), "w");
    dedpul_score_table *scored;
    dedpul_columns columns;
    (void)state;
    (void)fputs("2,y,1,n,class\n", file); /* in another order than the model's */
    for (size_t i = 0; i < other.n; i++)
        (void)fprintf(file, "%.17g,%s,%.17g,%zu,%s\n", other.x[2 * i + 1], other.label[i] ? "yes" : "no",
                      other.x[2 * i], 1 + i % 2,
                      i % 3 == 0   ? "yes"
                      : i % 3 == 1 ? "no"
                                   : "");
    (void)fclose(file);
    dedpul_columns_init(&columns);
    columns.label = "y";
    columns.positive = "yes";
    columns.weight = "n";
    columns.truth = "class";
    assert_ok(dedpul_model_score_file(fitted.model, test_path("new.csv"), &columns, 1, &scored, &test_error),
              &test_error);
    double expected[1200];
    assert_int_equal(other.n, LENGTH(expected));
    const dedpul_matrix matrix = crowd_matrix(&other);
    assert_ok(dedpul_model_predict(fitted.model, &matrix, NULL, expected, NULL, NULL, &test_error),
              &test_error);
    assert_int_equal(scored->rows.n, other.n);
    for (size_t i = 0; i < other.n; i++) {
        assert_near(scored->rows.score[i], expected[i], 1e-6);
        assert_near(scored->rows.weight[i], (double)(1 + i % 2), 0);
        assert_int_equal(scored->label[i], other.label[i]);
        assert_int_equal(scored->truth[i], i % 3 == 0 ? 1 : i % 3 == 1 ? 0 : DEDPUL_TRUTH_UNKNOWN);
    }
    dedpul_score_table_free(scored);
    crowd_free(&other);
}

/* Without labels in the file, the labeled rows are those of the fit. */
static void test_kept_labels(void **state)
{
    double labeled = 0;
    dedpul_score_table *scored;
    dedpul_columns columns;
    (void)state;
    write_text(test_path("bare.csv"), "1,2,truth\n0,0,0\n3,3,1\n-1,0.5,\n");
    dedpul_columns_init(&columns);
    columns.label = NULL;
    columns.truth = "truth";
    assert_ok(dedpul_model_score_file(fitted.model, test_path("bare.csv"), &columns, 1, &scored, &test_error),
              &test_error);
    for (size_t i = 0; i < scored->rows.n; i++) {
        assert_int_equal(scored->label[i], i >= 3);
        assert_int_equal(scored->truth[i], i == 0 ? 0 : i == 1 ? 1 : DEDPUL_TRUTH_UNKNOWN);
        labeled += scored->label[i] ? scored->rows.weight[i] : 0;
    }
    assert_near(labeled, 300, 1e-9);
    dedpul_score_table_free(scored);
}

static void refuse_file(const dedpul_model *model, const char *text, const dedpul_columns *columns,
                        const char *message)
{
    dedpul_score_table *scored = NULL;
    write_text(test_path("bad.csv"), text);
    assert_int_not_equal(
        dedpul_model_score_file(model, test_path("bad.csv"), columns, 1, &scored, &test_error), DEDPUL_OK);
    assert_contains(test_error.message, message);
    assert_null(scored);
}

static void test_refused(void **state)
{
    dedpul_model *old = load_model(GOLDEN_DIRECTORY "/format_4.model"), *described;
    dedpul_evaluation *evaluation = NULL;
    dedpul_columns columns;
    (void)state;
    dedpul_columns_init(&columns);
    refuse_file(fitted.model, "1,2\n0,0\n", &columns, "there is no column 'label'");
    refuse_file(fitted.model, "1,label\n0,0\n", &columns, "no column '2'");
    refuse_file(fitted.model, "1,2,label\n", &columns, "has no rows");
    columns.truth = "label";
    refuse_file(fitted.model, "1,2,label\n0,0,1\n", &columns, "cannot be both the label and the true class");
    columns.truth = "t";
    refuse_file(fitted.model, "1,2,label,t\n0,0,1,maybe\n", &columns, "true classes are 1/0");
    columns.label = NULL;
    refuse_file(old, "size,colour,t\n1,red,1\n", &columns, "keep no scores");
    assert_int_equal(dedpul_model_evaluate(old, NULL, &evaluation, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "fitted by dedpul 0.7.0, whose models keep no scores");
    assert_ok(
        dedpul_model_load_description(GOLDEN_DIRECTORY "/format_4.model", NULL, &described, &test_error),
        &test_error);
    refuse_file(described, "size,colour,t\n1,red,1\n", &columns, "only a description");
    dedpul_model_free(described);
    dedpul_model_free(old);
    assert_null(evaluation);
}

static void test_is_model(void **state)
{
    (void)state;
    write_text(test_path("text"), "label,score\n");
    assert_true(dedpul_is_model(GOLDEN_DIRECTORY "/format_4.model"));
    assert_false(dedpul_is_model(test_path("text")));
    assert_false(dedpul_is_model("no such file"));
    assert_false(dedpul_is_model("-"));
    assert_false(dedpul_is_model(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),        cmocka_unit_test(test_threshold), cmocka_unit_test(test_new_rows),
        cmocka_unit_test(test_kept_labels), cmocka_unit_test(test_refused),   cmocka_unit_test(test_is_model),
    };
    return cmocka_run_group_tests(tests, fit_once, free_all);
}
