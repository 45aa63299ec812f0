/*
 * Compares the default classifier with its peers on tables like those of UCI: CPU seconds of the fit and of
 * scores of new rows, and the quality of the scores beside them. All work on the same arrays in memory, on
 * one thread, in the same run:
 *
 * - default: dedpul_fit and dedpul_model_predict with the default classifier. The fit encodes the columns,
 *   trains the whole ensemble, and estimates alpha and posteriors; a new row gets a score and a posterior.
 * - gbdt: the same with boosted trees alone.
 * - MLPClassifier, HistGradientBoostingClassifier: scikit-learn's, cross-fitted once by 5 folds; nothing is
 *   estimated from the scores. A new row gets the mean of the 5 models' scores. See sklearn_crossfit.py.
 *
 * A row of the table is scored only by models that have not learned from it. (Ours choose one number of
 * epochs by the loss of these scores; MLPClassifier stops by the accuracy on 10% of its rows, held back;
 * HistGradientBoostingClassifier always makes 100 trees.) Ratios have no limits, but the default fit has one.
 * Exits with 1 if it is missed.
 *
 * bench_peers SKLEARN_SCRIPT
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 5000, LABELED = 1000, NEW_ROWS = 50000, ALL_ROWS = ROWS + NEW_ROWS };
enum { PROBLEMS = 5, SKLEARN = 2 /* classifiers of scikit-learn */ };
static const double share = 0.3; /* of positives among unlabeled and new rows: the true alpha */

/* ---- problems ---- */

enum { FACTORS = 6, CLUSTERS = 3, MOST_COLUMNS = 50 };

/* Positives and negatives are mixtures of clusters of a few hidden factors, which the columns share. */
struct source {
    double center[2][CLUSTERS][FACTORS];
    double loading[MOST_COLUMNS][FACTORS];
};

struct problem {
    size_t width;
    float *x;                         /* (ALL_ROWS, width) */
    unsigned char positive[ALL_ROWS]; /* the truth */
    unsigned char label[ROWS];        /* labeled rows come first, then the unlabeled ones, then new ones */
};

static struct source draw_source(struct rng *rng)
{
    static const double distance = 1.3;
    struct source source;
    for (int c = 0; c < 2 * CLUSTERS; c++)
        for (int k = 0; k < FACTORS; k++)
            source.center[c / CLUSTERS][c % CLUSTERS][k] = distance * rng_normal(rng);
    for (int j = 0; j < MOST_COLUMNS; j++)
        for (int k = 0; k < FACTORS; k++)
            source.loading[j][k] = rng_normal(rng) / sqrt(FACTORS);
    return source;
}

/* A quarter of the columns are skewed, a quarter are rounded, and a quarter are noise. */
static void draw_row(const struct source *source, bool positive, struct rng *rng, size_t width, float *x)
{
    const double *const center = source->center[positive][rng_below(rng, CLUSTERS)];
    double factor[FACTORS];
    for (int k = 0; k < FACTORS; k++)
        factor[k] = center[k] + rng_normal(rng);
    for (size_t j = 0; j < width; j++) {
        double value = rng_normal(rng);
        for (int k = 0; j % 4 != 3 && k < FACTORS; k++)
            value += source->loading[j][k] * factor[k];
        x[j] = (float)(j % 4 == 1 ? exp(value / 2) : j % 4 == 2 ? round(2 * value) : value);
    }
}

static struct problem *draw_problem(uint64_t seed, size_t width)
{
    struct problem *const problem = checked(malloc(sizeof *problem));
    struct rng rng;
    rng_init(&rng, seed, 0);
    const struct source source = draw_source(&rng);
    problem->width = width;
    problem->x = checked(malloc(ALL_ROWS * width * sizeof *problem->x));
    for (size_t i = 0; i < ALL_ROWS; i++) {
        problem->positive[i] = i < LABELED || rng_uniform(&rng) < share;
        draw_row(&source, problem->positive[i], &rng, width, problem->x + i * width);
    }
    for (size_t i = 0; i < ROWS; i++)
        problem->label[i] = i < LABELED;
    return problem;
}

static void free_problem(struct problem *problem)
{
    free(problem->x);
    free(problem);
}

/* ---- contestants ---- */

struct contestant {
    const char *name;
    double fit[PROBLEMS], predict[PROBLEMS]; /* CPU seconds */
    double auc;                              /* of labeled against unlabeled rows; mean over problems */
    double error;                            /* of alpha from these scores; mean over problems */
    double new_auc;                          /* of positive against negative new rows; mean over problems */
};

static dedpul_result *estimate(size_t n, const double *score, const unsigned char *label)
{
    dedpul_result *result;
    dedpul_error error;
    check(dedpul_estimate(&(dedpul_sample){n, score, NULL}, label, NULL, &result, &error), &error);
    return result;
}

static void judge(const struct problem *problem, const double *score /* (ALL_ROWS) */,
                  struct contestant *contestant)
{
    dedpul_result *table = estimate(ROWS, score, problem->label);
    dedpul_result *new = estimate(NEW_ROWS, score + ROWS, problem->positive + ROWS);
    contestant->auc += table->auc / PROBLEMS;
    contestant->error += fabs(table->alpha - share) / PROBLEMS;
    contestant->new_auc += new->auc / PROBLEMS;
    dedpul_result_free(new);
    dedpul_result_free(table);
}

