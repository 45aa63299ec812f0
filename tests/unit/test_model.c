/* Models: predicting, saving, loading, and what is refused. */
#include "fitting.h"
#include "models.h"
#include "reading.h"

#include "interpolate.h"

#include <stdatomic.h>
#include <stdio.h>
#include <zlib.h>

enum { HEADER = 24 }; /* magic (8), format (4), checksum (4), size (8) */

static dedpul_model *load(const char *path)
{
    dedpul_model *model = NULL;
    assert_ok(dedpul_model_load(path, NULL, NULL, &model, &test_error), &test_error);
    return model;
}

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
    assert_ok(dedpul_model_predict(a, rows, &options, found, found + rows->n, &test_error), &test_error);
    assert_ok(dedpul_model_predict(b, rows, &options, found + 2 * rows->n, found + 3 * rows->n, &test_error),
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
    dedpul_model *loaded = load(test_path("a"));
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
    (void)state;
    for (size_t k = 0; k < table_classifier_count(); k++)
        check_save(table_classifier_name(k), k % 2 == 0);
    assert_string_equal(table_classifier_name(4), "blend");
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

/* A model that is mostly text: one-hot, codes, two levels. */
static struct fitted fit_texts(const char *encode)
{
    static const char *const colours[] = {"red", "green", "blue", "white"};
    FILE *file = fopen(test_path("texts.csv"), "w");
    dedpul_options options = cheap_options("logistic");
    struct rng rng;
    dedpul_table *table;
    rng_init(&rng, 3, 3);
    assert_non_null(file);
    (void)fputs("id,size,colour,label,sex\n", file);
    for (int i = 0; i < 200; i++)
        (void)fprintf(file, "%d,%.6g,%s,%d,%s\n", i, random_normal(&rng) + (i < 120 ? 2 : 0),
                      i % 11 == 0 ? "" : colours[rng_below(&rng, i < 120 ? 2 : 4)], i < 70,
                      i % 3 ? "f" : "m");
    assert_int_equal(fclose(file), 0);
    dedpul_columns columns;
    dedpul_columns_init(&columns);
    columns.ignore = "id";
    assert_ok(dedpul_options_set(&options, "encode", encode, &test_error), &test_error);
    assert_ok(dedpul_table_read(test_path("texts.csv"), &columns, NULL, &table, &test_error), &test_error);
    const struct fitted fitted = fit_rows(table, &options);
    dedpul_table_free(table);
    return fitted;
}

/* ---- predicting files ---- */

static dedpul_prediction predict_file(const dedpul_model *model, const char *path, unsigned threads)
{
    dedpul_predict_options options;
    dedpul_prediction prediction = {.size = sizeof prediction};
    dedpul_predict_options_init(&options);
    options.threads = threads;
    assert_ok(
        dedpul_model_predict_file(model, path, &options, test_path("out.csv"), &prediction, &test_error),
        &test_error);
    return prediction;
}

static char *predict_text(const dedpul_model *model, const char *text)
{
    write_text(test_path("in.csv"), text);
    (void)predict_file(model, test_path("in.csv"), 1);
    return (char *)read_bytes(test_path("out.csv"), NULL);
}

static void refuse_file(const dedpul_model *model, const char *text, const char *message)
{
    dedpul_prediction prediction = {.size = sizeof prediction, .rows = 77};
    write_text(test_path("in.csv"), text);
    write_text(test_path("out.csv"), "before");
    assert_int_equal(dedpul_model_predict_file(model, test_path("in.csv"), NULL, test_path("out.csv"),
                                               &prediction, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, message);
    assert_contains(test_error.message, "in.csv");
    assert_int_equal(prediction.rows, 77);
    unsigned char *out = read_bytes(test_path("out.csv"), NULL);
    assert_string_equal((char *)out, "before"); /* whole or not at all */
    free(out);
}

static void test_matrix_and_file(void **state)
{
    struct crowd crowd = crowd_make(60, 150, 3, 0.4, 3, 2);
    const dedpul_matrix rows = crowd_matrix(&crowd), narrow = {crowd.n, 3, NULL, crowd.x32};
    const dedpul_options options = cheap_options("mlp");
    double score[210], posterior[210], mean = 0;
    (void)state;
    crowd_write(&crowd, test_path("rows.csv"));
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, score, posterior, &test_error), &test_error);
    const dedpul_prediction prediction = predict_file(fitted.model, test_path("rows.csv"), 2);
    FILE *file = fopen(test_path("out.csv"), "r");
    assert_non_null(file);
    char line[100];
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "row,score,posterior\n");
    for (size_t i = 0; i < crowd.n; i++) {
        char expected[100];
        (void)snprintf(expected, sizeof expected, "%zu,%.9g,%.9g\n", i + 1, score[i], posterior[i]);
        assert_non_null(fgets(line, sizeof line, file));
        assert_string_equal(line, expected);
        mean += posterior[i] / (double)crowd.n;
    }
    assert_null(fgets(line, sizeof line, file));
    (void)fclose(file);
    assert_int_equal(prediction.rows, crowd.n);
    assert_int_equal(prediction.unseen, 0);
    assert_null(prediction.unseen_column);
    assert_near(prediction.mean_posterior, mean, 1e-12);
    double again[420];
    assert_ok(dedpul_model_predict(fitted.model, &narrow, NULL, again, again + 210, &test_error),
              &test_error);
    assert_memory_equal(again, score, sizeof score);
    assert_memory_equal(again + 210, posterior, sizeof posterior);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

