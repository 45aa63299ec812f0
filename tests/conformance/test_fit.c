/* What every classifier must do: from a table to a model, through the public interface. */
#include "fitting.h"
#include "reading.h"

static unsigned char *model_bytes(const dedpul_model *model, size_t *size)
{
    assert_ok(dedpul_model_save(model, test_path("model"), &test_error), &test_error);
    return read_bytes(test_path("model"), size);
}

/* ---- answers ---- */

static void check_answer(const char *classifier)
{
    struct crowd crowd = crowd_make(400, 1000, 5, 0.3, 4, 11);
    const dedpul_options options = cheap_options(classifier);
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    const dedpul_result *result = fitted.result;
    assert_near(result->alpha, 0.3, 0.08);
    assert_int_equal(result->n_positive, 400);
    assert_int_equal(result->n_unlabeled, 1000);
    assert_true(distance(1000, result->posterior, crowd.posterior) < 0.15);
    assert_true(result->auc > 0.75);
    assert_false(has_warning(result, "perfect_scores"));
    assert_false(has_warning(result, "dropped_columns"));
    for (size_t i = 0; i < crowd.n; i++)
        assert_true(fitted.score[i] > 0 && fitted.score[i] < 1);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

static void test_answers(void **state)
{
    (void)state;
    for (size_t k = 0; k < table_classifier_count(); k++)
        check_answer(table_classifier_name(k));
}

static void test_auto_takes_the_best(void **state)
{
    struct crowd crowd = crowd_make(300, 600, 2, 0.4, 3, 12);
    dedpul_options options = cheap_options("auto");
    double best = 0;
    const char *name = "";
    (void)state;
    options.tree_rounds = 1;
    options.tree_depth = 1;
    for (size_t i = 0; i < crowd.n; i++) /* a ring, of which a line sees nothing */
        for (size_t j = 0; j < 2; j++)
            crowd.x[2 * i + j] *= crowd.label[i] || i < 540 ? 0.3 : 2;
    struct fitted chosen = fit_crowd(&crowd, NULL, &options);
    for (size_t k = 0; k < 3; k++) {
        options.classifier = table_classifier_name(k);
        struct fitted one = fit_crowd(&crowd, NULL, &options);
        if (one.result->auc > best) {
            best = one.result->auc;
            name = options.classifier;
        }
        fitted_free(&one);
    }
    assert_string_equal(dedpul_model_describe(chosen.model)->classifier, name);
    assert_near(chosen.result->auc, best, 0);
    fitted_free(&chosen);
    crowd_free(&crowd);
}

/* Each row is scored by models that have not seen it: labels by chance stay unknown. */
static void test_cross_fitted(void **state)
{
    struct crowd crowd = crowd_make(150, 150, 4, 1, 0, 12);
    (void)state;
    for (size_t k = 0; k < 3; k++) { /* the others are made of these */
        dedpul_options options = cheap_options(table_classifier_name(k));
        options.min_epochs = options.epochs = 20; /* as much as can be learned by heart */
        options.rate = 3e-2;
        options.layers = "32";
        options.tree_depth = 6;
        options.tree_l2 = 0.1;
        options.tree_rounds = options.tree_patience = 20;
        struct fitted fitted = fit_crowd(&crowd, NULL, &options);
        assert_near(fitted.result->auc, 0.5, 0.1);
        fitted_free(&fitted);
    }
    crowd_free(&crowd);
}

/* ---- the same answer ---- */

static void check_sources(const char *classifier)
{
    struct crowd crowd = crowd_make(40, 100, 3, 0.4, 3, 13);
    const dedpul_matrix narrow = {crowd.n, crowd.width, NULL, crowd.x32};
    const dedpul_options options = cheap_options(classifier);
    struct fitted fitted[3];
    dedpul_table *table[3];
    crowd.x[5] = NAN; /* missing in all three */
    crowd.x32[5] = NAN;
    crowd_write(&crowd, test_path("rows.csv"));
    table[0] = crowd_table(&crowd, NULL);
    assert_ok(dedpul_table_from_matrix(&narrow, crowd.label, NULL, NULL, &table[1], &test_error),
              &test_error);
    assert_ok(dedpul_table_read(test_path("rows.csv"), NULL, NULL, &table[2], &test_error), &test_error);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(dedpul_table_rows(table[i]), crowd.n);
        assert_memory_equal(dedpul_table_labels(table[i]), crowd.label, crowd.n);
        assert_null(dedpul_table_weights(table[i]));
        fitted[i] = fit_rows(table[i], &options);
        assert_same_result(fitted[i].result, fitted[0].result);
        assert_memory_equal(fitted[i].score, fitted[0].score, crowd.n * sizeof(double));
    }
    for (int i = 0; i < 3; i++) {
        dedpul_table_free(table[i]);
        fitted_free(&fitted[i]);
    }
    crowd_free(&crowd);
}

