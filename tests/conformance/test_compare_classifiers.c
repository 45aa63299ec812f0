/* Several classifiers on the same rows and folds. */
#include "fitting.h"

#include "reading.h"

static dedpul_comparison *compare(const dedpul_table *table, const dedpul_options *options,
                                  const char *classifiers)
{
    dedpul_comparison *comparison = NULL;
    assert_ok(dedpul_compare_classifiers(table, options, classifiers, &comparison, &test_error), &test_error);
    return comparison;
}

/* NULL if it is not there. */
static const dedpul_compared *find(const dedpul_comparison *comparison, const char *classifier)
{
    for (size_t i = 0; i < comparison->n_classifiers; i++)
        if (strcmp(comparison->classifiers[i]->classifier, classifier) == 0)
            return comparison->classifiers[i];
    return NULL;
}

/* ---- the program's own classifier, which is worse than any other ---- */

static int train_nothing(void *context, const dedpul_examples *examples, void **model)
{
    (void)examples;
    *model = context;
    return 0;
}

/* Logits that have nothing to do with the row. */
static int score_by_chance(void *context, const void *model, size_t n, size_t width, const float *x,
                           double *logit)
{
    (void)context, (void)model;
    for (size_t i = 0; i < n; i++)
        logit[i] = sin(1e4 * (double)x[i * width]);
    return 0;
}

static int fail_to_score(void *context, const void *model, size_t n, size_t width, const float *x,
                         double *logit)
{
    (void)context, (void)model, (void)n, (void)width, (void)x, (void)logit;
    return 1;
}

static void free_nothing(void *context, void *model)
{
    (void)context, (void)model;
}

static dedpul_classifier plugin_named(const char *name)
{
    return (dedpul_classifier){.size = sizeof(dedpul_classifier),
                               .name = name,
                               .train = train_nothing,
                               .score = score_by_chance,
                               .free = free_nothing};
}

/* ---- answers ---- */