static void test_columns_by_name(void **state)
{
    struct fitted fitted = fit_texts("onehot");
    const dedpul_model_info *info = dedpul_model_describe(fitted.model);
    (void)state;
    assert_int_equal(info->n_columns, 3);
    assert_string_equal(info->columns[1]->use, "one-hot");
    assert_int_equal(info->columns[1]->n_levels, 4);
    assert_int_equal(info->columns[1]->n_features, 5); /* and one for missing */
    assert_string_equal(info->columns[2]->use, "code");
    char *plain = predict_text(fitted.model, "size,colour,sex\n1.5,red,f\n-2,white,m\n,,\n");
    char *moved =
        predict_text(fitted.model, "sex,x,colour,label,size\nf,7,red,1,1.5\nm,text,white,0,-2\n,,,,\n");
    assert_string_equal(plain, moved);
    free(plain);
    free(moved);
    refuse_file(fitted.model, "size,sex\n1,f\n", "has no column 'colour', which the model needs");
    refuse_file(fitted.model, "size,colour,sex\n1,red,f\n2,red,m\nbig,red,f\n", "line 4, column 'size'");
    refuse_file(fitted.model, "size,colour,sex\n1,red\n", "line 2");
    fitted_free(&fitted);
}

static void test_unseen_levels(void **state)
{
    struct fitted fitted = fit_texts("ordinal");
    (void)state;
    assert_string_equal(dedpul_model_describe(fitted.model)->columns[1]->use, "code");
    write_text(test_path("in.csv"), "size,colour,sex\n1,red,f\n1,black,f\n1,,f\n1,black,x\n1,silver,f\n");
    const dedpul_prediction prediction = predict_file(fitted.model, test_path("in.csv"), 1);
    assert_int_equal(prediction.rows, 5);
    assert_int_equal(prediction.unseen, 4);
    assert_string_equal(prediction.unseen_column, "colour");
    fitted_free(&fitted);
}

