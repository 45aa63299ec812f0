/*
 * Measures time and memory of fitting and predicting: training against PyTorch in the same run, boosted trees
 * on a million rows, predictions for a large file by trees and by networks. Prints a table. Exits with 1 if a
 * limit is missed.
 *
 * bench_fit TORCH_SCRIPT DEDPUL_COMMAND; the file to predict has DEDPUL_BENCH_MB megabytes (default 200).
 */
#include "bench.h"
#include "resolve.h"

#include "classifier.h"
#include "context.h"
#include "crossfit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The same numbers as in torch_net.py. */
enum { EPOCHS = 20, BATCH = 64, STEPS = 25, TIMED = 5 };

enum { TREE_ROWS = MILLION, TREE_LABELED = MILLION / 10, TREE_WIDTH = 50, TREE_ROUNDS = 20 };

/* A row of Gaussian features; those of positives are shifted. */
static void fill_row(struct rng *rng, bool positive, size_t width, float *x)
{
    for (size_t j = 0; j < width; j++)
        x[j] = (float)(rng_normal(rng) + (positive ? 1 / sqrt((double)(j + 1)) : 0));
}

/* Labeled rows come first; 30% of the others are positive. */
static float *make_rows(size_t n, size_t n_labeled, size_t width, unsigned char *label)
{
    float *x = checked(malloc(n * width * sizeof *x));
    struct rng rng;
    rng_init(&rng, 1, 0);
    for (size_t i = 0; i < n; i++) {
        label[i] = i < n_labeled;
        fill_row(&rng, label[i] || rng_uniform(&rng) < 0.3, width, x + i * width);
    }
    return x;
}

/* Returns the seconds of dedpul_fit. Saves the model if a path is given. */
static double time_fit(size_t n, size_t n_labeled, size_t width, const dedpul_options *options,
                       const char *model_path)
{
    unsigned char *label = checked(malloc(n));
    float *x = make_rows(n, n_labeled, width, label);
    dedpul_table *table;
    dedpul_model *model;
    dedpul_result *result;
    dedpul_error error;
    check(dedpul_table_from_matrix(&(dedpul_matrix){n, width, NULL, x}, label, NULL, NULL, &table, &error),
          &error);
    free(x);
    free(label);
    const double start = now();
    check(dedpul_fit(table, options, &model, &result, NULL, &error), &error);
    const double seconds = now() - start;
    if (model_path != NULL)
        check(dedpul_model_save(model, model_path, &error), &error);
    dedpul_result_free(result);
    dedpul_model_free(model);
    dedpul_table_free(table);
    return seconds;
}

/* ---- networks ---- */

/* Cross-fitting of 1-16-1 on 1000 + 10,000 rows, 5 folds: training, and the held-out loss of each epoch. */
static double time_small(size_t width)
{
    enum { ROWS = 11000, LABELED = 1000 };
    static unsigned char label[ROWS];
    static double logit[ROWS];
    const struct examples examples = {.n_rows = ROWS,
                                      .width = width,
                                      .x = make_rows(ROWS, LABELED, width, label),
                                      .n = ROWS,
                                      .label = label};
    dedpul_options options;
    struct resolved resolved;
    dedpul_options_init(&options);
    options.ensemble = 1;
    options.stopping = DEDPUL_STOPPING_EACH;
    options.layers = "16";
    options.batch_norm = 0;
    options.dropout = 0;
    options.rate = 1e-3;
    options.batch = BATCH;
    options.epochs = options.patience = EPOCHS;
    check(options_resolve(&options, &resolved, NULL), NULL);
    const struct crossfit_request request = {
        &classifier_mlp, &examples, label, NULL, &risk_of_classes, &resolved.plan.training, "mlp"};
    double seconds[TIMED];
    for (int i = 0; i < TIMED; i++) {
        struct arena arena;
        struct ensemble ensemble;
        dedpul_error error;
        arena_init(&arena, NULL);
        struct context context = context_of(&arena, NULL, &error);
        const double start = now();
        check(crossfit(&context, &request, &arena, &ensemble, logit), &error);
        seconds[i] = now() - start;
        arena_free(&arena);
    }
    free((void *)examples.x);
    return median(TIMED, seconds);
}

/* Seconds per step of width-512-512-1 with batch norm: drawing, forward, backward, Adam. */
static double time_step(size_t width)
{
    enum { ROWS = 2 * STEPS * BATCH };
    static unsigned char label[ROWS];
    static const unsigned char fold[ROWS]; /* a single fold, which is learned from */
    const struct examples examples = {.n_rows = ROWS,
                                      .width = width,
                                      .x = make_rows(ROWS, ROWS / 2, width, label),
                                      .n = ROWS,
                                      .label = label};
    const struct member member = {.fold = fold, .held_out = 1};
    const bool active = true;
    double seconds[TIMED];
    dedpul_options options;
    struct resolved resolved;
    dedpul_options_init(&options);
    options.dropout = 0;
    options.batch = BATCH;
    check(options_resolve(&options, &resolved, NULL), NULL);
    const struct training training = {&examples, 1, &member, &resolved.plan.training, &risk_of_classes};
    struct arena arena;
    dedpul_error error;
    void *set = NULL;
    arena_init(&arena, NULL);
    struct context context = context_of(&arena, NULL, &error);
    check(classifier_mlp.create(&context, &training, &set), &error);
    check(classifier_mlp.advance(&context, set, &active), &error); /* warms up */
    for (int i = 0; i < TIMED; i++) {
        const double start = now();
        check(classifier_mlp.advance(&context, set, &active), &error);
        seconds[i] = (now() - start) / STEPS;
    }
    classifier_mlp.destroy(set);
    arena_free(&arena);
    free((float *)examples.x);
    return median(TIMED, seconds);
}

