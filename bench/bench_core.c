/*
 * Measures time and memory of the core, each against a yardstick from the same run: qsort of the same scores,
 * scipy's gaussian_kde, the size of the file. Prints a table. Exits with 1 if a limit is missed.
 */
#include "bench.h"

#include "estimator.h"
#include "gauss_transform.h"
#include "group_folds.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPEATS = 7 };

/* Scores of the ideal classifier: positives N(1, 1), negatives N(-1, 1), 40% positives in U. */
static double *make_scores(size_t n, double share, uint64_t seed)
{
    double *score = checked(malloc(n * sizeof *score));
    struct rng rng;
    rng_init(&rng, seed, 0);
    for (size_t i = 0; i < n; i++) {
        const double centre = rng_uniform(&rng) < share ? 1 : -1;
        const double x = centre + rng_normal(&rng);
        const double f_p = exp(-(x - 1) * (x - 1) / 2), f_n = exp(-(x + 1) * (x + 1) / 2);
        score[i] = f_p / (f_p + 0.4 * f_p + 0.6 * f_n);
    }
    return score;
}

static double time_qsort(size_t n, const double *score)
{
    double *copy = checked(malloc(n * sizeof *copy));
    memcpy(copy, score, n * sizeof *copy);
    const double start = now();
    qsort(copy, n, sizeof *copy, compare_doubles);
    const double seconds = now() - start;
    free(copy);
    return seconds;
}

/* An allocator that counts what is in use. */
struct account {
    size_t used, peak;
};

static void *resize_counted(void *context, void *block, size_t size)
{
    struct account *account = context;
    account->used -= malloc_usable_size(block);
    if (size == 0) {
        free(block);
        return NULL;
    }
    block = realloc(block, size);
    account->used += malloc_usable_size(block);
    if (account->used > account->peak)
        account->peak = account->used;
    return block;
}

static double time_method(const char *method, size_t n_p, const double *p, size_t n_u, const double *u,
                          unsigned threads, unsigned resamples, const dedpul_allocator *allocator)
{
    const dedpul_sample positive = {n_p, p, NULL}, unlabeled = {n_u, u, NULL};
    dedpul_options options;
    dedpul_result *result;
    dedpul_error error;
    dedpul_options_init(&options);
    options.method = method;
    options.threads = threads;
    options.resamples = resamples;
    options.allocator = allocator;
    const double start = now();
    check(dedpul_estimate_two(&positive, &unlabeled, &options, &result, &error), &error);
    const double seconds = now() - start;
    dedpul_result_free(result);
    return seconds;
}

static double time_estimate(size_t n_p, const double *p, size_t n_u, const double *u, unsigned threads,
                            unsigned resamples, const dedpul_allocator *allocator)
{
    return time_method("dedpul", n_p, p, n_u, u, threads, resamples, allocator);
}

/* What the learned distribution costs beyond DEDPUL, which shares its sort and its densities. */
static void bench_learned(void)
{
    enum { MANY = 21 };
    double *p = make_scores(MILLION / 10, 1, 1), *u = make_scores(MILLION, 0.4, 2);
    double against[MANY], more[MANY];
    for (int i = 0; i < MANY; i++) {
        if (i < REPEATS)
            against[i] = time_method("pooled", MILLION / 10, p, MILLION, u, 1, 0, NULL) /
                         time_method("dedpul", MILLION / 10, p, MILLION, u, 1, 0, NULL);
        more[i] = time_method("pooled", 1000, p, 10000, u, 1, 0, NULL) -
                  time_method("dedpul", 1000, p, 10000, u, 1, 0, NULL);
    }
    report("pooled against dedpul, 1e5 + 1e6 scores", median(REPEATS, against), "x", "<=", 1.1);
    report("pooled beyond dedpul, 1e3 + 1e4 scores", 1000 * median(MANY, more), "ms", "<=", 1);
    free(p);
    free(u);
}