static void test_matrix_refused(void **state)
{
    struct crowd crowd = crowd_make(60, 150, 3, 0.4, 3, 2);
    dedpul_matrix rows = crowd_matrix(&crowd);
    const dedpul_options options = cheap_options("logistic");
    struct fitted fitted = fit_crowd(&crowd, NULL, &options), texts = fit_texts("onehot");
    double score[2] = {7, 7};
    (void)state;
    rows.n = 2;
    rows.width = 2;
    assert_int_equal(dedpul_model_predict(fitted.model, &rows, NULL, score, NULL, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "2 columns, but the model 3");
    rows.width = 3;
    assert_int_equal(dedpul_model_predict(texts.model, &rows, NULL, score, NULL, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "'colour' holds text");
    crowd.x[4] = INFINITY;
    assert_int_equal(dedpul_model_predict(fitted.model, &rows, NULL, score, NULL, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "x[1][1] is inf");
    rows.f32 = crowd.x32;
    assert_int_equal(dedpul_model_predict(fitted.model, &rows, NULL, score, NULL, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_predict(NULL, &rows, NULL, score, NULL, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_predict(fitted.model, NULL, NULL, score, NULL, NULL),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_predict_file(NULL, "a", NULL, "b", NULL, NULL), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_predict_file(fitted.model, NULL, NULL, "b", NULL, NULL),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_predict_file(fitted.model, "a", NULL, NULL, NULL, NULL),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_predict_file(fitted.model, "/nonexistent", NULL, test_path("out.csv"), NULL,
                                               &test_error),
                     DEDPUL_IO);
    assert_near(score[0], 7, 0);
    assert_near(score[1], 7, 0);
    fitted_free(&fitted);
    fitted_free(&texts);
    crowd_free(&crowd);
}

/* Values far beyond those of the fit. */
static void test_far_away(void **state)
{
    static const char *const scales[] = {"rank", "standard", "none"};
    static const double far[] = {1e3, -1e3, 1e100, -1e100, 1.7e308, -1.7e308, NAN, 0};
    const dedpul_matrix rows = {8, 1, far, NULL};
    struct crowd crowd = crowd_make(60, 150, 1, 0.4, 3, 2);
    (void)state;
    for (size_t k = 0; k < table_classifier_count(); k++)
        for (size_t s = 0; s < LENGTH(scales); s++) {
            dedpul_options options = cheap_options(table_classifier_name(k));
            double score[8], posterior[8];
            assert_ok(dedpul_options_set(&options, "scale", scales[s], &test_error), &test_error);
            struct fitted fitted = fit_crowd(&crowd, NULL, &options);
            assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, score, posterior, &test_error),
                      &test_error);
            for (size_t i = 0; i < 8; i++) {
                assert_true(score[i] >= 0 && score[i] <= 1);
                assert_true(posterior[i] >= 0 && posterior[i] <= 1);
            }
            assert_true(score[0] > score[1]);
            assert_near(posterior[2], posterior[4], 0);
            fitted_free(&fitted);
        }
    crowd_free(&crowd);
}

/* A NumPy file of version 1, little-endian doubles. */
static void write_npy(const char *path, size_t n, size_t width, const double *x)
{
    static const unsigned char magic[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
    char header[128];
    memset(header, ' ', sizeof header);
    memcpy(header, magic, sizeof magic);
    const int length = snprintf(header + 10, 118,
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu, %zu), }", n, width);
    header[10 + length] = ' ';
    header[127] = '\n';
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(header, 1, sizeof header, file), sizeof header);
    assert_int_equal(fwrite(x, sizeof *x, n * width, file), n * width);
    assert_int_equal(fclose(file), 0);
}

static void test_numbered_columns(void **state)
{
    struct crowd crowd = crowd_make(60, 150, 5, 0.4, 3, 4);
    const dedpul_options options = cheap_options("logistic");
    double features[210 * 3];
    dedpul_columns columns;
    dedpul_table *table;
    (void)state;
    for (size_t i = 0; i < crowd.n; i++) { /* columns 1, 3, 5 are features, 2 the label, 4 an identifier */
        crowd.x[5 * i + 1] = crowd.label[i];
        crowd.x[5 * i + 3] = (double)i;
        for (size_t j = 0; j < 3; j++)
            features[3 * i + j] = crowd.x[5 * i + 2 * j];
    }
    write_npy(test_path("fit.npy"), crowd.n, 5, crowd.x);
    write_npy(test_path("features.npy"), crowd.n, 3, features);
    dedpul_columns_init(&columns);
    columns.label = "2";
    columns.ignore = "4";
    assert_ok(dedpul_table_read(test_path("fit.npy"), &columns, NULL, &table, &test_error), &test_error);
    struct fitted fitted = fit_rows(table, &options);
    assert_int_equal(dedpul_model_describe(fitted.model)->n_columns, 3);
    (void)predict_file(fitted.model, test_path("fit.npy"), 1);
    char *all = (char *)read_bytes(test_path("out.csv"), NULL);
    (void)predict_file(fitted.model, test_path("features.npy"), 1);
    char *some = (char *)read_bytes(test_path("out.csv"), NULL);
    assert_string_equal(all, some);
    for (size_t width = 1; width < 8; width++) {
        if (width == 3 || width == 5)
            continue;
        double other[7] = {0};
        write_npy(test_path("other.npy"), 1, width, other);
        assert_int_equal(dedpul_model_predict_file(fitted.model, test_path("other.npy"), NULL,
                                                   test_path("out.csv"), NULL, &test_error),
                         DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, "fitted on a file with 5 and uses 3");
    }
    free(all);
    free(some);
    dedpul_table_free(table);
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
        assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, NULL, posterior, &test_error), &test_error);
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
    assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, score, posterior, &test_error), &test_error);
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

