#include "fitting.h"

#include "classifier.h"
#include "estimator.h"
#include "number.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

/* ---- rows ---- */

struct crowd crowd_make(size_t n_positive, size_t n_unlabeled, size_t width, double alpha, double gap,
                        uint64_t seed)
{
    const size_t n = n_positive + n_unlabeled;
    struct crowd crowd = {n_positive,
                          n,
                          width,
                          alpha,
                          calloc(n * width, sizeof *crowd.x),
                          calloc(n * width, sizeof *crowd.x32),
                          calloc(n, 1),
                          calloc(n, sizeof *crowd.posterior)};
    const double shift = gap / sqrt((double)width);
    struct rng rng;
    rng_init(&rng, seed, 99);
    for (size_t i = 0; i < n; i++) {
        const bool unlabeled = i >= n_positive;
        const bool positive = !unlabeled || (double)(i - n_positive) < alpha * (double)n_unlabeled;
        double evidence = 0; /* log of f_p / f_n */
        crowd.label[i] = !unlabeled;
        for (size_t j = 0; j < width; j++) {
            const float value = (float)((positive ? shift : 0) + random_normal(&rng));
            crowd.x32[i * width + j] = value;
            crowd.x[i * width + j] = (double)value;
            evidence += shift * ((double)value - shift / 2);
        }
        if (unlabeled)
            crowd.posterior[i - n_positive] = alpha / (alpha + (1 - alpha) * exp(-evidence));
    }
    return crowd;
}

void crowd_free(struct crowd *crowd)
{
    free(crowd->x);
    free(crowd->x32);
    free(crowd->label);
    free(crowd->posterior);
}

dedpul_matrix crowd_matrix(const struct crowd *crowd)
{
    return (dedpul_matrix){crowd->n, crowd->width, crowd->x, NULL};
}

dedpul_table *crowd_table(const struct crowd *crowd, const double *weight)
{
    const dedpul_matrix matrix = crowd_matrix(crowd);
    dedpul_table *table = NULL;
    assert_ok(dedpul_table_from_matrix(&matrix, crowd->label, weight, NULL, &table, &test_error),
              &test_error);
    return table;
}

void crowd_write(const struct crowd *crowd, const char *path)
{
    char digits[NUMBER_SIZE];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs("label", file);
    for (size_t j = 0; j < crowd->width; j++)
        (void)fprintf(file, ",%zu", j + 1);
    for (size_t i = 0; i < crowd->n; i++) {
        (void)fprintf(file, "\n%d", crowd->label[i]);
        for (size_t j = 0; j < crowd->width; j++) {
            const double value = crowd->x[i * crowd->width + j];
            (void)fprintf(file, ",%s", isnan(value) ? "" : format_double(digits, value));
        }
    }
    (void)fputc('\n', file);
    assert_int_equal(fclose(file), 0);
}

/* ---- fits ---- */

static bool is_for_images(const char *name)
{
    const struct classifier *classifier = classifier_find(name);
    return classifier != NULL && classifier->for_images;
}

size_t table_classifier_count(void)
{
    size_t count = 0;
    for (size_t k = 0; k < dedpul_classifier_count(); k++)
        count += !is_for_images(dedpul_classifier_name(k));
    return count;
}

const char *table_classifier_name(size_t index)
{
    size_t k = 0;
    for (size_t skipped = 0; is_for_images(dedpul_classifier_name(k)) || skipped < index; k++)
        skipped += !is_for_images(dedpul_classifier_name(k));
    return dedpul_classifier_name(k);
}

size_t trained_method_count(void)
{
    size_t count = 0;
    while (trained_method_name(count) != NULL)
        count++;
    return count;
}

const char *trained_method_name(size_t index)
{
    const struct estimator *estimator;
    for (size_t k = 0; (estimator = estimator_at(k)) != NULL; k++)
        if (estimator_trains(estimator) && index-- == 0)
            return estimator->name;
    return NULL;
}