/* Times are noisy, so both functions are measured in turn, and the median of the quotients counts. */
static void bench_estimate(void)
{
    const size_t n_p = MILLION / 10, n_u = MILLION;
    double *p = make_scores(n_p, 1, 1), *u = make_scores(10 * n_u, 0.4, 2);
    double one[REPEATS], many[REPEATS], ten[REPEATS], against_sort[REPEATS], against_one[REPEATS];
    struct account account = {0, 0};
    const dedpul_allocator counted = {&account, resize_counted};
    for (int i = 0; i < REPEATS; i++) {
        one[i] = time_estimate(n_p, p, n_u, u, 1, 0, NULL);
        against_sort[i] = one[i] / time_qsort(n_u, u);
        many[i] = time_estimate(n_p, p, n_u, u, 0, 0, NULL);
        ten[i] = time_estimate(n_p, p, 10 * n_u, u, 1, 0, NULL);
        against_one[i] = ten[i] / one[i];
    }
    (void)time_estimate(n_p, p, n_u, u, 1, 0, &counted);
    printf("estimate on 1e5 + 1e6 scores: %.3f s (all processors: %.3f s); on 1e5 + 1e7: %.3f s\n",
           median(REPEATS, one), median(REPEATS, many), median(REPEATS, ten));
    report("estimate, 1e5 + 1e6 scores, one thread, against qsort", median(REPEATS, against_sort), "x",
           "<=", 6);
    report("peak memory with the input, per score",
           (double)account.peak / (double)(n_p + n_u) + sizeof(double), "bytes", "<=", 100);
    report("estimate, 1e5 + 1e7 scores against 1e5 + 1e6", median(REPEATS, against_one), "x", "<=", 12);
    free(p);
    free(u);
}

/* Returns the seconds that scipy needs, or a negative number if it is not installed. */
static double time_scipy(const char *script, size_t n)
{
    char command[512];
    double seconds = -1;
    (void)snprintf(command, sizeof command, "/usr/bin/python3 '%s' %zu 2>/dev/null", script, n);
    FILE *output = popen(command, "r");
    if (output != NULL) {
        if (fscanf(output, "%lf", &seconds) != 1)
            seconds = -1;
        (void)pclose(output);
    }
    return seconds;
}

static void bench_interval(void)
{
    const size_t n_p = MILLION / 10, n_u = MILLION - n_p;
    double *p = make_scores(n_p, 1, 1), *u = make_scores(n_u, 0.4, 2);
    report("interval, 200 resamples of 1,000,000 scores, two threads",
           time_estimate(n_p, p, n_u, u, 2, 200, NULL), "s", "<=", 60);
    report("interval, 200 resamples of 10,000 scores, two threads",
           time_estimate(n_p / 100, p, n_u / 100, u, 2, 200, NULL), "s", "<=", 2);
    free(p);
    free(u);
}

static void bench_kde(const char *script)
{
    const size_t n = 10000;
    double *u = make_scores(n, 0.4, 3), *out = checked(malloc(n * sizeof *out)), best = INFINITY;
    qsort(u, n, sizeof *u, compare_doubles);
    for (size_t i = 0; i < n; i++)
        u[i] = log(u[i] / (1 - u[i]));
    for (int i = 0; i < 10 * REPEATS; i++) {
        dedpul_error error;
        struct arena arena;
        arena_init(&arena, NULL);
        struct context context = context_of(&arena, NULL, &error);
        const double start = now();
        check(gauss_transform(&context, n, u, NULL, 0.07, 1, n, u, out), &error);
        best = fmin(best, now() - start);
        arena_free(&arena);
    }
    const double scipy = time_scipy(script, n);
    printf("density of 1e4 scores at themselves: %.3g s; scipy's gaussian_kde: ", best);
    if (scipy > 0) {
        printf("%.3g s\n", scipy);
        report("scipy's gaussian_kde against ours, n = 10,000", scipy / best, "x", ">=", 300);
    } else {
        printf("not installed (python3-scipy)\n");
    }
    free(u);
    free(out);
}

