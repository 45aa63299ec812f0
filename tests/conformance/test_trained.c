/* Methods that train networks of positives against negatives, from a table to a model. */
#include "estimator.h"
#include "fitting.h"

#include <stdio.h>

static enum risk_kind training_of(const char *method)
{
    return estimator_find(method, &test_error)->training;
}

/* Two blobs far enough apart that most rows are told right. */
static struct crowd blobs(double alpha)
{
    return crowd_make(400, 1000, 3, alpha, 3, 7);
}

static dedpul_options options_of(const char *method)
{
    dedpul_options options = cheap_options("mlp");
    options.method = method;
    options.epochs = 40;
    options.min_epochs = 8;
    options.patience = 10;
    return options;
}

/* The share of unlabeled rows that are told right; positives come first. */
static double accuracy_of(const struct crowd *crowd, const double *posterior)
{
    const size_t n = crowd->n - crowd->n_positive;
    size_t right = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(posterior[i] >= 0 && posterior[i] <= 1);
        right += ((double)i < crowd->alpha * (double)n) == (posterior[i] > 0.5);
    }
    return (double)right / (double)n;
}

/* The ideal rule tells 93% right with equal shares, and more with others; alpha is by small networks too. */
static void test_answers(void **state)
{
    static const double alphas[] = {0.1, 0.3, 0.5};
    (void)state;
    for (size_t k = 0; k < trained_method_count() * (IS_SLOW ? 1 : LENGTH(alphas)); k++) {
        struct crowd crowd = blobs(alphas[k / trained_method_count()]);
        const dedpul_options options = options_of(trained_method_name(k % trained_method_count()));
        struct fitted fitted = fit_crowd(&crowd, NULL, &options);
        assert_string_equal(fitted.result->method, options.method);
        assert_near(fitted.result->alpha, crowd.alpha, 0.1);
        assert_true(accuracy_of(&crowd, fitted.result->posterior) > 0.87);
        if (training_of(fitted.result->method) == RISK_CVIR) /* whose loss asks for posteriors, roughly */
            assert_true(distance(1000, fitted.result->posterior, crowd.posterior) < 0.15);
        fitted_free(&fitted);
        crowd_free(&crowd);
    }
}

static void test_losses(void **state)
{
    static const dedpul_loss losses[] = {DEDPUL_LOSS_SIGMOID, DEDPUL_LOSS_BRIER, DEDPUL_LOSS_LOGISTIC};
    double first[2] = {NAN, NAN};
    (void)state;
    if (IS_SLOW)
        skip();
    struct crowd crowd = blobs(0.4);
    for (size_t k = 0; k < 2 * LENGTH(losses); k++) {
        dedpul_options options = options_of(trained_method_name(k % 2));
        options.loss = losses[k / 2];
        options.alpha = 0.4;
        struct fitted fitted = fit_crowd(&crowd, NULL, &options);
        assert_true(accuracy_of(&crowd, fitted.result->posterior) > 0.9);
        assert_true(fitted.result->posterior[0] != first[k % 2]);
        first[k % 2] = fitted.result->posterior[0];
        fitted_free(&fitted);
    }
    crowd_free(&crowd);
}

/* The alpha given is the result's, and the more there are, the more are called positive. */
static void test_alpha_given(void **state)
{
    struct crowd crowd = blobs(0.5);
    (void)state;
    for (size_t k = 0; k < trained_method_count(); k++) {
        double sum[2] = {0, 0};
        for (int high = 0; high < 2; high++) {
            dedpul_options options = options_of(trained_method_name(k));
            options.alpha = high ? 0.75 : 0.25;
            struct fitted fitted = fit_crowd(&crowd, NULL, &options);
            assert_near(fitted.result->alpha, options.alpha, 0);
            assert_int_equal(fitted.result->rule, DEDPUL_RULE_GIVEN);
            for (size_t i = 0; i < 1000; i++)
                sum[high] += fitted.result->posterior[i] / 1000;
            fitted_free(&fitted);
        }
        assert_true(sum[1] > sum[0] + 0.05);
    }
    crowd_free(&crowd);
}

/* Steps back make a difference, and so does how far they go. */
static void test_steps_back(void **state)
{
    static const double settings[][2] = {{0, 1}, {0, 0.2}, {0.05, 1}, {1, 1}};
    struct crowd crowd = blobs(0.5);
    double posterior[LENGTH(settings) + 1][1000];
    (void)state;
    for (size_t k = 0; k <= LENGTH(settings); k++) {
        dedpul_options options = options_of(k < LENGTH(settings) ? "nnpu" : "upu");
        options.alpha = 0.7;
        options.epochs = options.min_epochs = 12; /* all end at the same epoch */
        if (k < LENGTH(settings)) {
            options.nn_beta = settings[k][0];
            options.nn_gamma = settings[k][1];
        }
        struct fitted fitted = fit_crowd(&crowd, NULL, &options);
        memcpy(posterior[k], fitted.result->posterior, sizeof posterior[k]);
        for (size_t j = 0; j < k; j++) /* beta 1: as upu */
            assert_int_equal(distance(1000, posterior[k], posterior[j]) == 0,
                             k == LENGTH(settings) && j == LENGTH(settings) - 1);
        fitted_free(&fitted);
    }
    crowd_free(&crowd);
}

/* ---- models ---- */

