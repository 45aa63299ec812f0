/* Models: what a fit keeps, saving and loading. */
#include "fitting.h"
#include "interpolate.h"
#include "models.h"
#include "reading.h"

#include <stdatomic.h>
#include <stdio.h>

/* ---- saving and loading ---- */

static void assert_same_info(const dedpul_model_info *a, const dedpul_model_info *b)
{
    assert_string_equal(a->version, dedpul_version());
    assert_string_equal(a->version, b->version);
    assert_string_equal(a->classifier, b->classifier);
    assert_string_equal(a->method, b->method);
    assert_string_equal(a->settings, b->settings);
    assert_int_equal(a->has_pn, b->has_pn);
    assert_int_equal(a->rule, b->rule);
    assert_near(a->alpha, b->alpha, 0);
    assert_near(a->alpha_c, b->alpha_c, 0);
    assert_near(a->alpha_n, b->alpha_n, 0);
    assert_near(a->scale, b->scale, 0);
    assert_near(a->auc, b->auc, 0);
    assert_near(a->mean_ratio, b->mean_ratio, 0);
    assert_int_equal(a->n_positive, b->n_positive);
    assert_int_equal(a->n_unlabeled, b->n_unlabeled);
    assert_int_equal(a->n_members, b->n_members);
    assert_int_equal(a->n_points, b->n_points);
    assert_int_equal(a->n_features, b->n_features);
    assert_int_equal(a->n_columns, b->n_columns);
    for (size_t c = 0; c < a->n_columns; c++) {
        assert_string_equal(a->columns[c]->name, b->columns[c]->name);
        assert_string_equal(a->columns[c]->use, b->columns[c]->use);
        assert_int_equal(a->columns[c]->n_levels, b->columns[c]->n_levels);
        assert_int_equal(a->columns[c]->n_features, b->columns[c]->n_features);
    }
}

static void assert_same_predictions(const dedpul_model *a, const dedpul_model *b, const dedpul_matrix *rows,
                                    int pn)
{
    dedpul_predict_options options;
    double *found = calloc(4 * rows->n, sizeof *found);
    dedpul_predict_options_init(&options);
    options.pn = pn;
    assert_ok(dedpul_model_predict(a, rows, &options, found, found + rows->n, NULL, &test_error),
              &test_error);
    assert_ok(
        dedpul_model_predict(b, rows, &options, found + 2 * rows->n, found + 3 * rows->n, NULL, &test_error),
        &test_error);
    assert_memory_equal(found, found + 2 * rows->n, 2 * rows->n * sizeof *found);
    free(found);
}

