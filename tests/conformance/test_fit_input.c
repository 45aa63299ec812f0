/* What a fit refuses, and what it warns of. */
#include "fitting.h"
#include "reading.h"

static const char *warning_text(const dedpul_result *result, const char *name)
{
    for (size_t i = 0; i < result->n_warnings; i++)
        if (strcmp(result->warnings[i].name, name) == 0)
            return result->warnings[i].message;
    return "";
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
    REFUSE(ensemble, 101, "ensemble");
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
    REFUSE(tree_rate, 2, "tree-rate");
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

/* Fits columns of which the second is made from the label, and tells what is said of it, or NULL. */
static const char *said_of(struct fitted *fitted, struct crowd *crowd,
                           double (*leak)(struct rng *rng, unsigned char label))
{
    dedpul_options options = cheap_options("gbdt");
    struct rng rng;
    rng_init(&rng, 37, 1);
    options.tree_rounds = 60;
    for (size_t i = 0; i < crowd->n && leak != NULL; i++)
        crowd->x[3 * i + 1] = leak(&rng, crowd->label[i]);
    *fitted = fit_crowd(crowd, NULL, &options);
    return has_warning(fitted->result, "leaking_column") ? warning_text(fitted->result, "leaking_column")
                                                         : NULL;
}

static double noisy_copy(struct rng *rng, unsigned char label)
{
    return rng_below(rng, 12) == 0 ? !label : label;
}

static double growing_number(struct rng *rng, unsigned char label)
{
    return (label ? 0.6 : 0) + rng_uniform(rng);
}

static double both_ends(struct rng *rng, unsigned char label)
{
    return random_normal(rng) + (label ? rng_below(rng, 2) == 0 ? 3 : -3 : 0);
}

static double sometimes_filled(struct rng *rng, unsigned char label)
{
    return label && rng_below(rng, 3) == 0 ? rng_uniform(rng) : NAN;
}

static void test_leaks_of_many_kinds(void **state)
{
    double (*const leaks[])(struct rng *, unsigned char) = {noisy_copy, growing_number, both_ends,
                                                            sometimes_filled};
    struct fitted fitted;
    (void)state;
    for (size_t k = 0; k < LENGTH(leaks); k++) {
        struct crowd crowd = crowd_make(300, 1500, 3, 0.4, 2, 38);
        const char *said = said_of(&fitted, &crowd, leaks[k]);
        assert_non_null(said);
        assert_contains(said, "column '2'");
        assert_false(has_warning(fitted.result, "weakly_identified"));
        assert_false(has_warning(fitted.result, "selected_labels"));
        fitted_free(&fitted);
        crowd_free(&crowd);
    }
}

/* Honest columns, strong ones and a single one: nothing is said. */
static void test_no_leak(void **state)
{
    (void)state;
    for (size_t width = 1; width <= 3; width += 2)
        for (int strong = 0; strong < 2; strong++) {
            struct crowd crowd = crowd_make(300, 1500, width, strong ? 0.05 : 0.4, strong ? 6 : 2, 39);
            struct fitted fitted;
            assert_null(said_of(&fitted, &crowd, NULL));
            fitted_free(&fitted);
            crowd_free(&crowd);
        }
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
        spelled.layers = width == 1 ? "64" : "32,32";
        spelled.rate = width == 1 ? 1e-3 : 2e-3;
        if (width == 1) {
            spelled.batch_norm = 0;
            spelled.dropout = 0;
        }
        assert_same_fit(&crowd, &standard, &spelled);
        crowd_free(&crowd);
    }
}

/* What each effort stands for. */
static void test_efforts(void **state)
{
    static const struct {
        const char *classifier, *layers;
        double tree_rate;
        dedpul_effort effort;
        unsigned ensemble;
    } cases[] = {
        {"mlp", "32,32", NAN, DEDPUL_EFFORT_LOW, 2},    {"mlp", "32,32", NAN, DEDPUL_EFFORT_NORMAL, 6},
        {"mlp", "64,64", NAN, DEDPUL_EFFORT_HIGH, 10},  {"gbdt", "auto", 0.2, DEDPUL_EFFORT_LOW, 1},
        {"gbdt", "auto", 0.1, DEDPUL_EFFORT_NORMAL, 3}, {"gbdt", "auto", 0.05, DEDPUL_EFFORT_HIGH, 5},
    };
    struct crowd crowd = crowd_make(60, 150, 2, 0.4, 4, 34);
    (void)state;
    for (size_t c = 0; c < LENGTH(cases); c++) {
        dedpul_options standard = cheap_options(cases[c].classifier);
        standard.effort = cases[c].effort;
        standard.ensemble = 0;
        standard.layers = "auto";
        standard.tree_rate = NAN;
        dedpul_options spelled = standard;
        spelled.effort = DEDPUL_EFFORT_NORMAL;
        spelled.layers = cases[c].layers;
        spelled.ensemble = cases[c].ensemble;
        spelled.tree_rate = cases[c].tree_rate;
        assert_same_fit(&crowd, &standard, &spelled);
    }
    crowd_free(&crowd);
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
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_bad_matrices),
        cmocka_unit_test(test_too_little),
        cmocka_unit_test(test_few_rows),
        cmocka_unit_test(test_huge_numbers),
        cmocka_unit_test(test_dropped_columns),
        cmocka_unit_test(test_more_columns_than_rows),
        cmocka_unit_test(test_leak),
        cmocka_unit_test(test_leaks_of_many_kinds),
        cmocka_unit_test(test_no_leak),
        cmocka_unit_test(test_default_networks),
        cmocka_unit_test(test_efforts),
        cmocka_unit_test(test_slow_networks),
    };
    return cmocka_run_group_tests(tests, NULL, remove_test_files);
}