static void predict(const dedpul_model *model, const struct crowd *crowd, int pn, double *posterior)
{
    const dedpul_matrix matrix = crowd_matrix(crowd);
    dedpul_predict_options options;
    dedpul_predict_options_init(&options);
    options.pn = pn;
    assert_ok(dedpul_model_predict(model, &matrix, &options, NULL, posterior, NULL, &test_error),
              &test_error);
}

/* A model answers by the networks of its method, with or without --pn, and after loading too. */
static void test_models(void **state)
{
    struct crowd crowd = blobs(0.3), other = crowd_make(10, 1000, 3, 0.3, 3, 8);
    (void)state;
    for (size_t k = 0; k < trained_method_count(); k++) {
        const dedpul_options options = options_of(trained_method_name(k));
        struct fitted fitted = fit_crowd(&crowd, NULL, &options);
        double *posterior = calloc(crowd.n, sizeof *posterior), *again = calloc(crowd.n, sizeof *again);
        dedpul_model *loaded = NULL;
        assert_true(dedpul_model_describe(fitted.model)->has_pn);
        assert_near(dedpul_model_describe(fitted.model)->alpha, fitted.result->alpha, 0);
        predict(fitted.model, &crowd, 0, posterior);
        predict(fitted.model, &crowd, 1, again);
        assert_memory_equal(posterior, again, crowd.n * sizeof *again);
        /* Two of three networks have seen the rows. */
        assert_true(distance(1000, posterior + 400, fitted.result->posterior) < 0.1);
        const char *path = test_path("trained.model");
        assert_ok(dedpul_model_save(fitted.model, path, &test_error), &test_error);
        assert_ok(dedpul_model_load(path, NULL, NULL, &loaded, &test_error), &test_error);
        predict(loaded, &crowd, 0, again);
        assert_memory_equal(posterior, again, crowd.n * sizeof *again);
        assert_string_equal(dedpul_model_describe(loaded)->method, trained_method_name(k));
        predict(loaded, &other, 0, again);
        assert_true(accuracy_of(&other, again + 10) > 0.9);
        dedpul_model_free(loaded);
        free(posterior);
        free(again);
        fitted_free(&fitted);
    }
    crowd_free(&crowd);
    crowd_free(&other);
}

static void test_threads(void **state)
{
    struct crowd crowd = blobs(0.4);
    (void)state;
    for (size_t k = 0; k < trained_method_count(); k++) {
        dedpul_options options = options_of(trained_method_name(k));
        options.epochs = 9;
        options.ensemble = 2;
        struct fitted one = fit_crowd(&crowd, NULL, &options);
        options.threads = 4;
        struct fitted four = fit_crowd(&crowd, NULL, &options);
        assert_same_result(one.result, four.result);
        fitted_free(&one);
        fitted_free(&four);
    }
    crowd_free(&crowd);
}

/* A weight of 2 is nearly a row twice: of the same alpha and posteriors, up to chance. */
static void test_weights(void **state)
{
    struct crowd crowd = blobs(0.4);
    double *weight = malloc(crowd.n * sizeof *weight);
    (void)state;
    for (size_t i = 0; i < crowd.n; i++)
        weight[i] = i % 3 == 0 ? 2 : i % 3 == 1 ? 0.5 : 1;
    for (size_t k = 0; k < trained_method_count(); k++) {
        const dedpul_options options = options_of(trained_method_name(k));
        struct fitted fitted = fit_crowd(&crowd, weight, &options);
        assert_near(fitted.result->alpha, 0.4, 0.1);
        assert_true(accuracy_of(&crowd, fitted.result->posterior) > 0.9);
        fitted_free(&fitted);
    }
    free(weight);
    crowd_free(&crowd);
}

/* ---- which networks ---- */

struct stages {
    char last[16];
    size_t most; /* steps of the last one */
};

static int note_stage(void *context, const dedpul_progress *progress)
{
    struct stages *stages = context;
    (void)snprintf(stages->last, sizeof stages->last, "%s", progress->stage);
    stages->most = progress->steps;
    return 0;
}

/* Where the classifier is none that takes risks, the method trains the network that would be the default. */
static void test_classifiers(void **state)
{
    struct crowd crowd = blobs(0.4);
    (void)state;
    for (size_t k = 0; k < trained_method_count() * table_classifier_count(); k++) {
        dedpul_options options = options_of(trained_method_name(k % trained_method_count()));
        struct stages stages = {"", 0};
        options.classifier = table_classifier_name(k / trained_method_count());
        options.epochs = 30;
        options.tree_rounds = 20;
        options.progress = note_stage;
        options.progress_context = &stages;
        struct fitted fitted = fit_crowd(&crowd, NULL, &options);
        assert_string_equal(stages.last, options.method);
        /* Epochs, not rounds; those of tedn after its warm-up, too. */
        assert_int_equal(stages.most, training_of(options.method) == RISK_CVIR ? 60 : 30);
        assert_true(accuracy_of(&crowd, fitted.result->posterior) > 0.88);
        fitted_free(&fitted);
    }
    crowd_free(&crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),     cmocka_unit_test(test_losses),
        cmocka_unit_test(test_alpha_given), cmocka_unit_test(test_steps_back),
        cmocka_unit_test(test_models),      cmocka_unit_test(test_threads),
        cmocka_unit_test(test_weights),     cmocka_unit_test(test_classifiers),
    };
    return cmocka_run_group_tests(tests, NULL, remove_test_files);
}