static void check_save(const char *classifier, int pn)
{
    struct crowd crowd = crowd_make(60, 150, 3, 0.4, 3, 1);
    const dedpul_matrix rows = crowd_matrix(&crowd);
    dedpul_options options = cheap_options(classifier);
    size_t size[2];
    options.pn = pn;
    for (size_t i = 0; i < crowd.n; i++)
        crowd.x[3 * i + 2] = i % 5 == 0 ? NAN : round(crowd.x[3 * i + 2]); /* few values, some missing */
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    assert_ok(dedpul_model_save(fitted.model, test_path("a"), &test_error), &test_error);
    dedpul_model *loaded = load_model(test_path("a"));
    assert_ok(dedpul_model_save(loaded, test_path("b"), &test_error), &test_error);
    unsigned char *first = read_bytes(test_path("a"), &size[0]),
                  *second = read_bytes(test_path("b"), &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(first, second, size[0]);
    assert_same_info(dedpul_model_describe(fitted.model), dedpul_model_describe(loaded));
    const dedpul_model_info *info = dedpul_model_describe(loaded);
    assert_int_equal(info->has_pn, pn);
    assert_int_equal(info->n_members, strcmp(classifier, "blend") == 0 ? 6 : 3);
    assert_int_equal(info->n_features, 4);
    assert_string_equal(info->columns[0]->use, "rank");
    assert_string_equal(info->columns[2]->use, "number");
    assert_near(info->alpha, fitted.result->alpha, 0);
    assert_near(info->scale, fitted.result->scale, 0);
    for (int by_pn = 0; by_pn <= pn; by_pn++)
        assert_same_predictions(fitted.model, loaded, &rows, by_pn);
    free(first);
    free(second);
    dedpul_model_free(loaded);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

static void test_save(void **state)
{
    bool has_blend = false;
    (void)state;
    for (size_t k = 0; k < table_classifier_count(); k++) {
        check_save(table_classifier_name(k), k % 2 == 0);
        has_blend = has_blend || strcmp(table_classifier_name(k), "blend") == 0;
    }
    assert_true(has_blend);
}

static void test_blend_name(void **state)
{
    struct crowd crowd = crowd_make(60, 150, 3, 0.4, 3, 1);
    const dedpul_options options = cheap_options("blend");
    (void)state;
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    assert_string_equal(dedpul_model_describe(fitted.model)->classifier, "mlp + gbdt");
    assert_int_equal(dedpul_model_describe(fitted.model)->n_positive, 60);
    assert_int_equal(dedpul_model_describe(fitted.model)->n_unlabeled, 150);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

/* ---- new rows ---- */

/* The fit's posteriors are of models that have not seen the row; the model's are of all. Both are close. */
static void test_near_the_fit(void **state)
{
    struct crowd crowd = crowd_make(300, 800, 3, 0.4, 4, 5);
    const dedpul_matrix rows = {800, 3, crowd.x + (size_t)300 * 3, NULL};
    double posterior[800], mean = 0;
    (void)state;
    for (size_t k = 0; k < table_classifier_count(); k++) {
        const dedpul_options options = cheap_options(table_classifier_name(k));
        struct fitted fitted = fit_crowd(&crowd, NULL, &options);
        assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, NULL, posterior, NULL, &test_error),
                  &test_error);
        assert_true(distance(800, posterior, fitted.result->posterior) < 0.12);
        assert_true(distance(800, posterior, crowd.posterior) < 0.15);
        mean = 0;
        for (size_t i = 0; i < 800; i++)
            mean += posterior[i] / 800;
        assert_near(mean, fitted.result->alpha, 0.05);
        fitted_free(&fitted);
    }
    crowd_free(&crowd);
}

static int identity_train(void *context, const dedpul_examples *examples, void **model)
{
    *model = context;
    return examples->n > 0 ? 0 : 1;
}

static int identity_score(void *context, const void *model, size_t n, size_t width, const float *x,
                          double *logit)
{
    (void)context;
    (void)model;
    for (size_t i = 0; i < n; i++)
        logit[i] = (double)x[i * width];
    return 0;
}

static void identity_free(void *context, void *model)
{
    (void)context;
    (void)model;
}

static size_t identity_save(void *context, const void *model, void *bytes)
{
    (void)context;
    (void)model;
    if (bytes != NULL)
        memcpy(bytes, "id", 2);
    return 2;
}

static int identity_load(void *context, size_t size, const void *bytes, void **model)
{
    *model = context;
    return size == 2 && memcmp(bytes, "id", 2) == 0 ? 0 : 5;
}

/* The logit is the first feature, so that all is known but the curve. */
static dedpul_classifier identity_make(void)
{
    return (dedpul_classifier){sizeof(dedpul_classifier),
                               "identity",
                               NULL,
                               identity_train,
                               identity_score,
                               identity_free,
                               identity_save,
                               identity_load};
}

static void test_plugin(void **state)
{
    struct crowd crowd = crowd_make(200, 500, 1, 0.4, 3, 6);
    const dedpul_matrix rows = crowd_matrix(&crowd);
    const dedpul_classifier plugin = identity_make();
    dedpul_classifier other = plugin, mute = plugin;
    dedpul_options options = cheap_options("mlp");
    double score[700], posterior[700];
    dedpul_model *loaded = NULL;
    (void)state;
    options.plugin = &plugin;
    options.scale = DEDPUL_SCALE_NONE;
    options.pn = 1;
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    assert_false(has_warning(fitted.result, "epoch_limit")); /* it trains in one go */
    assert_string_equal(dedpul_model_describe(fitted.model)->classifier, "identity");
    assert_null(strstr(dedpul_model_describe(fitted.model)->settings, "classifier=mlp"));
    assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, score, posterior, NULL, &test_error),
              &test_error);
    for (size_t i = 0; i < crowd.n; i++) {
        assert_near(fitted.score[i], 1 / (1 + exp(-crowd.x[i])), 1e-15);
        assert_near(score[i], fitted.score[i], 1e-15);
        if (i >= 200) /* the curve of the model stays within its tolerance of the fit's */
            assert_near(posterior[i], fitted.result->posterior[i - 200], 1.01e-4);
    }
    assert_true(dedpul_model_describe(fitted.model)->n_points < 500);
    assert_ok(dedpul_model_save(fitted.model, test_path("plugged"), &test_error), &test_error);
    assert_ok(dedpul_model_load(test_path("plugged"), &plugin, NULL, &loaded, &test_error), &test_error);
    assert_same_info(dedpul_model_describe(fitted.model), dedpul_model_describe(loaded));
    for (int pn = 0; pn < 2; pn++)
        assert_same_predictions(fitted.model, loaded, &rows, pn);
    dedpul_model_free(loaded);
    loaded = NULL;
    other.name = "other";
    const dedpul_classifier *const wrong[] = {NULL, &other};
    for (size_t i = 0; i < 2; i++) {
        assert_int_not_equal(dedpul_model_load(test_path("plugged"), wrong[i], NULL, &loaded, &test_error),
                             DEDPUL_OK);
        assert_contains(test_error.message, "'identity'");
    }
    assert_null(loaded);
    mute.save = NULL;
    options.plugin = &mute;
    struct fitted unsaved = fit_crowd(&crowd, NULL, &options);
    assert_int_equal(dedpul_model_save(unsaved.model, test_path("unsaved"), &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "cannot be saved");
    assert_null(fopen(test_path("unsaved"), "rb"));
    fitted_free(&unsaved);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

/* Counts down; from 0 on, training fails. */
static int failing_train(void *context, const dedpul_examples *examples, void **model)
{
    atomic_int *left = context;
    return atomic_fetch_sub(left, 1) > 0 ? identity_train(context, examples, model) : 3;
}

/* The fit stands without a classifier of positives against negatives. */
static void test_pn_fails(void **state)
{
    struct crowd crowd = crowd_make(200, 500, 1, 0.4, 3, 6);
    dedpul_classifier plugin = identity_make();
    dedpul_options options = cheap_options(NULL);
    atomic_int left = (int)options.folds; /* the first classifier has a model for each fold */
    (void)state;
    options.plugin = &plugin;
    struct fitted without = fit_crowd(&crowd, NULL, &options);
    plugin.train = failing_train;
    plugin.context = &left;
    options.pn = 1;
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    assert_true(left < 0); /* it was tried */
    assert_int_equal(dedpul_model_describe(fitted.model)->has_pn, 0);
    assert_true(has_warning(fitted.result, "no_negatives"));
    assert_same_result(fitted.result, without.result);
    assert_ok(dedpul_model_save(fitted.model, test_path("model"), &test_error), &test_error);
    fitted_free(&fitted);
    left = 0; /* but nothing stands without the first classifier */
    dedpul_table *table = crowd_table(&crowd, NULL);
    assert_int_equal(dedpul_fit(table, &options, &fitted.model, &fitted.result, NULL, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "train");
    dedpul_table_free(table);
    fitted_free(&without);
    crowd_free(&crowd);
}

/* Networks of several partitions: the fit's scores are means over them, as the model's. */
static void test_partitions(void **state)
{
    struct crowd crowd = crowd_make(100, 200, 2, 0.4, 3, 12);
    const dedpul_matrix rows = crowd_matrix(&crowd);
    dedpul_options options = cheap_options("logistic");
    double score[300];
    (void)state;
    options.ensemble = 3;
    options.epochs = options.min_epochs = 30;
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    assert_int_equal(dedpul_model_describe(fitted.model)->n_members, 9);
    assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, score, NULL, NULL, &test_error), &test_error);
    assert_true(distance(300, score, fitted.score) < 0.03);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

/* ---- the curve ---- */

static void check_curve(size_t n, const double *logit, const double *ratio, double scale, double tolerance)
{
    struct context context, memory;
    struct curve curve;
    test_context_init(&context);
    test_context_init(&memory);
    assert_ok(curve_thin(&context, n, logit, ratio, scale, tolerance, memory.arena, &curve), &test_error);
    assert_true(curve.n >= 1 && curve.n <= n);
    assert_near(curve.logit[0], logit[0], 0);
    assert_near(curve.ratio[0], ratio[0], 0);
    assert_near(curve.logit[curve.n - 1], logit[n - 1], 0);
    assert_near(curve.ratio[curve.n - 1], ratio[n - 1], 0);
    for (size_t i = 1; i < curve.n; i++)
        assert_true(curve.logit[i] > curve.logit[i - 1]);
    for (size_t i = 0; i < n; i++)
        assert_near(scale * interpolate(curve.n, curve.logit, curve.ratio, logit[i]), scale * ratio[i],
                    tolerance * (1 + 1e-9) + 1e-13);
    test_context_close(&context);
    test_context_close(&memory);
}

static void test_curve_thin(void **state)
{
    enum { N = 400 };
    double logit[N] = {0}, ratio[N] = {0};
    struct rng rng;
    (void)state;
    rng_init(&rng, 8, 8);
    for (int round = 0; round < 300; round++) {
        const size_t n = 1 + rng_below(&rng, N);
        const double noise = round % 3 == 0 ? 1 : round % 3 == 1 ? 1e-4 : 0, scale = rng_uniform(&rng);
        double height = 0, at = -5;
        for (size_t i = 0; i < n; i++) {
            at += round % 2 == 0 ? rng_uniform(&rng) + 1e-9 : exp(-12 * rng_uniform(&rng));
            height += round % 5 == 0 ? rng_uniform(&rng) : 0.01; /* steps or a straight line */
            logit[i] = at;
            ratio[i] = fmax(height + noise * random_normal(&rng), 0);
        }
        check_curve(n, logit, ratio, scale, round % 4 == 0 ? 0 : 1e-4);
    }
    for (size_t i = 0; i < N; i++) {
        logit[i] = (double)i;
        ratio[i] = 3 + 2 * (double)i;
    }
    struct context context;
    struct curve curve;
    test_context_init(&context); /* a straight line needs its ends alone */
    assert_ok(curve_thin(&context, N, logit, ratio, 0.5, 1e-4, context.arena, &curve), &test_error);
    assert_int_equal(curve.n, 2);
    test_context_close(&context);
}

static void test_save_fails(void **state)
{
    struct crowd crowd = crowd_make(30, 60, 2, 0.4, 3, 2);
    const dedpul_options options = cheap_options("logistic");
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    (void)state;
    assert_int_equal(dedpul_model_save(fitted.model, "/nonexistent/model", &test_error), DEDPUL_IO);
    assert_contains(test_error.message, "/nonexistent/model");
    assert_int_equal(dedpul_model_save(fitted.model, NULL, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_save(fitted.model, "/dev/full", &test_error), DEDPUL_IO);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

/* A model of a matrix whose columns have names finds them in files. */
static void test_set_names(void **state)
{
    struct crowd crowd = crowd_make(60, 90, 2, 0.4, 3, 12);
    const dedpul_options options = cheap_options("gbdt");
    const char *const good[] = {"height", "weight"}, *const twice[] = {"a", "a"}, *const none[] = {"a", ""};
    dedpul_table *table = crowd_table(&crowd, NULL);
    (void)state;
    assert_int_equal(dedpul_table_set_names(table, twice, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "two columns are called 'a'");
    assert_int_equal(dedpul_table_set_names(table, none, &test_error), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "column 2 has no name");
    assert_int_equal(dedpul_table_set_names(table, NULL, NULL), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_table_set_names(NULL, good, NULL), DEDPUL_INVALID_ARGUMENT);
    assert_ok(dedpul_table_set_names(table, good, &test_error), &test_error);
    struct fitted fitted = fit_rows(table, &options);
    dedpul_table_free(table);
    const dedpul_model_info *info = dedpul_model_describe(fitted.model);
    assert_string_equal(info->columns[0]->name, "height");
    assert_string_equal(info->columns[1]->name, "weight");
    write_text(test_path("in.csv"), "weight,other,height\n1,2,3\n");
    assert_int_equal(predict_table_file(fitted.model, test_path("in.csv"), 1).rows, 1);
    write_text(test_path("in.csv"), "1,2\n1,2\n");
    assert_int_equal(dedpul_model_predict_file(fitted.model, test_path("in.csv"), NULL, test_path("out.csv"),
                                               NULL, &test_error),
                     DEDPUL_INVALID_DATA);
    write_text(test_path("in.csv"), "label,a\n1,2\n0,3\n");
    assert_ok(dedpul_table_read(test_path("in.csv"), NULL, NULL, &table, &test_error), &test_error);
    assert_int_equal(dedpul_table_set_names(table, good, NULL), DEDPUL_INVALID_ARGUMENT);
    dedpul_table_free(table);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

/* ---- memory that runs out ---- */

struct life {
    dedpul_table *table;
    dedpul_model *model, *loaded;
    dedpul_result *result;
};

static const char *const column_names[] = {"1", "2"}; /* those of the file */

/* From a file of rows to predictions of a loaded model. */
static dedpul_status whole_life(const struct crowd *crowd, const uint32_t *group, dedpul_options *options,
                                const dedpul_allocator *allocator, struct life *life)
{
    const dedpul_matrix rows = crowd_matrix(crowd);
    dedpul_predict_options predict;
    dedpul_columns columns;
    double posterior[40];
    dedpul_columns_init(&columns);
    columns.id = "1";
    dedpul_predict_options_init(&predict);
    predict.id = "label";
    predict.threads = 1; /* the allocator is for one */
    options->allocator = allocator;
    TRY(dedpul_table_read(test_path("rows.csv"), &columns, allocator, &life->table, &test_error));
    dedpul_table_free(life->table);
    life->table = NULL;
    TRY(dedpul_table_from_matrix(&rows, crowd->label, NULL, allocator, &life->table, &test_error));
    TRY(dedpul_table_set_names(life->table, column_names, &test_error));
    if (group != NULL)
        TRY(dedpul_table_set_groups(life->table, group, &test_error));
    TRY(dedpul_fit(life->table, options, &life->model, &life->result, NULL, &test_error));
    TRY(dedpul_model_save(life->model, test_path("model"), &test_error));
    TRY(dedpul_model_load(test_path("model"), NULL, allocator, &life->loaded, &test_error));
    TRY(dedpul_model_predict(life->loaded, &rows, &predict, NULL, posterior, NULL, &test_error));
    return dedpul_model_predict_file(life->loaded, test_path("rows.csv"), &predict, test_path("out.csv"),
                                     NULL, &test_error);
}

static void check_allocations(const char *classifier, size_t stride, bool has_groups)
{
    struct crowd crowd = crowd_make(15, 25, 2, 0.4, 3, 11);
    dedpul_options options = cheap_options(classifier);
    bool done = false;
    size_t failures = 0, spared = 0;
    uint32_t pairs[40];
    for (uint32_t i = 0; i < LENGTH(pairs); i++)
        pairs[i] = i / 2;
    options.resamples = has_groups ? 10 : 0;
    options.folds = 2;
    options.layers = "2";
    options.epochs = options.min_epochs = options.tree_rounds = 1;
    options.epoch_steps = 1;
    options.pn = 1;
    crowd_write(&crowd, test_path("rows.csv"));
    for (size_t n = 0; !done; n += stride) {
        struct failing failing = {.fails_at = n};
        const dedpul_allocator allocator = {&failing, failing_resize};
        struct life life = {NULL, NULL, NULL, NULL};
        const dedpul_status status =
            whole_life(&crowd, has_groups ? pairs : NULL, &options, &allocator, &life);
        done = failing.calls <= n;
        if (status == DEDPUL_OK) { /* a block that cannot be made smaller is no loss */
            spared += !done;
        } else {
            assert_int_equal(status, DEDPUL_NO_MEMORY);
            assert_int_equal(test_error.status, DEDPUL_NO_MEMORY);
            assert_contains(test_error.message, "out of memory");
            failures++;
        }
        dedpul_table_free(life.table);
        dedpul_model_free(life.model);
        dedpul_model_free(life.loaded);
        dedpul_result_free(life.result);
        assert_int_equal(failing.blocks, 0);
    }
    assert_true(failures * stride > 200);
    assert_true(spared < 20);
    crowd_free(&crowd);
}

static void test_allocations(void **state)
{
    (void)state;
    check_allocations("mlp", 1, false);
    check_allocations("auto", 13, false);
    check_allocations("blend", 11, false);
    check_allocations("gbdt", 1, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_save),       cmocka_unit_test(test_blend_name),
        cmocka_unit_test(test_set_names),  cmocka_unit_test(test_near_the_fit),
        cmocka_unit_test(test_plugin),     cmocka_unit_test(test_pn_fails),
        cmocka_unit_test(test_partitions), cmocka_unit_test(test_curve_thin),
        cmocka_unit_test(test_save_fails), cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, remove_test_files);
}