/* Rows are taken 8192 at a time. */
static void test_pieces(void **state)
{
    enum { N = 2 * 8192 + 3 };
    static const size_t counts[] = {0, 1, 8191, 8192, 8193, 16384, N};
    struct crowd crowd = crowd_make(60, 150, 2, 0.4, 3, 7), many = crowd_make(0, N, 2, 0.4, 3, 8);
    const dedpul_options options = cheap_options("mlp");
    double *whole = calloc((size_t)2 * N, sizeof *whole), *part = calloc((size_t)2 * N, sizeof *part);
    (void)state;
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        const dedpul_matrix rows = crowd_matrix(&many);
        dedpul_predict_options predict;
        dedpul_predict_options_init(&predict);
        predict.threads = threads;
        double *found = threads == 1 ? whole : part;
        assert_ok(dedpul_model_predict(fitted.model, &rows, &predict, found, found + N, &test_error),
                  &test_error);
        assert_memory_equal(found, whole, (size_t)2 * N * sizeof *whole);
    }
    for (size_t i = 8180; i < 8200; i++) { /* each row alone */
        const dedpul_matrix row = {1, 2, many.x + 2 * i, NULL};
        assert_ok(dedpul_model_predict(fitted.model, &row, NULL, part, part + 1, &test_error), &test_error);
        assert_near(part[0], whole[i], 1e-6);
        assert_near(part[1], whole[N + i], 1e-4);
    }
    for (size_t k = 0; k < LENGTH(counts); k++) {
        const dedpul_matrix rows = {counts[k], 2, many.x, NULL};
        for (size_t i = 0; i < (size_t)2 * N; i++)
            part[i] = 7;
        assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, NULL, part, &test_error), &test_error);
        for (size_t i = 0; i < counts[k]; i++)
            assert_near(part[i], whole[N + i], 1e-4);
        assert_near(part[counts[k]], 7, 0);
    }
    crowd_write(&many, test_path("many.csv"));
    assert_int_equal(predict_file(fitted.model, test_path("many.csv"), 1).rows, N);
    char *one = (char *)read_bytes(test_path("out.csv"), NULL), *four, *last = strrchr(one, 'N');
    (void)predict_file(fitted.model, test_path("many.csv"), 4);
    four = (char *)read_bytes(test_path("out.csv"), NULL);
    assert_string_equal(one, four);
    assert_contains(one, "\n8192,");
    assert_contains(one, "\n8193,");
    assert_contains(one, "\n16387,");
    assert_null(last);
    free(one);
    free(four);
    free(whole);
    free(part);
    fitted_free(&fitted);
    crowd_free(&crowd);
    crowd_free(&many);
}

struct stop {
    size_t calls, at, rows;
};

static int stop_at(void *context, const dedpul_progress *progress)
{
    struct stop *stop = context;
    assert_string_equal(progress->stage, "predict");
    assert_int_equal(progress->steps, 0);
    assert_true(progress->step > stop->rows);
    stop->rows = progress->step;
    return ++stop->calls == stop->at;
}

