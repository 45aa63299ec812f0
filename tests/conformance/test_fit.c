/* What every classifier must do: from a table to a model, through the public interface. */
#include "fitting.h"
#include "reading.h"

static unsigned char *model_bytes(const dedpul_model *model, size_t *size)
{
    assert_ok(dedpul_model_save(model, test_path("model"), &test_error), &test_error);
    return read_bytes(test_path("model"), size);
}

static const char *warning_text(const dedpul_result *result, const char *name)
{
    for (size_t i = 0; i < result->n_warnings; i++)
        if (strcmp(result->warnings[i].name, name) == 0)
            return result->warnings[i].message;
    return "";
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
    const dedpul_options options = cheap_options(classifier);
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
    assert_int_equal(dedpul_model_predict(plain.model, &rows, &predict, NULL, posterior, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "no classifier of positives against negatives");
    assert_ok(dedpul_model_predict(fitted.model, &rows, &predict, NULL, posterior, &test_error), &test_error);
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
    if (progress->step != ++watch->step || progress->step > progress->steps || !(progress->loss > 0) ||
        progress->best_step > progress->step)
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
    check_progress("mlp", 2);
    check_progress("gbdt", 2);
    check_progress("logistic", 2);
    check_progress("auto", 4);
    check_progress("blend", 4);
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

static void refuse_options(const dedpul_table *table, const dedpul_options *options, const char *message)
{
    dedpul_model *model = NULL;
    dedpul_result *result = NULL;
    assert_int_equal(dedpul_fit(table, options, &model, &result, NULL, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, message);
    assert_null(model);
    assert_null(result);
}

static void test_bad_options(void **state)
{
    struct crowd crowd = crowd_make(20, 30, 2, 0.4, 3, 24);
    dedpul_table *table = crowd_table(&crowd, NULL);
    const dedpul_options good = cheap_options("logistic");
    static const dedpul_classifier empty = {.name = "empty"};
    dedpul_options options;
    (void)state;
#define REFUSE(field, value, message)             \
    do {                                          \
        options = good;                           \
        options.field = (value);                  \
        refuse_options(table, &options, message); \
    } while (0)
    REFUSE(classifier, "forest", "unknown classifier 'forest'");
    REFUSE(plugin, &empty, "plugin");
    REFUSE(pn, 2, "pn");
    REFUSE(pn, -1, "pn");
    REFUSE(batch_norm, 7, "batch-norm");
    REFUSE(stopping, (dedpul_stopping)2, "stopping");
    REFUSE(encode, (dedpul_encode)3, "encode");
    REFUSE(scale, (dedpul_scale)3, "scale");
    REFUSE(folds, 1, "folds");
    REFUSE(folds, 101, "folds");
    REFUSE(ensemble, 0, "ensemble");
    REFUSE(layers, NULL, "layers");
    REFUSE(layers, "8,x", "layers");
    REFUSE(dropout, 1, "dropout");
    REFUSE(dropout, NAN, "dropout");
    REFUSE(rate, 0, "rate");
    REFUSE(rate, INFINITY, "rate");
    REFUSE(decay, NAN, "decay");
    REFUSE(batch, 0, "batch");
    REFUSE(epochs, 0, "epochs");
    REFUSE(tree_depth, 17, "tree-depth");
    REFUSE(tree_rate, NAN, "tree-rate");
    REFUSE(tree_l2, -1, "tree-l2");
    REFUSE(tree_l2, NAN, "tree-l2");
    REFUSE(tree_rounds, 0, "tree-rounds");
    REFUSE(alpha, 2, "alpha");
    REFUSE(method, "none", "method");
#undef REFUSE
    dedpul_table_free(table);
    crowd_free(&crowd);
}

/* ---- refusals ---- */

static void test_null(void **state)
{
    struct crowd crowd = crowd_make(20, 30, 2, 0.4, 3, 25);
    const dedpul_matrix good = crowd_matrix(&crowd), neither = {50, 2, NULL, NULL},
                        both = {50, 2, crowd.x, crowd.x32};
    const dedpul_options options = cheap_options("logistic");
    dedpul_table *table = crowd_table(&crowd, NULL), *none = NULL;
    dedpul_model *model = NULL;
    dedpul_result *result = NULL;
    (void)state;
    assert_int_equal(dedpul_fit(NULL, &options, &model, &result, NULL, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_fit(table, &options, NULL, &result, NULL, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_fit(table, &options, &model, NULL, NULL, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_fit(NULL, NULL, NULL, NULL, NULL, NULL), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_table_from_matrix(NULL, crowd.label, NULL, NULL, &none, NULL),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_table_from_matrix(&good, NULL, NULL, NULL, &none, NULL), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_table_from_matrix(&good, crowd.label, NULL, NULL, NULL, NULL),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_table_from_matrix(&neither, crowd.label, NULL, NULL, &none, NULL),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_table_from_matrix(&both, crowd.label, NULL, NULL, &none, NULL),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_table_read(NULL, NULL, NULL, &none, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_table_read("/nonexistent", NULL, NULL, &none, &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "/nonexistent");
    assert_null(none);
    assert_null(model);
    assert_null(result);
    assert_null(dedpul_model_describe(NULL));
    dedpul_table_free(NULL);
    dedpul_model_free(NULL);
    dedpul_table_free(table);
    crowd_free(&crowd);
}

static void refuse_matrix(const struct crowd *crowd, size_t n, const double *weight, const char *message)
{
    const dedpul_matrix matrix = {n, crowd->width, crowd->x, NULL};
    struct failing counting = {.fails_at = SIZE_MAX};
    const dedpul_allocator allocator = {&counting, failing_resize};
    dedpul_table *table = NULL;
    assert_int_equal(dedpul_table_from_matrix(&matrix, crowd->label, weight, &allocator, &table, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, message);
    assert_null(table);
    assert_int_equal(counting.blocks, 0);
}

static void test_bad_matrices(void **state)
{
    struct crowd crowd = crowd_make(20, 30, 2, 0.4, 3, 26);
    double weight[50];
    (void)state;
    for (size_t i = 0; i < 50; i++)
        weight[i] = 1;
    refuse_matrix(&crowd, 0, NULL, "0 rows");
    refuse_matrix(&crowd, (size_t)UINT32_MAX + 1, NULL, "4294967296 rows");
    weight[3] = -1;
    refuse_matrix(&crowd, 50, weight, "weight[3] is -1");
    weight[3] = NAN;
    refuse_matrix(&crowd, 50, weight, "weight[3] is");
    weight[3] = 2e15;
    refuse_matrix(&crowd, 50, weight, "weight[3] is 2e+15");
    crowd.label[4] = 2;
    refuse_matrix(&crowd, 50, NULL, "label[4] is 2");
    crowd.x[2 * 7 + 1] = INFINITY;
    refuse_matrix(&crowd, 50, NULL, "x[7][1] is inf");
    crowd.x[2 * 7 + 1] = -INFINITY;
    refuse_matrix(&crowd, 50, NULL, "must be finite");
    crowd_free(&crowd);
}

static void refuse_fit(const struct crowd *crowd, const double *weight, const dedpul_options *options,
                       const char *message)
{
    dedpul_table *table = crowd_table(crowd, weight);
    dedpul_model *model = NULL;
    dedpul_result *result = NULL;
    double score = 7;
    assert_int_equal(dedpul_fit(table, options, &model, &result, &score, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, message);
    assert_null(model);
    assert_null(result);
    assert_near(score, 7, 0);
    dedpul_table_free(table);
}

static void test_too_little(void **state)
{
    struct crowd crowd = crowd_make(10, 30, 2, 0.4, 3, 27);
    double weight[40];
    (void)state;
    for (size_t k = 0; k < table_classifier_count(); k++) {
        const dedpul_options options = cheap_options(table_classifier_name(k));
        for (size_t i = 0; i < crowd.n; i++) {
            crowd.label[i] = i == 0;
            weight[i] = 1;
        }
        refuse_fit(&crowd, NULL, &options, "there are 1 labeled positive rows");
        memset(crowd.label, 1, crowd.n);
        refuse_fit(&crowd, NULL, &options, "there are 0 unlabeled rows");
        for (size_t i = 0; i < crowd.n; i++)
            crowd.label[i] = i < 10;
        for (size_t i = 1; i < 10; i++)
            weight[i] = 0;
        refuse_fit(&crowd, weight, &options, "there are 1 labeled positive rows with a weight above 0");
        weight[0] = weight[1] = 0.5;
        refuse_fit(&crowd, weight, &options, "add up to 1");
    }
    const dedpul_options options = cheap_options("logistic");
    for (size_t i = 0; i < 2 * crowd.n; i++)
        crowd.x[i] = 1;
    refuse_fit(&crowd, NULL, &options, "each is constant or all missing");
    crowd.width = 0;
    refuse_fit(&crowd, NULL, &options, "there is none beside those of labels and weights");
    crowd_free(&crowd);
}

/* Two rows of each kind are enough for an answer. */
static void test_few_rows(void **state)
{
    struct crowd crowd = crowd_make(2, 2, 2, 0.5, 3, 28);
    (void)state;
    for (size_t k = 0; k < table_classifier_count(); k++) {
        dedpul_options options = cheap_options(table_classifier_name(k));
        dedpul_table *table = crowd_table(&crowd, NULL);
        dedpul_model *model = NULL;
        dedpul_result *result = NULL;
        options.folds = 5; /* some without rows */
        const dedpul_status status = dedpul_fit(table, &options, &model, &result, NULL, &test_error);
        if (status == DEDPUL_OK)
            assert_true(result->alpha >= 0 && result->alpha <= 1);
        else
            assert_int_equal(status, DEDPUL_INVALID_DATA); /* trees may find nothing to split */
        dedpul_model_free(model);
        dedpul_result_free(result);
        dedpul_table_free(table);
    }
    crowd_free(&crowd);
}

/* Numbers near the largest: an answer or a refusal, but none made of NaN. */
static void test_huge_numbers(void **state)
{
    struct crowd crowd = crowd_make(40, 80, 3, 0.5, 4, 29);
    double score[120];
    (void)state;
    for (size_t i = 0; i < crowd.n; i++) {
        crowd.x[3 * i + 1] = i % 3 == 0 ? 1.7e308 : i % 3 == 1 ? -1e308 : 1e300;
        crowd.x[3 * i + 2] *= 1e307;
    }
    dedpul_table *table = crowd_table(&crowd, NULL);
    for (size_t k = 0; k < 3; k++) /* the others are made of these */
        for (unsigned scale = 0; scale < 3; scale++) {
            dedpul_options options = cheap_options(table_classifier_name(k));
            options.scale = (dedpul_scale)scale;
            dedpul_model *model = NULL;
            dedpul_result *result = NULL;
            const dedpul_status status = dedpul_fit(table, &options, &model, &result, score, &test_error);
            if (scale == DEDPUL_SCALE_NONE && status != DEDPUL_OK) {
                assert_int_equal(status, DEDPUL_INVALID_DATA);
                assert_contains(test_error.message, "the score of row 1 is not finite");
                continue;
            }
            assert_ok(status, &test_error);
            assert_true(result->alpha >= 0 && result->alpha <= 1);
            for (size_t i = 0; i < crowd.n; i++)
                assert_true(score[i] >= 0 && score[i] <= 1);
            dedpul_model_free(model);
            dedpul_result_free(result);
        }
    dedpul_table_free(table);
    crowd_free(&crowd);
}

/* ---- doubts ---- */

static void test_dropped_columns(void **state)
{
    struct crowd crowd = crowd_make(60, 150, 5, 0.4, 5, 30);
    const dedpul_options options = cheap_options("gbdt");
    (void)state;
    for (size_t i = 0; i < crowd.n; i++) {
        crowd.x[5 * i + 1] = 3;
        crowd.x[5 * i + 3] = NAN;
        crowd.x[5 * i + 4] = i % 2 == 0 ? 1 : NAN; /* constant, yet missing at times */
    }
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    const dedpul_model_info *info = dedpul_model_describe(fitted.model);
    assert_true(has_warning(fitted.result, "dropped_columns"));
    assert_contains(warning_text(fitted.result, "dropped_columns"), "'2' (constant), '4' (all missing)");
    assert_null(strstr(warning_text(fitted.result, "dropped_columns"), "'5'"));
    assert_int_equal(info->n_columns, 5);
    assert_int_equal(info->n_features, 3);
    assert_string_equal(info->columns[1]->use, "dropped: constant");
    assert_string_equal(info->columns[3]->use, "dropped: all missing");
    assert_string_equal(info->columns[4]->use, "missing or not");
    assert_int_equal(info->columns[3]->n_features, 0);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

static void test_more_columns_than_rows(void **state)
{
    struct crowd narrow = crowd_make(15, 25, 40, 0.4, 3, 31), wide = crowd_make(15, 25, 41, 0.4, 3, 31);
    const dedpul_options options = cheap_options("logistic");
    (void)state;
    struct fitted fitted = fit_crowd(&wide, NULL, &options);
    assert_contains(warning_text(fitted.result, "more_columns_than_rows"), "(41) than rows (40)");
    fitted_free(&fitted);
    fitted = fit_crowd(&narrow, NULL, &options);
    assert_false(has_warning(fitted.result, "more_columns_than_rows"));
    fitted_free(&fitted);
    crowd_free(&narrow);
    crowd_free(&wide);
}

static void test_leak(void **state)
{
    static const char *const names[] = {"gbdt", "logistic", "mlp"};
    struct crowd crowd = crowd_make(100, 200, 3, 0.4, 2, 32);
    (void)state;
    for (size_t k = 0; k < LENGTH(names); k++) {
        dedpul_options options = cheap_options(names[k]);
        options.epochs = 40;
        options.rate = 3e-2;
        for (size_t i = 0; i < crowd.n; i++)
            crowd.x[3 * i + 1] = k == 1 ? !crowd.label[i] : crowd.label[i];
        struct fitted fitted = fit_crowd(&crowd, NULL, &options);
        assert_contains(warning_text(fitted.result, "perfect_scores"), "column '2' alone");
        fitted_free(&fitted);
    }
    crowd_free(&crowd);
}

/* Both fits give the same scores. */
static void assert_same_fit(const struct crowd *crowd, const dedpul_options *a, const dedpul_options *b)
{
    struct fitted first = fit_crowd(crowd, NULL, a), second = fit_crowd(crowd, NULL, b);
    assert_string_equal(dedpul_model_describe(first.model)->classifier,
                        dedpul_model_describe(second.model)->classifier);
    assert_memory_equal(first.result->ratio, second.result->ratio,
                        first.result->n_unlabeled * sizeof *first.result->ratio);
    fitted_free(&first);
    fitted_free(&second);
}

/* What the default stands for, by the number of features. */
static void test_default_networks(void **state)
{
    (void)state;
    for (size_t width = 1; width <= 2; width++) {
        struct crowd crowd = crowd_make(60, 150, width, 0.4, 4, 34);
        dedpul_options standard = cheap_options(NULL);
        standard.layers = "auto";
        standard.dropout = 0.5;
        standard.rate = NAN;
        dedpul_options spelled = standard;
        spelled.classifier = width == 1 ? "mlp" : "blend";
        spelled.layers = width == 1 ? "64" : "512,512";
        spelled.rate = width == 1 ? 1e-3 : 1e-4;
        if (width == 1) {
            spelled.batch_norm = 0;
            spelled.dropout = 0;
        }
        assert_same_fit(&crowd, &standard, &spelled);
        crowd_free(&crowd);
    }
}

static void test_slow_networks(void **state)
{
    struct crowd crowd = crowd_make(60, 150, 3, 0.4, 4, 33);
    dedpul_options options = cheap_options(NULL);
    (void)state;
    struct fitted fast = fit_crowd(&crowd, NULL, &options);
    assert_string_equal(dedpul_model_describe(fast.model)->classifier, "mlp + gbdt");
    assert_contains(dedpul_model_describe(fast.model)->settings, "classifier=blend\n");
    assert_false(has_warning(fast.result, "slow_networks"));
    options.layers = "65536,65536";
    struct fitted slow = fit_crowd(&crowd, NULL, &options);
    assert_string_equal(dedpul_model_describe(slow.model)->classifier, "gbdt");
    assert_contains(dedpul_model_describe(slow.model)->settings, "classifier=gbdt\n");
    assert_contains(warning_text(slow.result, "slow_networks"), "--classifier mlp");
    options.classifier = "gbdt";
    struct fitted chosen = fit_crowd(&crowd, NULL, &options);
    assert_false(has_warning(chosen.result, "slow_networks"));
    assert_same_result(chosen.result, slow.result);
    fitted_free(&fast);
    fitted_free(&slow);
    fitted_free(&chosen);
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
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_bad_matrices),
        cmocka_unit_test(test_too_little),
        cmocka_unit_test(test_few_rows),
        cmocka_unit_test(test_huge_numbers),
        cmocka_unit_test(test_dropped_columns),
        cmocka_unit_test(test_more_columns_than_rows),
        cmocka_unit_test(test_leak),
        cmocka_unit_test(test_default_networks),
        cmocka_unit_test(test_slow_networks),
    };
    return cmocka_run_group_tests(tests, NULL, remove_test_files);
}
