/* Several methods on the same rows and scores. */
#include "estimator.h"
#include "fitting.h"

#include "reading.h"
#include <stdatomic.h>

/* With few resamples. */
static dedpul_options compare_options(const char *classifier)
{
    dedpul_options options = cheap_options(classifier);
    options.resamples = 10;
    return options;
}

static struct crowd blobs(void)
{
    return crowd_make(100, 250, 3, 0.4, 3.5, 21);
}

static dedpul_comparison *compare(const dedpul_table *table, const dedpul_options *options,
                                  const char *methods)
{
    dedpul_comparison *comparison = NULL;
    assert_ok(dedpul_compare(table, options, methods, &comparison, &test_error), &test_error);
    return comparison;
}

static dedpul_comparison *compare_crowd(const struct crowd *crowd, const double *weight,
                                        const dedpul_options *options, const char *methods)
{
    dedpul_table *table = crowd_table(crowd, weight);
    dedpul_comparison *comparison = compare(table, options, methods);
    dedpul_table_free(table);
    return comparison;
}

/* NULL where it is not there. */
static const dedpul_compared *find(const dedpul_comparison *comparison, const char *method)
{
    for (size_t i = 0; i < comparison->n_methods; i++)
        if (strcmp(comparison->methods[i]->method, method) == 0)
            return comparison->methods[i];
    return NULL;
}

/* All but the seconds. */
static void assert_same_comparison(const dedpul_comparison *a, const dedpul_comparison *b)
{
    assert_int_equal(a->n_methods, b->n_methods);
    assert_string_equal(a->classifier, b->classifier);
    assert_memory_equal(&a->auc, &b->auc, sizeof a->auc);
    assert_int_equal(a->n_warnings, b->n_warnings);
    for (size_t i = 0; i < a->n_methods; i++) {
        const dedpul_compared *one = a->methods[i], *other = b->methods[i];
        assert_string_equal(one->method, other->method);
        assert_int_equal(one->status, other->status);
        assert_memory_equal(&one->alpha, &other->alpha, sizeof one->alpha);
        assert_int_equal(isnan(one->low), isnan(other->low));
        assert_true(isnan(one->low) || (one->low == other->low && one->high == other->high));
        assert_int_equal(one->is_reference, other->is_reference);
        assert_int_equal(one->differs, other->differs);
        assert_string_equal(one->note, other->note);
    }
}

/* ---- answers ---- */

/* The numbers of rows, the scores, and what holds for every entry; and how they hang together. */
static void test_entries(void **state)
{
    struct crowd crowd = blobs();
    const dedpul_options options = compare_options("mlp");
    dedpul_comparison *comparison = compare_crowd(&crowd, NULL, &options, "all");
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    (void)state;
    assert_int_equal(comparison->n_positive, 100);
    assert_int_equal(comparison->n_unlabeled, 250);
    assert_string_equal(comparison->classifier, "mlp");
    assert_near(comparison->auc, fitted.result->auc, 0);
    assert_true(comparison->seconds > 0);
    assert_int_equal(comparison->n_methods, dedpul_method_count());
    for (size_t i = 0; i < comparison->n_methods; i++) {
        const dedpul_compared *compared = comparison->methods[i];
        assert_true(compared->seconds >= 0);
        assert_int_equal(compared->is_reference, i == 0);
        if (dedpul_method_needs_table(i)) {
            assert_true(isnan(compared->low) && isnan(compared->high));
        } else {
            assert_true(0 <= compared->low && compared->low <= compared->alpha);
            assert_true(compared->alpha <= compared->high && compared->high <= 1);
            assert_true(compared->low < compared->high);
        }
    }
    assert_near(comparison->methods[0]->alpha, fitted.result->alpha, 0);
    assert_contains(find(comparison, "nnpu")->note, "the share it calls positive, given alpha 0.");
    assert_string_equal(find(comparison, "dedpul")->note, "");
    fitted_free(&fitted);
    dedpul_comparison_free(comparison);
    crowd_free(&crowd);
}

/* How good the scores are is what an evaluation of the fit says; without alpha's distribution, without
 * ranges. */