static void test_sources(void **state)
{
    (void)state;
    for (size_t k = 0; k < table_classifier_count(); k++)
        check_sources(table_classifier_name(k));
}

static void check_threads(const char *classifier, int pn)
{
    static const unsigned threads[] = {1, 2, 4};
    struct crowd crowd = crowd_make(40, 80, 4, 0.4, 2.5, 14);
    dedpul_options options = cheap_options(classifier);
    unsigned char *bytes[LENGTH(threads)];
    size_t size[LENGTH(threads)];
    options.pn = pn;
    options.ensemble = options.folds = 2;
    options.epochs = options.tree_rounds = 3;
    for (size_t t = 0; t < LENGTH(threads); t++) {
        options.threads = threads[t];
        struct fitted fitted = fit_crowd(&crowd, NULL, &options);
        bytes[t] = model_bytes(fitted.model, &size[t]);
        assert_int_equal(size[t], size[0]);
        assert_memory_equal(bytes[t], bytes[0], size[0]);
        fitted_free(&fitted);
    }
    for (size_t t = 0; t < LENGTH(threads); t++)
        free(bytes[t]);
    crowd_free(&crowd);
}

static void test_threads(void **state)
{
    (void)state;
    for (size_t k = 0; k < table_classifier_count(); k++)
        check_threads(table_classifier_name(k), k % 2 == 0);
}

static void test_seed(void **state)
{
    struct crowd crowd = crowd_make(60, 150, 3, 0.4, 3, 15);
    dedpul_options options = cheap_options("mlp");
    (void)state;
    struct fitted first = fit_crowd(&crowd, NULL, &options);
    options.seed = 2;
    struct fitted second = fit_crowd(&crowd, NULL, &options);
    assert_memory_not_equal(first.score, second.score, crowd.n * sizeof(double));
    assert_true(distance(crowd.n, first.score, second.score) < 0.25);
    fitted_free(&first);
    fitted_free(&second);
    crowd_free(&crowd);
}

/* The scores that a fit gives lead to its result, also with a share that is known. */
static void test_scores(void **state)
{
    struct crowd crowd = crowd_make(100, 300, 3, 0.4, 3, 16);
    dedpul_options options = cheap_options("logistic");
    double weight[400];
    (void)state;
    for (size_t i = 0; i < crowd.n; i++)
        weight[i] = (double)(i % 3);
    for (int way = 0; way < 4; way++) {
        dedpul_result *again = NULL;
        const double *weights = way % 2 == 1 ? weight : NULL;
        options.alpha = way < 2 ? NAN : 0.25;
        struct fitted fitted = fit_crowd(&crowd, weights, &options);
        const dedpul_sample rows = {crowd.n, fitted.score, weights};
        assert_ok(dedpul_estimate(&rows, crowd.label, &options, &again, &test_error), &test_error);
        /* The fit goes on from logits, which lose a few digits as scores. */
        assert_near(again->alpha, fitted.result->alpha, 1e-9);
        for (size_t k = 0; k < again->n_unlabeled; k++)
            assert_near(again->posterior[k], fitted.result->posterior[k], 1e-9);
        if (way >= 2) {
            assert_near(fitted.result->alpha, 0.25, 0);
            assert_int_equal(fitted.result->rule, DEDPUL_RULE_GIVEN);
        }
        dedpul_result_free(again);
        fitted_free(&fitted);
    }
    crowd_free(&crowd);
}