static void test_predict_progress(void **state)
{
    enum { N = 8192 + 5 };
    struct crowd crowd = crowd_make(60, 150, 1, 0.4, 3, 7), many = crowd_make(0, N, 1, 0.4, 3, 8);
    const dedpul_matrix rows = crowd_matrix(&many);
    const dedpul_options options = cheap_options("logistic");
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    double *out = calloc((size_t)2 * N, sizeof *out);
    dedpul_predict_options predict;
    (void)state;
    dedpul_predict_options_init(&predict);
    predict.progress = stop_at;
    crowd_write(&many, test_path("many.csv"));
    for (size_t at = 0; at < 3; at++) {
        struct stop stop = {.at = at}, of_file = {.at = at};
        const dedpul_status expected = at == 0 ? DEDPUL_OK : DEDPUL_CANCELLED;
        predict.progress_context = &stop;
        out[0] = out[N] = 7;
        assert_int_equal(dedpul_model_predict(fitted.model, &rows, &predict, out, out + N, &test_error),
                         expected);
        assert_int_equal(stop.rows, at == 1 ? 8192 : N);
        if (at > 0) { /* nothing is written but on success */
            assert_near(out[0], 7, 0);
            assert_near(out[N], 7, 0);
        }
        predict.progress_context = &of_file;
        (void)remove(test_path("out.csv"));
        assert_int_equal(dedpul_model_predict_file(fitted.model, test_path("many.csv"), &predict,
                                                   test_path("out.csv"), NULL, &test_error),
                         expected);
        assert_int_equal(of_file.rows, at == 1 ? 8192 : N);
        FILE *file = fopen(test_path("out.csv"), "r");
        assert_true((file != NULL) == (at == 0));
        if (file != NULL)
            (void)fclose(file);
    }
    many.x[N - 1] = INFINITY; /* in the second piece */
    out[0] = 7;
    assert_int_equal(dedpul_model_predict(fitted.model, &rows, NULL, out, NULL, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_near(out[0], 7, 0);
    free(out);
    fitted_free(&fitted);
    crowd_free(&crowd);
    crowd_free(&many);
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
    assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, score, NULL, &test_error), &test_error);
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

/* ---- damaged files ---- */

static void fix_header(size_t size, unsigned char *data)
{
    const uint32_t sum = (uint32_t)crc32_z(0, data + HEADER, size - HEADER);
    for (int i = 0; i < 4; i++)
        data[12 + i] = (unsigned char)(sum >> (8 * i));
    for (int i = 0; i < 8; i++)
        data[16 + i] = (unsigned char)((uint64_t)(size - HEADER) >> (8 * i));
}

static void refuse_bytes(size_t size, const unsigned char *data, const char *message)
{
    struct failing counting = {.fails_at = SIZE_MAX};
    const dedpul_allocator allocator = {&counting, failing_resize};
    dedpul_model *model = NULL;
    assert_int_equal(model_of_bytes("file", size, data, &allocator, &model, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "file");
    assert_contains(test_error.message, message);
    assert_null(model);
    assert_int_equal(counting.blocks, 0);
}

/* A small model with all that files can hold but trees. */
static unsigned char *small_model(size_t *size)
{
    struct fitted fitted = fit_texts("onehot");
    assert_ok(dedpul_model_save(fitted.model, test_path("small"), &test_error), &test_error);
    fitted_free(&fitted);
    return read_bytes(test_path("small"), size);
}

static void test_damaged(void **state)
{
    size_t size;
    unsigned char *data = small_model(&size);
    struct rng rng;
    (void)state;
    rng_init(&rng, 9, 9);
    for (size_t cut = 0; cut < size; cut++)
        refuse_bytes(cut, data, cut < 8 ? "is not a model file" : "is cut off");
    for (int i = 0; i < 2000; i++) {
        const size_t at = i < HEADER * 8 ? (size_t)i / 8 : rng_below(&rng, (uint32_t)size);
        const unsigned char bit = (unsigned char)(1 << (i % 8));
        data[at] ^= bit;
        refuse_bytes(size, data,
                     at < 8                                  ? "is not a model file"
                     : at == 8 && bit == 2                   ? "it has no model format"
                     : at < 12                               ? "use a newer dedpul"
                     : at >= 16 && at < 24 && data[at] & bit ? "is cut off"
                                                             : "is damaged (its checksum is wrong)");
        data[at] ^= bit;
    }
    unsigned char *longer = malloc(size + 1);
    memcpy(longer, data, size);
    longer[size] = 0;
    refuse_bytes(size + 1, longer, "is damaged");
    fix_header(size + 1, longer); /* bytes that belong to nothing */
    refuse_bytes(size + 1, longer, "corrupt");
    longer[8] = 3;
    refuse_bytes(size + 1, longer, "model format 3, but dedpul");
    refuse_bytes(size + 1, longer, "use a newer dedpul");
    free(longer);
    for (size_t cut = HEADER; cut < size; cut++) { /* the checksum is right, but the end is missing */
        unsigned char *part = malloc(cut);         /* of this size, so that reading past its end is noticed */
        memcpy(part, data, cut);
        fix_header(cut, part);
        refuse_bytes(cut, part, "corrupt");
        free(part);
    }
    free(data);
}

/* A method that answers by networks, without them. */
static void test_no_networks(void **state)
{
    struct fitted fitted = fit_texts("onehot");
    size_t size;
    (void)state;
    fitted.model->model.method = &estimator_nnpu;
    fitted.model->model.pn.scorer.n_parts = 0;
    assert_ok(dedpul_model_save(fitted.model, test_path("none"), &test_error), &test_error);
    unsigned char *data = read_bytes(test_path("none"), &size);
    refuse_bytes(size, data, "corrupt");
    free(data);
    fitted_free(&fitted);
}

/* Where a value is in the file. */
static size_t find_number(size_t size, const unsigned char *data, double value)
{
    unsigned char bytes[sizeof value];
    memcpy(bytes, &value, sizeof value);
    for (size_t at = HEADER; at + sizeof bytes <= size; at++)
        if (memcmp(data + at, bytes, sizeof bytes) == 0)
            return at;
    fail();
    return 0;
}

static void refuse_number(size_t size, unsigned char *data, double before, double after)
{
    const size_t at = find_number(size, data, before);
    memcpy(data + at, &after, sizeof after);
    fix_header(size, data);
    refuse_bytes(size, data, "corrupt");
    memcpy(data + at, &before, sizeof before);
}

/* Numbers that no fit writes. */
static void test_out_of_bounds(void **state)
{
    size_t size;
    unsigned char *data = small_model(&size);
    dedpul_model *model = load(test_path("small"));
    const dedpul_model_info *info = dedpul_model_describe(model);
    (void)state;
    refuse_number(size, data, info->alpha, 1.5);
    refuse_number(size, data, info->alpha, NAN);
    refuse_number(size, data, info->scale, -1);
    refuse_number(size, data, model->model.curve.logit[1], model->model.curve.logit[0]);
    refuse_number(size, data, model->model.curve.logit[1], INFINITY);
    refuse_number(size, data, model->model.encoding.center[0], NAN);
    refuse_number(size, data, model->model.encoding.column[0].knot_value[1], -1e9);
    dedpul_model_free(model);
    free(data);
}

/* Reading either refuses or gives a model that answers. */
static void test_nonsense(void **state)
{
    size_t size, accepted = 0;
    unsigned char *data = small_model(&size);
    dedpul_predict_options predict;
    struct rng rng;
    (void)state;
    dedpul_predict_options_init(&predict);
    predict.threads = 1; /* the allocator is for one */
    rng_init(&rng, 10, 10);
    write_text(test_path("in.csv"), "size,colour,sex\n1,red,f\n,,\n-3,black,x\n");
    for (int i = 0; i < 3000; i++) {
        unsigned char *copy = malloc(size);
        struct failing counting = {.fails_at = SIZE_MAX};
        const dedpul_allocator allocator = {&counting, failing_resize};
        dedpul_model *model = NULL;
        memcpy(copy, data, size);
        for (unsigned k = 1 + rng_below(&rng, 3); k > 0; k--)
            copy[HEADER + rng_below(&rng, (uint32_t)size - HEADER)] =
                i % 2 == 0 ? (unsigned char)rng_next(&rng) : 0xff;
        fix_header(size, copy);
        const dedpul_status status = model_of_bytes("file", size, copy, &allocator, &model, &test_error);
        free(copy); /* the model keeps none of it */
        if (status == DEDPUL_OK) {
            if (accepted++ % 16 == 0) {
                const dedpul_status predicted = dedpul_model_predict_file(
                    model, test_path("in.csv"), &predict, test_path("out.csv"), NULL, &test_error);
                assert_true(predicted == DEDPUL_OK || predicted == DEDPUL_INVALID_DATA);
            }
            dedpul_model_free(model);
        } else {
            assert_int_equal(status, DEDPUL_INVALID_DATA);
            assert_null(model);
        }
        assert_int_equal(counting.blocks, 0);
    }
    assert_true(accepted > 100);  /* most bytes are those of numbers */
    assert_true(accepted < 2990); /* and some are not */
    free(data);
}

static void test_files_that_are_none(void **state)
{
    dedpul_model *model = NULL;
    (void)state;
    write_text(test_path("texts"), "label,x\n1,2\n");
    write_text(test_path("empty"), "");
    static const char *const names[] = {"texts", "empty"};
    for (size_t i = 0; i < LENGTH(names); i++) {
        assert_int_equal(dedpul_model_load(test_path(names[i]), NULL, NULL, &model, &test_error),
                         DEDPUL_INVALID_DATA);
        assert_contains(test_error.message, names[i]);
        assert_contains(test_error.message, "is not a model file");
    }
    assert_int_equal(dedpul_model_load("/nonexistent", NULL, NULL, &model, &test_error), DEDPUL_IO);
    assert_int_equal(dedpul_model_load(NULL, NULL, NULL, &model, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_load(test_path("texts"), NULL, NULL, NULL, NULL), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_save(NULL, test_path("texts"), NULL), DEDPUL_INVALID_ARGUMENT);
    assert_null(model);
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
    assert_int_equal(predict_file(fitted.model, test_path("in.csv"), 1).rows, 1);
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
static dedpul_status whole_life(const struct crowd *crowd, dedpul_options *options,
                                const dedpul_allocator *allocator, struct life *life)
{
    const dedpul_matrix rows = crowd_matrix(crowd);
    dedpul_predict_options predict;
    double posterior[40];
    dedpul_predict_options_init(&predict);
    predict.threads = 1; /* the allocator is for one */
    options->allocator = allocator;
    TRY(dedpul_table_read(test_path("rows.csv"), NULL, allocator, &life->table, &test_error));
    dedpul_table_free(life->table);
    life->table = NULL;
    TRY(dedpul_table_from_matrix(&rows, crowd->label, NULL, allocator, &life->table, &test_error));
    TRY(dedpul_table_set_names(life->table, column_names, &test_error));
    TRY(dedpul_fit(life->table, options, &life->model, &life->result, NULL, &test_error));
    TRY(dedpul_model_save(life->model, test_path("model"), &test_error));
    TRY(dedpul_model_load(test_path("model"), NULL, allocator, &life->loaded, &test_error));
    TRY(dedpul_model_predict(life->loaded, &rows, &predict, NULL, posterior, &test_error));
    return dedpul_model_predict_file(life->loaded, test_path("rows.csv"), &predict, test_path("out.csv"),
                                     NULL, &test_error);
}

static void check_allocations(const char *classifier, size_t stride)
{
    struct crowd crowd = crowd_make(15, 25, 2, 0.4, 3, 11);
    dedpul_options options = cheap_options(classifier);
    bool done = false;
    size_t failures = 0, spared = 0;
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
        const dedpul_status status = whole_life(&crowd, &options, &allocator, &life);
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
    check_allocations("mlp", 1);
    check_allocations("auto", 13);
    check_allocations("blend", 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_save),
        cmocka_unit_test(test_blend_name),
        cmocka_unit_test(test_matrix_and_file),
        cmocka_unit_test(test_columns_by_name),
        cmocka_unit_test(test_unseen_levels),
        cmocka_unit_test(test_matrix_refused),
        cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_numbered_columns),
        cmocka_unit_test(test_set_names),
        cmocka_unit_test(test_near_the_fit),
        cmocka_unit_test(test_plugin),
        cmocka_unit_test(test_partitions),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_predict_progress),
        cmocka_unit_test(test_curve_thin),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_no_networks),
        cmocka_unit_test(test_out_of_bounds),
        cmocka_unit_test(test_nonsense),
        cmocka_unit_test(test_files_that_are_none),
        cmocka_unit_test(test_save_fails),
        cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, remove_test_files);
}