static void test_quality(void **state)
{
    struct crowd crowd = crowd_make(100, 250, 3, 0.4, 2, 27);
    const dedpul_options options = compare_options("logistic");
    dedpul_comparison *comparison = compare_crowd(&crowd, NULL, &options, "pooled,dedpul,tice,upu");
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    const dedpul_sample rows = {.n = crowd.n, .score = fitted.score};
    const dedpul_compared *pooled = comparison->methods[0], *dedpul = comparison->methods[1],
                          *tice = comparison->methods[2], *upu = comparison->methods[3];
    dedpul_evaluation *evaluation;
    (void)state;
    assert_ok(dedpul_evaluate(fitted.result, &rows, crowd.label, NULL, NULL, &evaluation, &test_error),
              &test_error);
    const dedpul_range compared[] = {pooled->auc, pooled->average_precision, pooled->precision};
    const dedpul_range evaluated[] = {evaluation->auc, evaluation->average_precision,
                                      evaluation->threshold->precision};
    for (size_t k = 0; k < LENGTH(compared); k++) {
        assert_near(compared[k].value, evaluated[k].value, 1e-7);
        assert_near(compared[k].low, evaluated[k].low, 1e-7);
        assert_near(compared[k].high, evaluated[k].high, 1e-7);
    }
    assert_string_equal(pooled->classifier, "logistic");
    assert_near(pooled->auc_unlabeled, comparison->auc, 0);
    assert_true(dedpul->auc.value > 0.7 && tice->auc.value > 0.7 && tice->precision.value > 0.5);
    assert_true(isnan(dedpul->auc.low) && isnan(dedpul->precision.high) && isnan(dedpul->chance));
    assert_true(isnan(upu->auc.value) && isnan(upu->average_precision.value) && isnan(upu->precision.value));
    dedpul_evaluation_free(evaluation);
    fitted_free(&fitted);
    dedpul_comparison_free(comparison);
    crowd_free(&crowd);
}

/* Of about the right width. */
static void test_intervals(void **state)
{
    enum { SAMPLES = 20 };
    const dedpul_options options = compare_options("logistic");
    size_t covered = 0;
    double alpha[SAMPLES], mean = 0, squares = 0, half = 0;
    (void)state;
    for (size_t k = 0; k < SAMPLES; k++) {
        struct crowd crowd = crowd_make(300, 600, 2, 0.4, 4, 100 + k);
        dedpul_comparison *comparison = compare_crowd(&crowd, NULL, &options, "bbe");
        alpha[k] = comparison->methods[0]->alpha;
        mean += alpha[k] / SAMPLES;
        half += (comparison->methods[0]->high - comparison->methods[0]->low) / 2 / SAMPLES;
        covered += comparison->methods[0]->low <= 0.4 && comparison->methods[0]->high >= 0.4;
        dedpul_comparison_free(comparison);
        crowd_free(&crowd);
    }
    for (size_t k = 0; k < SAMPLES; k++)
        squares += (alpha[k] - mean) * (alpha[k] - mean) / (SAMPLES - 1);
    assert_true(covered >= SAMPLES * 3 / 4);
    assert_true(half > 0.8 * sqrt(squares) && half < 8 * sqrt(squares));
}

/* From two labeled rows there is an estimate, but no interval. */
static void test_no_interval(void **state)
{
    struct crowd crowd = crowd_make(2, 40, 2, 0.5, 3, 22);
    const dedpul_options options = compare_options("logistic");
    dedpul_comparison *comparison = compare_crowd(&crowd, NULL, &options, "pooled,learned,dedpul,en_e1,bbe");
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    (void)state;
    assert_near(comparison->methods[0]->alpha, fitted.result->alpha, 0);
    for (size_t i = 0; i < comparison->n_methods; i++) {
        assert_int_equal(comparison->methods[i]->status, DEDPUL_OK);
        assert_true(isnan(comparison->methods[i]->low) && isnan(comparison->methods[i]->high));
        assert_false(comparison->methods[i]->differs);
    }
    fitted_free(&fitted);
    dedpul_comparison_free(comparison);
    crowd_free(&crowd);
}

