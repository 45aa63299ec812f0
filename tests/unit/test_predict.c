/* Models applied to new rows: matrices and files, columns and levels, pieces and progress. */
#include "fitting.h"

#include <stdio.h>

static char *predict_text(const dedpul_model *model, const char *text)
{
    write_text(test_path("in.csv"), text);
    (void)predict_table_file(model, test_path("in.csv"), 1);
    return (char *)read_bytes(test_path("out.csv"), NULL);
}

static void refuse_file(const dedpul_model *model, const char *text, const char *message)
{
    dedpul_prediction *prediction = NULL;
    write_text(test_path("in.csv"), text);
    write_text(test_path("out.csv"), "before");
    assert_int_equal(dedpul_model_predict_file(model, test_path("in.csv"), NULL, test_path("out.csv"),
                                               &prediction, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, message);
    assert_contains(test_error.message, "in.csv");
    assert_null(prediction);
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
    assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, score, posterior, NULL, &test_error),
              &test_error);
    const dedpul_prediction prediction = predict_table_file(fitted.model, test_path("rows.csv"), 2);
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
    assert_ok(dedpul_model_predict(fitted.model, &narrow, NULL, again, again + 210, NULL, &test_error),
              &test_error);
    assert_memory_equal(again, score, sizeof score);
    assert_memory_equal(again + 210, posterior, sizeof posterior);
    fitted_free(&fitted);
    crowd_free(&crowd);
}

/* A matrix and a file say the same about columns, in pieces or not, whatever the threads. */
static void test_drift(void **state)
{
    enum { N = 8192 + 300 };
    struct crowd crowd = crowd_make(100, 400, 3, 0.4, 3, 2), many = crowd_make(0, N, 3, 0.4, 3, 3);
    const dedpul_options options = cheap_options("logistic");
    struct fitted fitted = fit_crowd(&crowd, NULL, &options);
    const dedpul_matrix rows = crowd_matrix(&many), few = {19, 3, many.x, NULL};
    double score[N];
    (void)state;
    for (int moved = 0; moved < 2; moved++) {
        dedpul_prediction *of_matrix = NULL, *of_file = NULL;
        for (size_t i = 0; moved == 1 && i < N; i++)
            many.x[3 * i + 1] *= 100;
        crowd_write(&many, test_path("many.csv"));
        assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, score, NULL, &of_matrix, &test_error),
                  &test_error);
        assert_ok(dedpul_model_predict_file(fitted.model, test_path("many.csv"), NULL, test_path("out.csv"),
                                            &of_file, &test_error),
                  &test_error);
        assert_int_equal(of_matrix->rows, N);
        assert_int_equal(of_matrix->n_compared, 3);
        assert_int_equal(of_matrix->n_drifted, moved);
        assert_int_equal(of_file->n_drifted, moved);
        if (moved == 1) {
            const dedpul_drift *a = of_matrix->drifted[0], *b = of_file->drifted[0];
            assert_string_equal(a->column, "2");
            assert_string_equal(a->change, b->change);
            assert_true(a->out_of_range > 0.8 && a->distance > 0.5 && a->chance < 1e-9);
            assert_memory_equal(&a->share_before, &b->share_before,
                                sizeof *a - offsetof(dedpul_drift, share_before));
        }
        dedpul_prediction_free(of_matrix);
        dedpul_prediction_free(of_file);
    }
    dedpul_prediction *prediction = NULL;
    assert_ok(dedpul_model_predict(fitted.model, &few, NULL, score, NULL, &prediction, &test_error),
              &test_error);
    assert_int_equal(prediction->n_compared, 0); /* too few rows to tell */
    dedpul_prediction_free(prediction);
    fitted_free(&fitted);
    crowd_free(&crowd);
    crowd_free(&many);
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
    const dedpul_prediction prediction = predict_table_file(fitted.model, test_path("in.csv"), 1);
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
    assert_int_equal(dedpul_model_predict(fitted.model, &rows, NULL, score, NULL, NULL, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "2 columns, but the model 3");
    rows.width = 3;
    assert_int_equal(dedpul_model_predict(texts.model, &rows, NULL, score, NULL, NULL, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "'colour' holds text");
    crowd.x[4] = INFINITY;
    assert_int_equal(dedpul_model_predict(fitted.model, &rows, NULL, score, NULL, NULL, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "x[1][1] is inf");
    rows.f32 = crowd.x32;
    assert_int_equal(dedpul_model_predict(fitted.model, &rows, NULL, score, NULL, NULL, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_predict(NULL, &rows, NULL, score, NULL, NULL, &test_error),
                     DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(dedpul_model_predict(fitted.model, NULL, NULL, score, NULL, NULL, NULL),
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
            assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, score, posterior, NULL, &test_error),
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
    (void)predict_table_file(fitted.model, test_path("fit.npy"), 1);
    char *all = (char *)read_bytes(test_path("out.csv"), NULL);
    (void)predict_table_file(fitted.model, test_path("features.npy"), 1);
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
        assert_ok(dedpul_model_predict(fitted.model, &rows, &predict, found, found + N, NULL, &test_error),
                  &test_error);
        assert_memory_equal(found, whole, (size_t)2 * N * sizeof *whole);
    }
    for (size_t i = 8180; i < 8200; i++) { /* each row alone */
        const dedpul_matrix row = {1, 2, many.x + 2 * i, NULL};
        assert_ok(dedpul_model_predict(fitted.model, &row, NULL, part, part + 1, NULL, &test_error),
                  &test_error);
        assert_near(part[0], whole[i], 1e-6);
        assert_near(part[1], whole[N + i], 1e-4);
    }
    for (size_t k = 0; k < LENGTH(counts); k++) {
        const dedpul_matrix rows = {counts[k], 2, many.x, NULL};
        for (size_t i = 0; i < (size_t)2 * N; i++)
            part[i] = 7;
        assert_ok(dedpul_model_predict(fitted.model, &rows, NULL, NULL, part, NULL, &test_error),
                  &test_error);
        for (size_t i = 0; i < counts[k]; i++)
            assert_near(part[i], whole[N + i], 1e-4);
        assert_near(part[counts[k]], 7, 0);
    }
    crowd_write(&many, test_path("many.csv"));
    assert_int_equal(predict_table_file(fitted.model, test_path("many.csv"), 1).rows, N);
    char *one = (char *)read_bytes(test_path("out.csv"), NULL), *four, *last = strrchr(one, 'N');
    (void)predict_table_file(fitted.model, test_path("many.csv"), 4);
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
        assert_int_equal(dedpul_model_predict(fitted.model, &rows, &predict, out, out + N, NULL, &test_error),
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
    assert_int_equal(dedpul_model_predict(fitted.model, &rows, NULL, out, NULL, NULL, &test_error),
                     DEDPUL_INVALID_DATA);
    assert_near(out[0], 7, 0);
    free(out);
    fitted_free(&fitted);
    crowd_free(&crowd);
    crowd_free(&many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix_and_file),  cmocka_unit_test(test_drift),
        cmocka_unit_test(test_columns_by_name),  cmocka_unit_test(test_unseen_levels),
        cmocka_unit_test(test_matrix_refused),   cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_numbered_columns), cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_predict_progress),
    };
    return cmocka_run_group_tests(tests, NULL, remove_test_files);
}