static void bench_csv(void)
{
    const size_t n = (size_t)2 * MILLION;
    char path[] = "/tmp/dedpul-bench-XXXXXX";
    double *u = make_scores(n, 0.4, 4), best = INFINITY;
    const int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    (void)checked(file);
    (void)fputs("label,score\n", file);
    for (size_t i = 0; i < n; i++)
        (void)fprintf(file, "%d,%.17g\n", (int)(i % 10 == 0), u[i]);
    const double megabytes = (double)ftell(file) / 1e6;
    (void)fclose(file);
    for (int i = 0; i < REPEATS; i++) {
        dedpul_score_table *table;
        dedpul_error error;
        const double start = now();
        check(dedpul_score_table_read(path, NULL, NULL, &table, &error), &error);
        best = fmin(best, now() - start);
        dedpul_score_table_free(table);
    }
    (void)unlink(path);
    free(u);
    report("reading a score file (17 digits), one core", megabytes / best, "MB/s", ">=", 150);
}

/* 43,000 rows like those of a bank's customers: half of the columns have few values. */
static void bench_tice(void)
{
    enum { ROWS = 43000, LABELED = 1000, POSITIVE = 3000, WIDTH = 16 };
    float *x = checked(malloc(sizeof *x * ROWS * WIDTH));
    unsigned char *label = checked(malloc(ROWS));
    double seconds[REPEATS];
    struct rng rng;
    rng_init(&rng, 5, 0);
    for (size_t i = 0; i < ROWS; i++) {
        label[i] = i < LABELED;
        for (size_t j = 0; j < WIDTH; j++) {
            const double value = rng_normal(&rng) + (i < POSITIVE && j % 4 < 2 ? 1 : 0);
            x[i * WIDTH + j] = (float)(j % 2 == 0 ? round(value) : value);
        }
    }
    const struct feature_rows rows = {ROWS, WIDTH, x, label, NULL};
    const struct problem problem = {.features = &rows};
    for (int i = 0; i < REPEATS; i++) {
        struct proportion proportion;
        dedpul_error error;
        struct arena arena;
        arena_init(&arena, NULL);
        struct context context = context_of(&arena, NULL, &error);
        context.threads = 2;
        const double start = now();
        check(estimator_tice.alpha(&context, &problem, NULL, &proportion), &error);
        seconds[i] = now() - start;
        arena_free(&arena);
    }
    report("tice, 43,000 rows of 16 features, two threads", median(REPEATS, seconds), "s", "<=", 2);
    free(x);
    free(label);
}

/* Ten million rows in a million groups, next to as many rows that are dealt one by one. */
static void bench_group_folds(void)
{
    enum { ROWS = 10 * MILLION, FOLDS = 5 };
    uint32_t *group = checked(malloc(sizeof *group * ROWS));
    unsigned char *stratum = checked(malloc(ROWS)), *fold = checked(malloc(ROWS));
    double best[2] = {INFINITY, INFINITY};
    struct rng rng;
    rng_init(&rng, 6, 0);
    for (size_t i = 0; i < ROWS; i++) {
        group[i] = rng_below(&rng, MILLION);
        stratum[i] = group[i] % 10 == 0;
    }
    const struct row_groups groups = {MILLION, group};
    for (int i = 0; i < 2 * REPEATS; i++) {
        dedpul_error error;
        struct arena arena;
        arena_init(&arena, NULL);
        struct context context = context_of(&arena, NULL, &error);
        const double start = now();
        if (i % 2 == 0)
            check(folds_deal(&context, ROWS, stratum, FOLDS, 1, fold), &error);
        else
            check(group_folds_deal(&context, ROWS, stratum, &groups, FOLDS, 1, fold), &error);
        best[i % 2] = fmin(best[i % 2], now() - start);
        arena_free(&arena);
    }
    printf("5 folds of 1e7 rows, one core: %.3g s\n", best[0]);
    report("5 folds of 1e7 rows in 1e6 groups, one core", best[1], "s", "<=", 1);
    free(group);
    free(stratum);
    free(fold);
}

int main(int argc, char **argv)
{
    bench_estimate();
    bench_learned();
    bench_interval();
    bench_csv();
    bench_tice();
    bench_group_folds();
    if (argc > 1)
        bench_kde(argv[1]);
    return all_limits_met() ? 0 : 1;
}