/* A share that is known is everybody's, but for those that say what they call positive. */
static void test_alpha_given(void **state)
{
    struct crowd crowd = blobs();
    dedpul_table *table = crowd_table(&crowd, NULL);
    dedpul_options options = compare_options("logistic");
    dedpul_comparison *comparison = NULL;
    (void)state;
    options.alpha = 0.25;
    assert_int_equal(dedpul_compare(table, &options, "all", &comparison, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "alpha is what is estimated here: leave it out");
    assert_null(comparison);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

/* Farther from dedpul than the two uncertainties together; one without an interval has that of dedpul. */
static void test_differs(void **state)
{
    size_t differing = 0, agreeing = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct crowd crowd = crowd_make(150, 300, 3, seed % 2 == 0 ? 0.4 : 0.97, 3, seed);
        const dedpul_options options = compare_options("logistic");
        dedpul_comparison *comparison = compare_crowd(&crowd, NULL, &options, "all");
        const dedpul_compared *reference = comparison->methods[0];
        /* At most one end is cut off at 0 or 1. */
        const double own = fmax(reference->high - reference->alpha, reference->alpha - reference->low);
        for (size_t i = 0; i < comparison->n_methods; i++) {
            const dedpul_compared *compared = comparison->methods[i];
            const double other = isnan(compared->low) ? own
                                                      : fmax(compared->high - compared->alpha,
                                                             compared->alpha - compared->low);
            assert_int_equal(compared->differs, fabs(compared->alpha - reference->alpha) > own + other);
            differing += compared->differs != 0;
            agreeing += !compared->differs && i > 0;
        }
        assert_false(reference->differs);
        dedpul_comparison_free(comparison);
        crowd_free(&crowd);
    }
    assert_true(differing > 0 && agreeing > 0);
}

static void test_without_reference(void **state)
{
    struct crowd crowd = blobs();
    const dedpul_options options = compare_options("logistic");
    dedpul_comparison *comparison = compare_crowd(&crowd, NULL, &options, "simple_alpha,en_e1,km2");
    (void)state;
    for (size_t i = 0; i < comparison->n_methods; i++) {
        assert_false(comparison->methods[i]->is_reference);
        assert_false(comparison->methods[i]->differs);
        assert_true(comparison->methods[i]->alpha >= 0);
    }
    dedpul_comparison_free(comparison);
    crowd_free(&crowd);
}

/* What only some methods have to say is in their notes; the rest are warnings. */
static void test_warnings(void **state)
{
    struct crowd crowd = crowd_make(100, 200, 2, 0, 0, 23);
    const dedpul_options options = compare_options("gbdt");
    (void)state;
    for (size_t i = 0; i < crowd.n; i++) {
        crowd.x[2 * i] = crowd.label[i] + 1e-3 * crowd.x[2 * i];
        crowd.x[2 * i + 1] = 5;
    }
    dedpul_comparison *comparison = compare_crowd(&crowd, NULL, &options, "dedpul,bbe,en_e1");
    size_t dropped = 0, perfect = 0;
    for (size_t i = 0; i < comparison->n_warnings; i++) {
        dropped += comparison->warnings[i].code == DEDPUL_WARNING_DROPPED_COLUMNS;
        perfect += comparison->warnings[i].code == DEDPUL_WARNING_PERFECT_SCORES;
        for (size_t m = 0; m < comparison->n_methods; m++)
            assert_null(strstr(comparison->methods[m]->note, comparison->warnings[i].name));
    }
    assert_int_equal(dropped, 1);
    assert_int_equal(perfect, 1);
    dedpul_comparison_free(comparison);
    crowd_free(&crowd);
}

/* ---- the same answer ---- */

static void test_threads(void **state)
{
    static const unsigned threads[] = {1, 2, 4};
    struct crowd crowd = blobs();
    dedpul_options options = compare_options("mlp");
    dedpul_comparison *comparison[LENGTH(threads)];
    (void)state;
    options.ensemble = 2;
    for (size_t t = 0; t < LENGTH(threads); t++) {
        options.threads = threads[t];
        comparison[t] = compare_crowd(&crowd, NULL, &options, "all");
        assert_same_comparison(comparison[t], comparison[0]);
    }
    for (size_t t = 0; t < LENGTH(threads); t++)
        dedpul_comparison_free(comparison[t]);
    crowd_free(&crowd);
}

/* What one method says does not depend on which others are asked, nor on their order in the list. */
static void test_lists(void **state)
{
    struct crowd crowd = blobs();
    const dedpul_options options = compare_options("mlp");
    dedpul_comparison *all = compare_crowd(&crowd, NULL, &options, "all"),
                      *some = compare_crowd(&crowd, NULL, &options, "upu,dedpul,km2,upu,tedn"),
                      *sorted = compare_crowd(&crowd, NULL, &options, "dedpul,km2,upu,tedn");
    (void)state;
    assert_int_equal(some->n_methods, 4);
    assert_same_comparison(some, sorted);
    for (size_t i = 0; i < some->n_methods; i++)
        assert_near(some->methods[i]->alpha, find(all, some->methods[i]->method)->alpha, 0);
    dedpul_comparison *fast = compare_crowd(&crowd, NULL, &options, "fast");
    assert_int_equal(fast->n_methods, all->n_methods - trained_method_count());
    for (size_t i = 0; i < fast->n_methods; i++)
        assert_false(estimator_trains(estimator_find(fast->methods[i]->method, &test_error)));
    dedpul_comparison_free(fast);
    dedpul_comparison_free(sorted);
    dedpul_comparison_free(some);
    dedpul_comparison_free(all);
    crowd_free(&crowd);
}

/* Negatives of weight 3: all shares are those of weights, the called ones too. Weights of 1 change nothing.
 */
static void test_weights(void **state)
{
    struct crowd crowd = crowd_make(150, 600, 2, 0.5, 5, 24);
    const dedpul_options options = compare_options("logistic");
    static const char methods[] = "dedpul,dedpul_bbe,bbe,roc,km1,km2,nnpu,upu,tedn";
    double weight[750], ones[750];
    (void)state;
    for (size_t i = 0; i < crowd.n; i++) { /* of the unlabeled rows, positives come first */
        weight[i] = i >= 450 ? 3 : 1;
        ones[i] = 1;
    }
    dedpul_comparison *without = compare_crowd(&crowd, NULL, &options, methods),
                      *of_one = compare_crowd(&crowd, ones, &options, methods),
                      *weighted = compare_crowd(&crowd, weight, &options, methods);
    for (size_t i = 0; i < without->n_methods; i++) {
        assert_near(without->methods[i]->alpha, 0.5, 0.1);
        assert_near(of_one->methods[i]->alpha, without->methods[i]->alpha, 0.01);
        assert_near(weighted->methods[i]->alpha, 0.25, 0.1);
        assert_int_equal(isnan(weighted->methods[i]->low), isnan(without->methods[i]->low));
    }
    dedpul_comparison_free(without);
    dedpul_comparison_free(of_one);
    dedpul_comparison_free(weighted);
    crowd_free(&crowd);
}

/* The classifier is that of a fit; nobody needs an error. */
static void test_default_classifier(void **state)
{
    struct crowd crowd = blobs();
    dedpul_table *table = crowd_table(&crowd, NULL);
    const dedpul_options options = compare_options(NULL);
    dedpul_comparison *comparison = NULL;
    (void)state;
    assert_int_equal(dedpul_compare(table, &options, "en_e1", &comparison, NULL), DEDPUL_OK);
    assert_string_equal(comparison->classifier, "mlp + gbdt");
    dedpul_comparison_free(comparison);
    dedpul_comparison_free(NULL);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

/* ---- methods that fail ---- */

/* Networks that would take too long fail, and no other. */
static void test_one_fails(void **state)
{
    struct crowd crowd = blobs();
    dedpul_options options = compare_options("gbdt");
    dedpul_table *table = crowd_table(&crowd, NULL);
    dedpul_comparison *failing = NULL;
    (void)state;
    dedpul_comparison *without = compare(table, &options, "all");
    options.layers = "16384,16384,16384";
    options.epochs = 100000;
    dedpul_comparison *comparison = compare(table, &options, "all");
    for (size_t i = 0; i < comparison->n_methods; i++) {
        const dedpul_compared *compared = comparison->methods[i], *before = without->methods[i];
        if (estimator_trains(estimator_find(compared->method, &test_error))) {
            assert_int_equal(compared->status, DEDPUL_INVALID_ARGUMENT);
            assert_true(isnan(compared->alpha) && isnan(compared->low) && isnan(compared->high));
            assert_contains(compared->note, "trains networks, which would take about");
            assert_false(compared->differs);
        } else {
            assert_int_equal(compared->status, DEDPUL_OK);
            assert_near(compared->alpha, before->alpha, 0);
            assert_string_equal(compared->note, before->note);
        }
    }
    assert_int_equal(dedpul_compare(table, &options, "nnpu,tedn", &failing, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "no method succeeded; nnpu: nnpu trains networks");
    assert_null(failing);
    dedpul_comparison_free(without);
    dedpul_comparison_free(comparison);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

struct cancelling {
    const char *stage;
    size_t step;
    size_t after; /* calls since the wish to stop */
    bool wished;
};

static int cancel(void *context, const dedpul_progress *progress)
{
    struct cancelling *cancelling = context;
    cancelling->after += cancelling->wished;
    cancelling->wished = cancelling->wished || (strcmp(progress->stage, cancelling->stage) == 0 &&
                                                progress->step >= cancelling->step);
    return cancelling->wished;
}

/* At any stage, the wish to stop stops all. */
static void test_cancelling(void **state)
{
    static const struct cancelling stages[] = {
        {.stage = "logistic", .step = 1},
        {.stage = "methods", .step = 0},
        {.stage = "methods", .step = 5},
    };
    struct crowd crowd = blobs();
    dedpul_table *table = crowd_table(&crowd, NULL);
    (void)state;
    for (size_t k = 0; k < LENGTH(stages) + trained_method_count(); k++) {
        const size_t trained = k - LENGTH(stages);
        struct cancelling cancelling = {.stage = trained_method_name(trained), .step = 1 + trained};
        if (k < LENGTH(stages))
            cancelling = stages[k];
        dedpul_options options = compare_options("logistic");
        dedpul_comparison *comparison = NULL;
        options.progress = cancel;
        options.progress_context = &cancelling;
        assert_int_equal(dedpul_compare(table, &options, "all", &comparison, &test_error), DEDPUL_CANCELLED);
        assert_int_equal(test_error.status, DEDPUL_CANCELLED);
        assert_string_equal(test_error.message, "stopped");
        assert_true(cancelling.wished);
        assert_int_equal(cancelling.after, 0);
        assert_null(comparison);
    }
    dedpul_table_free(table);
    crowd_free(&crowd);
}

static void test_bad_arguments(void **state)
{
    static const struct {
        const char *methods, *message;
    } bad[] = {
        {"", "methods: there is no ''; there are 'pooled', 'learned', "},
        {",", "methods: there is no ''"},
        {"dedpul,", "methods: there is no ''"},
        {",dedpul", "methods: there is no ''"},
        {"dedpul,,bbe", "methods: there is no ''"},
        {"dedpul,km3", "methods: there is no 'km3'; did you mean 'km1'?"},
        {"dedpul,all", "methods: there is no 'all'"},
        {"fast,upu", "methods: there is no 'fast'"},
        {" ", "methods: there is no ''"},
        {"dedpul bbbe", "methods: there is no 'bbbe'; did you mean 'bbe'?"},
        {"DEDPUL", "methods: there is no 'DEDPUL'"},
        {"a_name_that_is_longer_than_any_name_of_a_method", "methods: there is no 'a_name_that"},
    };
    struct crowd crowd = blobs();
    dedpul_table *table = crowd_table(&crowd, NULL);
    dedpul_comparison *comparison = NULL;
    (void)state;
    for (size_t k = 0; k < LENGTH(bad); k++) {
        assert_int_equal(dedpul_compare(table, NULL, bad[k].methods, &comparison, &test_error),
                         DEDPUL_INVALID_ARGUMENT);
        assert_contains(test_error.message, bad[k].message);
        assert_int_equal(dedpul_compare(table, NULL, bad[k].methods, &comparison, NULL),
                         DEDPUL_INVALID_ARGUMENT);
    }
    assert_int_equal(dedpul_compare(NULL, NULL, "all", &comparison, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_compare(table, NULL, NULL, &comparison, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_compare(table, NULL, "all", NULL, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_null(comparison);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

/* For many n, the n-th allocation fails: all fail with it, or one method, and nothing is leaked. */
static void test_allocations(void **state)
{
    struct crowd crowd = crowd_make(12, 30, 2, 0.5, 3, 26);
    dedpul_table *table = crowd_table(&crowd, NULL);
    dedpul_options options = compare_options("logistic");
    size_t whole = 0, partial = 0;
    bool is_done = false;
    (void)state;
    options.folds = 2;
    options.epochs = options.min_epochs = 1;
    for (size_t n = 0; !is_done; n += 1 + n / (IS_SLOW ? 20 : 40)) {
        struct failing failing = {.fails_at = n};
        const dedpul_allocator allocator = {&failing, failing_resize};
        dedpul_comparison *comparison = NULL;
        size_t failed = 0;
        options.allocator = &allocator;
        const dedpul_status status = dedpul_compare(table, &options, "all", &comparison, &test_error);
        is_done = failing.calls <= n;
        if (status == DEDPUL_OK) {
            for (size_t i = 0; i < comparison->n_methods; i++)
                if (comparison->methods[i]->status != DEDPUL_OK) {
                    assert_int_equal(comparison->methods[i]->status, DEDPUL_NO_MEMORY);
                    assert_contains(comparison->methods[i]->note, "out of memory");
                    failed++;
                }
            assert_int_equal(failed, is_done ? 0 : 1);
            dedpul_comparison_free(comparison);
            partial += failed;
        } else {
            assert_int_equal(status, DEDPUL_NO_MEMORY);
            assert_contains(test_error.message, "out of memory");
            assert_null(comparison);
            whole++;
        }
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(whole > 20 && partial > 20);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

/* ---- the program's own classifier ---- */

/* The logit is the first feature; the context counts the models that live. */
static int count_train(void *context, const dedpul_examples *examples, void **model)
{
    (void)examples;
    atomic_fetch_add((atomic_int *)context, 1);
    *model = context;
    return 0;
}

static int count_score(void *context, const void *model, size_t n, size_t width, const float *x,
                       double *logit)
{
    (void)context, (void)model;
    for (size_t i = 0; i < n; i++)
        logit[i] = x[i * width];
    return 0;
}

static void count_free(void *context, void *model)
{
    (void)model;
    atomic_fetch_sub((atomic_int *)context, 1);
}

/* A comparison keeps no model, so what the classifier needs may be gone when it is freed. */
static void test_own_classifier(void **state)
{
    struct crowd crowd = crowd_make(60, 150, 3, 0.4, 3, 18);
    dedpul_table *table = crowd_table(&crowd, NULL);
    dedpul_options options = cheap_options(NULL);
    dedpul_comparison *comparison;
    atomic_int models = 0;
    const dedpul_classifier plugin = {.size = sizeof plugin,
                                      .name = "first feature",
                                      .context = &models,
                                      .train = count_train,
                                      .score = count_score,
                                      .free = count_free};
    (void)state;
    options.plugin = &plugin;
    assert_ok(dedpul_compare(table, &options, "dedpul,bbe", &comparison, &test_error), &test_error);
    assert_string_equal(comparison->classifier, "first feature");
    assert_int_equal(models, 0);
    dedpul_comparison_free(comparison);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),           cmocka_unit_test(test_quality),
        cmocka_unit_test(test_intervals),         cmocka_unit_test(test_no_interval),
        cmocka_unit_test(test_alpha_given),       cmocka_unit_test(test_differs),
        cmocka_unit_test(test_without_reference), cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_threads),           cmocka_unit_test(test_lists),
        cmocka_unit_test(test_weights),           cmocka_unit_test(test_default_classifier),
        cmocka_unit_test(test_one_fails),         cmocka_unit_test(test_cancelling),
        cmocka_unit_test(test_bad_arguments),     cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_own_classifier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