/* Each entry is what a fit with that classifier says; "all" are those that need no images. */
static void test_entries(void **state)
{
    struct crowd crowd = crowd_make(100, 250, 3, 0.4, 2, 31);
    dedpul_table *table = crowd_table(&crowd, NULL);
    dedpul_options options = cheap_options(NULL);
    dedpul_comparison *comparison = compare(table, &options, "all");
    size_t best = 0;
    (void)state;
    assert_int_equal(comparison->n_classifiers, table_classifier_count() - 1);
    assert_int_equal(comparison->n_methods, 0);
    assert_true(comparison->n_positive == 100 && comparison->n_unlabeled == 250);
    assert_true(comparison->classifier == NULL && isnan(comparison->auc) && comparison->seconds == 0);
    for (size_t i = 0; i < comparison->n_classifiers; i++) {
        const dedpul_compared *compared = comparison->classifiers[i];
        options.classifier = compared->classifier;
        struct fitted fitted = fit_rows(table, &options);
        assert_int_equal(compared->status, DEDPUL_OK);
        assert_string_equal(compared->method, "pooled");
        assert_near(compared->alpha, fitted.result->alpha, 0);
        assert_near(compared->auc_unlabeled, fitted.result->auc, 0);
        assert_true(compared->low < compared->alpha && compared->alpha < compared->high);
        assert_true(compared->auc.low < compared->auc.value && compared->auc.value < compared->auc.high);
        assert_true(compared->precision.value > 0.5 && compared->average_precision.value > 0.5);
        assert_true(compared->seconds > 0);
        best = compared->auc.value > comparison->classifiers[best]->auc.value ? i : best;
        fitted_free(&fitted);
    }
    assert_non_null(find(comparison, "blend"));
    assert_null(find(comparison, "conv"));
    assert_null(find(comparison, "auto"));
    for (size_t i = 0; i < comparison->n_classifiers; i++) {
        const dedpul_compared *compared = comparison->classifiers[i];
        assert_int_equal(compared->is_reference, i == best);
        assert_int_equal(isnan(compared->chance), i == best);
        assert_true(i == best || (compared->chance >= 0 && compared->chance <= 1));
        assert_false(i == best && compared->differs);
    }
    dedpul_comparison_free(comparison);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

/* One that knows nothing is worse; two that are the same are not. With another method, too. */
static void test_worse(void **state)
{
    static const char *const methods[] = {"pooled", "dedpul"};
    struct crowd crowd = crowd_make(150, 300, 3, 0.4, 2.5, 32);
    dedpul_table *table = crowd_table(&crowd, NULL);
    const dedpul_classifier plugin = plugin_named("chance");
    dedpul_options options = cheap_options(NULL);
    (void)state;
    options.layers = "none"; /* so that mlp and logistic are the same, but for the rate */
    options.batch_norm = 0;
    options.dropout = 0;
    options.rate = 1e-2;
    options.plugin = &plugin;
    for (size_t k = 0; k < LENGTH(methods); k++) {
        options.method = methods[k];
        dedpul_comparison *comparison = compare(table, &options, "chance, mlp ,logistic");
        const dedpul_compared *worse = find(comparison, "chance"), *mlp = find(comparison, "mlp"),
                              *logistic = find(comparison, "logistic");
        assert_int_equal(comparison->n_classifiers, 3);
        assert_string_equal(worse->method, methods[k]);
        assert_true(mlp->is_reference + logistic->is_reference == 1);
        assert_near(mlp->auc.value, logistic->auc.value, 0.01);
        assert_false(mlp->differs || logistic->differs);
        assert_true(worse->auc.value < mlp->auc.value - 0.1);
        assert_true(worse->differs && worse->chance < 0.01);
        assert_true(worse->alpha > 0.9); /* which is not what its precision is estimated with */
        assert_true(worse->precision.value < 0.5);
        assert_near(comparison->alpha, find(comparison, comparison->alpha_of)->alpha, 0);
        assert_int_equal(isnan(mlp->auc.low), k == 1);
        dedpul_comparison_free(comparison);
    }
    dedpul_table_free(table);
    crowd_free(&crowd);
}

/* The same whatever the threads and the order; weights of 1 change nothing. */
static void test_lists(void **state)
{
    struct crowd crowd = crowd_make(80, 200, 2, 0.5, 2, 33);
    double ones[280];
    dedpul_table *table = crowd_table(&crowd, NULL);
    dedpul_options options = cheap_options(NULL);
    (void)state;
    for (size_t i = 0; i < crowd.n; i++)
        ones[i] = 1;
    dedpul_table *weighted = crowd_table(&crowd, ones);
    options.threads = 1;
    dedpul_comparison *one = compare(table, &options, "gbdt,logistic");
    options.threads = 4;
    dedpul_comparison *other = compare(weighted, &options, "logistic,gbdt,gbdt");
    assert_int_equal(other->n_classifiers, 2);
    for (size_t i = 0; i < one->n_classifiers; i++) {
        const dedpul_compared *compared = one->classifiers[i], *same = find(other, compared->classifier);
        assert_near(compared->alpha, same->alpha, 1e-9);
        assert_near(compared->auc.value, same->auc.value, 1e-9);
        assert_near(compared->auc.low, same->auc.low, 1e-9);
    }
    dedpul_comparison_free(one);
    dedpul_comparison_free(other);
    dedpul_table_free(weighted);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

/* ---- failures ---- */

static void test_one_fails(void **state)
{
    struct crowd crowd = crowd_make(60, 150, 2, 0.4, 3, 34);
    dedpul_table *table = crowd_table(&crowd, NULL);
    dedpul_options options = cheap_options(NULL);
    dedpul_classifier plugin = plugin_named("failing");
    dedpul_comparison *failing = NULL;
    (void)state;
    plugin.score = fail_to_score;
    options.plugin = &plugin;
    dedpul_comparison *comparison = compare(table, &options, "failing,logistic");
    const dedpul_compared *failed = find(comparison, "failing"), *logistic = find(comparison, "logistic");
    assert_true(failed->status != DEDPUL_OK && isnan(failed->alpha) && isnan(failed->auc.value));
    assert_contains(failed->note, "failing");
    assert_false(failed->differs);
    assert_true(logistic->status == DEDPUL_OK && logistic->is_reference);
    assert_int_equal(dedpul_compare_classifiers(table, &options, "failing", &failing, &test_error),
                     failed->status);
    dedpul_comparison_free(comparison);
    assert_contains(test_error.message, "no classifier succeeded; failing: ");
    assert_null(failing);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

static int stop_in_second(void *context, const dedpul_progress *progress)
{
    size_t *seen = context;
    assert_true(progress->parts == 2 || strcmp(progress->stage, "classifiers") == 0 ||
                progress->unit == DEDPUL_UNIT_COLUMNS);
    *seen += progress->part == 2;
    return *seen > 0;
}

static void test_cancelling(void **state)
{
    struct crowd crowd = crowd_make(60, 150, 2, 0.4, 3, 35);
    dedpul_table *table = crowd_table(&crowd, NULL);
    dedpul_options options = cheap_options(NULL);
    dedpul_comparison *comparison = NULL;
    size_t seen = 0;
    (void)state;
    options.progress = stop_in_second;
    options.progress_context = &seen;
    assert_int_equal(dedpul_compare_classifiers(table, &options, "gbdt,logistic", &comparison, &test_error),
                     DEDPUL_CANCELLED);
    assert_int_equal(seen, 1);
    assert_null(comparison);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

static void test_bad_arguments(void **state)
{
    static const struct {
        const char *classifiers, *message;
    } bad[] = {
        {"", "classifiers: there is no ''; there are 'mlp', 'gbdt', "},
        {"gbdt,", "classifiers: there is no ''"},
        {"gbtd2,mlp", "classifiers: there is no 'gbtd2'"},
        {"logistics", "classifiers: there is no 'logistics'; did you mean 'logistic'?"},
        {"mlp,all", "classifiers: there is no 'all'"},
    };
    struct crowd crowd = crowd_make(20, 40, 2, 0.4, 3, 36);
    dedpul_table *table = crowd_table(&crowd, NULL);
    dedpul_options options = cheap_options(NULL);
    dedpul_comparison *comparison = NULL;
    (void)state;
    for (size_t k = 0; k < LENGTH(bad); k++) {
        assert_int_equal(
            dedpul_compare_classifiers(table, NULL, bad[k].classifiers, &comparison, &test_error),
            DEDPUL_INVALID_ARGUMENT);
        assert_contains(test_error.message, bad[k].message);
    }
    options.method = "nnpu";
    assert_int_equal(dedpul_compare_classifiers(table, &options, "mlp", &comparison, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "method nnpu trains networks of its own");
    assert_int_equal(dedpul_compare_classifiers(NULL, NULL, "all", &comparison, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_compare_classifiers(table, NULL, NULL, &comparison, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_compare_classifiers(table, NULL, "all", NULL, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_null(comparison);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

/* For many n, the n-th allocation fails: all fail with it, or one classifier, and nothing is leaked. */
static void test_allocations(void **state)
{
    struct crowd crowd = crowd_make(12, 30, 2, 0.5, 3, 37);
    dedpul_table *table = crowd_table(&crowd, NULL);
    dedpul_options options = cheap_options(NULL);
    size_t whole = 0, partial = 0;
    bool is_done = false;
    (void)state;
    options.folds = 2;
    options.epochs = options.min_epochs = 1;
    for (size_t n = 0; !is_done; n += 1 + n / 20) {
        struct failing failing = {.fails_at = n};
        const dedpul_allocator allocator = {&failing, failing_resize};
        dedpul_comparison *comparison = NULL;
        options.allocator = &allocator;
        const dedpul_status status =
            dedpul_compare_classifiers(table, &options, "logistic,mlp", &comparison, &test_error);
        is_done = failing.calls <= n;
        assert_true(status == DEDPUL_OK || status == DEDPUL_NO_MEMORY);
        whole += status != DEDPUL_OK;
        for (size_t i = 0; status == DEDPUL_OK && i < comparison->n_classifiers; i++)
            partial += comparison->classifiers[i]->status == DEDPUL_NO_MEMORY;
        dedpul_comparison_free(comparison);
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(whole > 10 && partial > 10);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),     cmocka_unit_test(test_worse),
        cmocka_unit_test(test_lists),       cmocka_unit_test(test_one_fails),
        cmocka_unit_test(test_cancelling),  cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