/* ---- a million rows, a large file ---- */

/* The part of this program that runs in a process of its own. */
static void fit_trees(const char *model_path)
{
    dedpul_options options;
    dedpul_options_init(&options);
    options.classifier = "gbdt";
    options.tree_rounds = TREE_ROUNDS;
    printf("gbdt on 1e6 rows x %d columns, %d rounds, all processors: %.3g s\n", TREE_WIDTH, TREE_ROUNDS,
           time_fit(TREE_ROWS, TREE_LABELED, TREE_WIDTH, &options, model_path));
}

/* Runs a program that must succeed. Returns its peak resident memory in megabytes. */
static double peak_of(const char *const *arguments)
{
    int status = 1;
    struct rusage usage = {0};
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        (void)execv(arguments[0], (char *const *)arguments);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0) {
        (void)fprintf(stderr, "%s failed\n", arguments[0]);
        exit(1);
    }
    return (double)usage.ru_maxrss / 1024;
}

/* Writes the file. Returns the number of rows. */
static size_t write_table(const char *path, double megabytes)
{
    FILE *file = checked(fopen(path, "w"));
    float x[TREE_WIDTH];
    struct rng rng;
    size_t n = 0;
    rng_init(&rng, 2, 0);
    for (int j = 0; j < TREE_WIDTH; j++)
        (void)fprintf(file, j > 0 ? ",%d" : "%d", j + 1);
    for (; (double)ftell(file) < 1e6 * megabytes; n++) {
        fill_row(&rng, rng_uniform(&rng) < 0.3, TREE_WIDTH, x);
        for (int j = 0; j < TREE_WIDTH; j++)
            (void)fprintf(file, j > 0 ? ",%.6g" : "\n%.6g", (double)x[j]);
    }
    (void)fputs("\n", file);
    (void)fclose(file);
    return n;
}

/* Fits 30 networks of 50-64-64-1. Reports how fast the command predicts the n rows of a table with them. */
static void bench_networks(const char *command, const char *model, size_t n, const char *table,
                           const char *out)
{
    enum { ROWS = 20000, LABELED = 4000, RUNS = 3 };
    double rate[RUNS];
    dedpul_options options;
    dedpul_options_init(&options);
    options.classifier = "mlp";
    options.layers = "64,64";
    options.rate = 2e-3;
    options.ensemble = 6;
    (void)time_fit(ROWS, LABELED, TREE_WIDTH, &options, model);
    for (int i = 0; i < RUNS; i++) {
        const double start = now();
        (void)peak_of(
            (const char *[]){command, "predict", "-q", "--threads", "2", "--out", out, model, table, NULL});
        rate[i] = (double)n / (now() - start);
    }
    report("predict with 30 small networks, 50 columns, 2 threads", median(RUNS, rate), "rows/s",
           ">=", 150000);
}

static void bench_trees(const char *command)
{
    char directory[] = "/tmp/dedpul-bench-XXXXXX", model[64], table[64], out[64];
    const char *const size = getenv("DEDPUL_BENCH_MB");
    const double megabytes = size != NULL ? strtod(size, NULL) : 200;
    (void)checked(mkdtemp(directory));
    (void)snprintf(model, sizeof model, "%s/model", directory);
    (void)snprintf(table, sizeof table, "%s/table.csv", directory);
    (void)snprintf(out, sizeof out, "%s/out.csv", directory);
    report("gbdt on 1e6 rows, peak memory", peak_of((const char *[]){"/proc/self/exe", "--fit", model, NULL}),
           "MiB", "<=", 6000);
    const size_t n = write_table(table, megabytes);
    const double start = now();
    const double peak = peak_of((const char *[]){command, "predict", "-q", "--out", out, model, table, NULL});
    const double seconds = now() - start;
    printf("predict on a file of %g MB, all processors: %.3g s, %.3g rows/s, %.3g MB/s\n", megabytes, seconds,
           (double)n / seconds, megabytes / seconds);
    report("predict, peak memory", peak, "MiB", "<=", 200);
    bench_networks(command, model, n, table, out);
    (void)unlink(out);
    (void)unlink(table);
    (void)unlink(model);
    (void)rmdir(directory);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--fit") == 0) {
        fit_trees(argv[2]);
        return 0;
    }
    if (argc != 3) {
        (void)fprintf(stderr, "Usage: %s TORCH_SCRIPT DEDPUL_COMMAND\n", argv[0]);
        return 2;
    }
    bench_trees(argv[2]); /* this comes first: a child's peak is at least what this process had at the fork */
    static const struct race races[] = {
        {"training of 1-16-1, 1000 + 10,000 rows, 5 folds, 20 epochs", time_small, 1, 30},
        {"step of 50-512-512-1, batch norm, 128 rows", time_step, 50, 1},
        {"step of 784-512-512-1, batch norm, 128 rows", time_step, 784, 1},
    };
    race_torch(argv[1], sizeof races / sizeof *races, races);
    return all_limits_met() ? 0 : 1;
}