/* User and system time of all threads. */
static double cpu_seconds(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* classifier: NULL for the default */
static void run_ours(const char *classifier, const struct problem *problem, int at, struct contestant *ours)
{
    const dedpul_matrix rows = {ROWS, problem->width, NULL, problem->x};
    const dedpul_matrix new_rows = {NEW_ROWS, problem->width, NULL, problem->x + ROWS * problem->width};
    double *const score = checked(malloc(ALL_ROWS * sizeof *score));
    double *const posterior = checked(malloc(NEW_ROWS * sizeof *posterior));
    dedpul_options options;
    dedpul_predict_options predict_options;
    dedpul_table *table;
    dedpul_model *model;
    dedpul_result *result;
    dedpul_error error;
    dedpul_options_init(&options);
    dedpul_predict_options_init(&predict_options);
    options.classifier = classifier;
    options.threads = predict_options.threads = 1;
    check(dedpul_table_from_matrix(&rows, problem->label, NULL, NULL, &table, &error), &error);
    const double begin = cpu_seconds();
    check(dedpul_fit(table, &options, &model, &result, score, &error), &error);
    const double fitted = cpu_seconds();
    check(dedpul_model_predict(model, &new_rows, &predict_options, score + ROWS, posterior, NULL, &error),
          &error);
    ours->predict[at] = cpu_seconds() - fitted;
    ours->fit[at] = fitted - begin;
    judge(problem, score, ours);
    dedpul_result_free(result);
    dedpul_model_free(model);
    dedpul_table_free(table);
    free(posterior);
    free(score);
}

static void check_file(bool done, const char *path)
{
    if (!done) {
        (void)fprintf(stderr, "%s: cannot be written or read\n", path);
        exit(1);
    }
}

/* Reads the scores of all rows and removes the file. */
static double *take_scores(const char *path)
{
    double *const score = checked(malloc(ALL_ROWS * sizeof *score));
    FILE *const file = fopen(path, "rb");
    check_file(file != NULL && fread(score, sizeof *score, ALL_ROWS, file) == ALL_ROWS, path);
    (void)fclose(file);
    (void)unlink(path);
    return score;
}

/* Gives the rows to the script in a temporary file; it leaves its scores in others beside it. */
static bool run_sklearn(const char *script, const struct problem *problem, int at,
                        struct contestant *peer /* (SKLEARN) */)
{
    char path[] = "/tmp/dedpul-bench-XXXXXX", arguments[128];
    double seconds[SKLEARN][2];
    const size_t n = ALL_ROWS * problem->width;
    FILE *const rows = fdopen(mkstemp(path), "wb");
    check_file(rows != NULL && fwrite(problem->x, sizeof *problem->x, n, rows) == n && fclose(rows) == 0,
               path);
    (void)snprintf(arguments, sizeof arguments, "%s %d %d %zu", path, ROWS, LABELED, problem->width);
    const bool has_run =
        time_python("scikit-learn", script, arguments, sizeof seconds / sizeof **seconds, *seconds);
    (void)unlink(path);
    for (int i = 0; has_run && i < SKLEARN; i++) {
        char scores[sizeof path + 8];
        (void)snprintf(scores, sizeof scores, "%s.%d", path, i);
        double *const score = take_scores(scores);
        peer[i].fit[at] = seconds[i][0];
        peer[i].predict[at] = seconds[i][1];
        judge(problem, score, &peer[i]);
        free(score);
    }
    return has_run;
}

/* ---- the comparison ---- */

/* Problems differ, and times are noisy, so the median of the quotients counts. */
static double median_quotient(const double *ours, const double *theirs)
{
    double quotient[PROBLEMS];
    for (int i = 0; i < PROBLEMS; i++)
        quotient[i] = ours[i] / theirs[i];
    return median(PROBLEMS, quotient);
}

static double median_of(const double *seconds)
{
    double copy[PROBLEMS];
    memcpy(copy, seconds, sizeof copy);
    return median(PROBLEMS, copy);
}

static void print_contestants(size_t n, const struct contestant *contestant)
{
    const struct contestant *const ours = contestant; /* the first */
    printf("%-32s %8s %10s %10s %10s %7s %12s %8s\n", "", "fit, s", "default/it", "predict, s", "default/it",
           "AUC", "|alpha err|", "AUC, new");
    for (; n-- > 0; contestant++)
        printf("%-32s %8.3g %10.3g %10.3g %10.3g %7.4f %12.4f %8.4f\n", contestant->name,
               median_of(contestant->fit), median_quotient(ours->fit, contestant->fit),
               median_of(contestant->predict), median_quotient(ours->predict, contestant->predict),
               contestant->auc, contestant->error, contestant->new_auc);
}

/* Returns the CPU seconds of the default fit. */
static double compare_on(size_t width, const char *script)
{
    struct contestant contestant[] = {
        {.name = "default"},
        {.name = "gbdt"},
        {.name = "MLPClassifier"},
        {.name = "HistGradientBoostingClassifier"},
    };
    bool has_sklearn = true;
    for (int at = 0; at < PROBLEMS; at++) {
        struct problem *const problem = draw_problem((uint64_t)at, width);
        run_ours(NULL, problem, at, &contestant[0]);
        run_ours("gbdt", problem, at, &contestant[1]);
        has_sklearn = has_sklearn && run_sklearn(script, problem, at, &contestant[2]);
        free_problem(problem);
    }
    printf("%d rows x %zu columns, %d labeled; %d new rows; CPU seconds on one thread; %d problems\n", ROWS,
           width, LABELED, NEW_ROWS, PROBLEMS);
    if (!has_sklearn)
        printf("scikit-learn: not installed (python3-sklearn)\n");
    print_contestants(has_sklearn ? 2 + SKLEARN : 2, contestant);
    return median_of(contestant[0].fit);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "Usage: %s SKLEARN_SCRIPT\n", argv[0]);
        return 2;
    }
    report("default fit on 5000 rows x 20 columns", compare_on(20, argv[1]), "CPU s", "<=", 3);
    (void)compare_on(MOST_COLUMNS, argv[1]);
    return all_limits_met() ? 0 : 1;
}