dedpul_options cheap_options(const char *classifier)
{
    dedpul_options options;
    dedpul_options_init(&options);
    options.classifier = classifier;
    options.threads = 1;
    options.seed = 1;
    options.folds = 3;
    options.ensemble = 1;
    options.layers = "16";
    options.dropout = 0;
    options.rate = 1e-2;
    options.batch = 32;
    options.epochs = 12;
    options.min_epochs = 2;
    options.patience = 3;
    options.tree_depth = 2;
    options.tree_rate = 0.3;
    options.tree_rounds = 20;
    options.tree_patience = 4;
    return options;
}

struct fitted fit_rows(const dedpul_table *table, const dedpul_options *options)
{
    struct fitted fitted = {NULL, NULL, calloc(dedpul_table_rows(table), sizeof *fitted.score)};
    assert_ok(dedpul_fit(table, options, &fitted.model, &fitted.result, fitted.score, &test_error),
              &test_error);
    return fitted;
}

struct fitted fit_crowd(const struct crowd *crowd, const double *weight, const dedpul_options *options)
{
    dedpul_table *table = crowd_table(crowd, weight);
    const struct fitted fitted = fit_rows(table, options);
    dedpul_table_free(table);
    return fitted;
}

/* A model that is mostly text: one-hot, codes, two levels. */
struct fitted fit_texts(const char *encode)
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
    columns.id = "id";
    assert_ok(dedpul_options_set(&options, "encode", encode, &test_error), &test_error);
    assert_ok(dedpul_table_read(test_path("texts.csv"), &columns, NULL, &table, &test_error), &test_error);
    assert_string_equal(dedpul_table_ids(table)->name, "id");
    assert_null(dedpul_table_groups(table));
    const struct fitted fitted = fit_rows(table, &options);
    dedpul_table_free(table);
    return fitted;
}

dedpul_model *load_model(const char *path)
{
    dedpul_model *model = NULL;
    assert_ok(dedpul_model_load(path, NULL, NULL, &model, &test_error), &test_error);
    return model;
}

dedpul_prediction predict_table_file(const dedpul_model *model, const char *path, unsigned threads)
{
    dedpul_predict_options options;
    dedpul_prediction *prediction = NULL;
    dedpul_predict_options_init(&options);
    options.threads = threads;
    assert_ok(
        dedpul_model_predict_file(model, path, &options, test_path("out.csv"), &prediction, &test_error),
        &test_error);
    dedpul_prediction found = *prediction;
    found.drifted = NULL; /* it does not live any more */
    dedpul_prediction_free(prediction);
    return found;
}

void fitted_free(struct fitted *fitted)
{
    dedpul_model_free(fitted->model);
    dedpul_result_free(fitted->result);
    free(fitted->score);
}

double distance(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum / (double)n);
}

/* ---- files ---- */

static char directory[] = "/tmp/dedpul_test_XXXXXX";
static bool has_directory;

const char *test_path(const char *name)
{
    static char path[4][128];
    static unsigned next;
    if (!has_directory)
        assert_non_null(mkdtemp(directory));
    has_directory = true;
    char *result = path[next++ % 4];
    (void)snprintf(result, sizeof path[0], "%s/%s", directory, name);
    return result;
}

int remove_test_files(void **state)
{
    const struct dirent *entry;
    (void)state;
    if (!has_directory)
        return 0;
    DIR *files = opendir(directory);
    while (files != NULL && (entry = readdir(files)) != NULL)
        (void)unlink(test_path(entry->d_name));
    if (files != NULL)
        (void)closedir(files);
    return rmdir(directory);
}

void write_bytes(const char *path, size_t size, const void *data)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void write_text(const char *path, const char *text)
{
    write_bytes(path, strlen(text), text);
}

unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const size_t length = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(length + 1);
    assert_int_equal(fread(data, 1, length, file), length);
    (void)fclose(file);
    data[length] = '\0';
    if (size != NULL)
        *size = length;
    return data;
}