static void test_outputs_not_wanted(void **state)
{
    struct crowd crowd = crowd_make(60, 150, 3, 0.4, 3, 17);
    dedpul_options options = cheap_options("gbdt");
    dedpul_table *table = crowd_table(&crowd, NULL);
    dedpul_model *model;
    dedpul_result *result;
    (void)state;
    struct fitted fitted = fit_rows(table, &options);
    assert_ok(dedpul_fit(table, &options, &model, &result, NULL, NULL), &test_error);
    assert_same_result(fitted.result, result);
    dedpul_model_free(model);
    dedpul_result_free(result);
    fitted_free(&fitted);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

/* ---- weights ---- */

/* Rows of weight 0 change nothing for the others, and get their posteriors. */
static void check_weightless(const char *classifier)
{
    enum { EXTRA = 30 };
    struct crowd crowd = crowd_make(50, 150, 3, 0.4, 3, 18),
                 more = crowd_make(50, 150 + EXTRA, 3, 0.4, 3, 18);
    dedpul_options options = cheap_options(classifier);
    double weight[200 + EXTRA];
    memcpy(more.x, crowd.x, crowd.n * 3 * sizeof *crowd.x);
    for (size_t i = 0; i < more.n; i++)
        weight[i] = i < crowd.n;
    for (size_t i = crowd.n * 3; i < more.n * 3; i++)
        more.x[i] = 100 + (double)i; /* far from all that counts */
    struct fitted without = fit_crowd(&crowd, weight, &options), with = fit_crowd(&more, weight, &options);
    assert_int_equal(with.result->n_unlabeled, 150 + EXTRA);
    assert_near(with.result->weight_unlabeled, 150, 0);
    assert_near(with.result->alpha, without.result->alpha, 1e-4);
    for (size_t i = 0; i < crowd.n; i++)
        assert_near(with.score[i], without.score[i], 1e-5);
    for (size_t i = 0; i < 150; i++)
        assert_near(with.result->posterior[i], without.result->posterior[i], 1e-3);
    for (size_t i = 150; i < 150 + EXTRA; i++)
        assert_true(with.result->posterior[i] >= 0 && with.result->posterior[i] <= 1);
    fitted_free(&with);
    fitted_free(&without);
    crowd_free(&more);
    crowd_free(&crowd);
}

static void test_weightless(void **state)
{
    (void)state;
    for (size_t k = 0; k < table_classifier_count(); k++)
        check_weightless(table_classifier_name(k));
}

/* Negatives of weight 3: the share is that of weights. */
static void check_weighted(const char *classifier)
{
    struct crowd crowd = crowd_make(150, 600, 3, 0.5, 4, 19);
    const dedpul_options options = cheap_options(classifier);
    double weight[750];
    for (size_t i = 0; i < crowd.n; i++) /* of the unlabeled rows, positives come first */
        weight[i] = i >= 450 ? 3 : 1;
    struct fitted fitted = fit_crowd(&crowd, weight, &options);
    assert_near(fitted.result->weight_unlabeled, 1200, 0);
    assert_near(fitted.result->alpha, 0.25, 0.08);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

/* Three times each row of some: copies fall into other folds, so the answers are only close. */
static void check_repeated(const char *classifier)
{
    struct crowd crowd = crowd_make(150, 300, 3, 0.4, 4, 20), repeated = crowd_make(150, 600, 3, 0.4, 4, 20);
    dedpul_options options = cheap_options(classifier);
    options.method = "dedpul"; /* to the learned method, copies are chance: they make its tails uncertain */
    double weight[450];
    size_t n = 0;
    for (size_t i = 0; i < crowd.n; i++) {
        weight[i] = i >= 150 && i % 2 == 0 ? 3 : 1;
        for (double copy = 0; copy < weight[i]; copy++) {
            repeated.label[n] = crowd.label[i];
            memcpy(repeated.x + 3 * n++, crowd.x + 3 * i, 3 * sizeof *crowd.x);
        }
    }
    assert_int_equal(n, repeated.n);
    struct fitted by_weight = fit_crowd(&crowd, weight, &options),
                  by_copy = fit_crowd(&repeated, NULL, &options);
    assert_near(by_weight.result->weight_unlabeled, 600, 0);
    assert_near(by_weight.result->alpha, by_copy.result->alpha, 0.08);
    /* Trees remember a row's copies. */
    assert_near(by_weight.result->auc, by_copy.result->auc, 0.08);
    fitted_free(&by_weight);
    fitted_free(&by_copy);
    crowd_free(&repeated);
    crowd_free(&crowd);
}

static void test_weighted(void **state)
{
    (void)state;
    for (size_t k = 0; k < table_classifier_count(); k++) {
        check_weighted(table_classifier_name(k));
        if (k < 3) /* the others are made of these */
            check_repeated(table_classifier_name(k));
    }
}

/* Labeled rows that look like negatives, many but of hardly any weight, mislead no classifier. */
static void test_hardly_any_weight(void **state)
{
    struct crowd crowd = crowd_make(1000, 600, 3, 0.4, 4, 34);
    double weight[1600];
    (void)state;
    for (size_t i = 0; i < crowd.n; i++) {
        const bool counts = i < 200 || !crowd.label[i];
        weight[i] = counts ? 1 : 1e-5;
        for (size_t j = 0; !counts && j < 3; j++)
            crowd.x[3 * i + j] -= 4 / sqrt(3);
    }
    for (size_t k = 0; k < 3; k++) { /* the others are made of these */
        const dedpul_options options = cheap_options(table_classifier_name(k));
        struct fitted fitted = fit_crowd(&crowd, weight, &options);
        assert_true(fitted.result->auc > 0.7);
        assert_near(fitted.result->alpha, 0.4, 0.1);
        fitted_free(&fitted);
    }
    crowd_free(&crowd);
}

/* ---- positives against negatives ---- */

static void check_pn(const char *classifier)
{
    struct crowd crowd = crowd_make(200, 600, 3, 0.15, 3, 21);
    const dedpul_matrix rows = {600, 3, crowd.x + (size_t)200 * 3, NULL};
    dedpul_options options = cheap_options(classifier);
    dedpul_predict_options predict;
    double posterior[600], mean = 0;
    options.rate = 0.05; /* logits of positives against negatives are far apart */
    struct fitted plain = fit_crowd(&crowd, NULL, &options);
    options.pn = 1;
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    assert_false(dedpul_model_describe(plain.model)->has_pn);
    assert_true(dedpul_model_describe(fitted.model)->has_pn);
    assert_same_result(plain.result, fitted.result);
    dedpul_predict_options_init(&predict);
    predict.pn = 1;
    assert_int_equal(dedpul_model_predict(plain.model, &rows, &predict, NULL, posterior, NULL, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "no classifier of positives against negatives");
    assert_ok(dedpul_model_predict(fitted.model, &rows, &predict, NULL, posterior, NULL, &test_error),
              &test_error);
    for (size_t i = 0; i < 600; i++)
        mean += posterior[i] / 600;
    assert_near(mean, 0.15, 0.05);
    assert_true(distance(600, posterior, crowd.posterior) < 0.12);

    fitted_free(&plain);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

static void test_pn(void **state)
{
    (void)state;
    for (size_t k = 0; k < table_classifier_count(); k++)
        check_pn(table_classifier_name(k));
}

/* ---- progress ---- */

struct watch {
    size_t calls, cancel_at;
    size_t step, stages;
    char stage[16];
    bool wrong, has_best;
};

static int watch_progress(void *context, const dedpul_progress *progress)
{
    struct watch *watch = context;
    if (strcmp(watch->stage, progress->stage) != 0) {
        (void)strcpy(watch->stage, progress->stage);
        watch->step = 0;
        watch->stages++;
    }
    const bool trains = progress->unit == DEDPUL_UNIT_EPOCHS;
    if (progress->step != ++watch->step || progress->step > progress->steps ||
        trains != (progress->loss > 0) || progress->best_step > progress->step || progress->left < 0)
        watch->wrong = true;
    if (trains != (strcmp(progress->stage, "encode") != 0))
        watch->wrong = true;
    watch->has_best = watch->has_best || progress->best_step > 0;
    return ++watch->calls == watch->cancel_at;
}

static void check_progress(const char *classifier, size_t stages)
{
    struct crowd crowd = crowd_make(50, 100, 2, 0.4, 3, 22);
    dedpul_options options = cheap_options(classifier);
    struct watch all = {.cancel_at = 0};
    options.progress = watch_progress;
    options.progress_context = &all;
    options.pn = 1;
    options.folds = 2;
    options.epochs = options.tree_rounds = 4;
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    assert_false(all.wrong);
    assert_true(all.has_best);
    assert_int_equal(all.stages, stages);
    const size_t cancel_at[] = {1, all.calls / 2, all.calls};
    for (size_t i = 0; i < LENGTH(cancel_at); i++) {
        struct watch watch = {.cancel_at = cancel_at[i]};
        struct failing counting = {.fails_at = SIZE_MAX};
        const dedpul_allocator allocator = {&counting, failing_resize};
        dedpul_table *table = crowd_table(&crowd, NULL);
        dedpul_model *model = fitted.model;
        dedpul_result *result = fitted.result;
        double score[150] = {7};
        options.allocator = &allocator;
        options.progress_context = &watch;
        assert_int_equal(dedpul_fit(table, &options, &model, &result, score, &test_error), DEDPUL_CANCELLED);
        assert_int_equal(test_error.status, DEDPUL_CANCELLED);
        assert_ptr_equal(model, fitted.model);
        assert_ptr_equal(result, fitted.result);
        assert_near(score[0], 7, 0);
        assert_near(score[149], 0, 0);
        assert_int_equal(watch.calls, cancel_at[i]);
        assert_int_equal(counting.blocks, 0);
        dedpul_table_free(table);
    }
    fitted_free(&fitted);
    crowd_free(&crowd);
}

static void test_progress(void **state)
{
    (void)state;
    check_progress("mlp", 3);
    check_progress("gbdt", 3);
    check_progress("logistic", 3);
    check_progress("auto", 5);
    check_progress("blend", 5);
}

/* ---- options ---- */

static void test_paper(void **state)
{
    struct crowd crowd = crowd_make(100, 300, 3, 0.4, 4, 23);
    dedpul_options options = cheap_options(NULL);
    struct watch watch = {.cancel_at = 0};
    (void)state;
    assert_ok(dedpul_options_set(&options, "preset", "paper", &test_error), &test_error);
    assert_int_equal(options.ensemble, 1);
    assert_int_equal(options.stopping, DEDPUL_STOPPING_EACH);
    assert_int_equal(options.encode, DEDPUL_ENCODE_ORDINAL);
    assert_int_equal(options.scale, DEDPUL_SCALE_STANDARD);
    options.layers = "8";
    options.epochs = 30;
    options.epoch_steps = 6;
    options.rate = 1e-2;
    options.progress = watch_progress;
    options.progress_context = &watch;
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    const dedpul_model_info *info = dedpul_model_describe(fitted.model);
    assert_false(watch.wrong);
    assert_false(watch.has_best); /* each model has its own */
    assert_string_equal(info->classifier, "mlp");
    assert_int_equal(info->n_members, 5);
    assert_string_equal(info->columns[0]->use, "number");
    assert_contains(info->settings, "classifier=mlp\n");
    assert_contains(info->settings, "stopping=each\n");
    assert_contains(info->settings, "epochs=30\n");
    assert_contains(info->settings, "layers=8\n");
    assert_contains(info->settings, "smoothing=trend\n");
    assert_null(strstr(info->settings, "threads"));
    assert_near(fitted.result->alpha, 0.4, 0.15);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_auto_takes_the_best),
        cmocka_unit_test(test_cross_fitted),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_outputs_not_wanted),
        cmocka_unit_test(test_weightless),
        cmocka_unit_test(test_weighted),
        cmocka_unit_test(test_hardly_any_weight),
        cmocka_unit_test(test_pn),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_paper),
    };
    return cmocka_run_group_tests(tests, NULL, remove_test_files);
}
