/* Does all runs of an experiment, on several threads. Runs that are in the file already are not repeated. */
#include "choice.h"
#include "clock.h"
#include "parallel.h"
#include "report_file.h"
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct runner {
    const struct experiment *experiment;
    struct choice choice;
    char path[PATH_MAX];
    int file;              /* results.csv, open for adding and locked */
    struct results before; /* sorted */

    size_t n_runs;
    struct run *run; /* (n_runs) the runs that are not done yet */
    struct dataset *dataset[MOST_SETS];

    pthread_mutex_t lock; /* guards what follows, and the file */
    struct standing standing;
    double began, work_done, work; /* in rows */
    struct experiment_end *end;
};

/* ---- the file ---- */

static dedpul_status cannot_write(const struct runner *runner, dedpul_error *error)
{
    return error_set(error, DEDPUL_IO, "cannot write %s: %s", runner->path, strerror(errno));
}

/* Opens results.csv for adding and reads it; half a line at its end is cut off. */
static dedpul_status open_results(struct runner *runner, dedpul_error *error)
{
    const char *directory = runner->experiment->directory;
    size_t whole;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return error_set(error, DEDPUL_IO, "cannot make the directory %s: %s", directory, strerror(errno));
    (void)snprintf(runner->path, sizeof runner->path, "%s/results.csv", directory);
    runner->file = open(runner->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (runner->file < 0)
        return cannot_write(runner, error);
    if (flock(runner->file, LOCK_EX | LOCK_NB) != 0)
        return error_set(error, DEDPUL_IO, "another 'dedpul bench' is writing %s", runner->path);
    TRY(results_read(runner->path, &runner->before, &whole, error));
    results_sort(&runner->before);
    if (ftruncate(runner->file, (off_t)whole) != 0)
        return cannot_write(runner, error);
    return DEDPUL_OK;
}

/* Adds rows with a single write. */
static dedpul_status add_rows(const struct runner *runner, size_t n, const struct outcome *row,
                              dedpul_error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL)
        return error_set(error, DEDPUL_NO_MEMORY, "out of memory");
    if (lseek(runner->file, 0, SEEK_END) == 0)
        results_print_header(stream);
    for (size_t i = 0; i < n; i++)
        results_print(stream, &row[i]);
    dedpul_status status = DEDPUL_OK;
    if (fclose(stream) != 0)
        status = error_set(error, DEDPUL_NO_MEMORY, "out of memory");
    else if (write(runner->file, text, length) != (ssize_t)length)
        status = cannot_write(runner, error);
    free(text);
    return status;
}

static void print_rows(FILE *stream, const void *what)
{
    const struct results *results = what;
    results_print_header(stream);
    for (size_t i = 0; i < results->n; i++)
        results_print(stream, &results->row[i]);
}

/* Sorts the file: rows come in the order of the protocol, whatever the order in which the runs finished. */
static dedpul_status put_in_order(const struct runner *runner, dedpul_error *error)
{
    struct results results;
    size_t whole;
    TRY(results_read(runner->path, &results, &whole, error));
    results_sort(&results);
    const dedpul_status status = report_file_write(runner->path, print_rows, &results, error);
    results_free(&results);
    return status;
}

/* ---- progress ---- */

static int tell(struct runner *runner)
{
    const double elapsed = clock_seconds() - runner->began;
    runner->standing.done = runner->end->done;
    runner->standing.seconds_left =
        runner->work_done > 0 ? elapsed / runner->work_done * (runner->work - runner->work_done) : NAN;
    return runner->experiment->tell != NULL
               ? runner->experiment->tell(runner->experiment->tell_context, &runner->standing)
               : 0;
}

/* Called while classifiers are trained. It reports the whole experiment, not the progress of a single run. */
static int tell_progress(void *context, const dedpul_progress *progress)
{
    struct runner *runner = context;
    (void)progress;
    (void)pthread_mutex_lock(&runner->lock);
    const int stop = tell(runner);
    (void)pthread_mutex_unlock(&runner->lock);
    return stop;
}

/* ---- which runs are missing ---- */

/* The methods of the run that have no row yet. */
static uint64_t missing_variants(const struct runner *runner, const struct run *run)
{
    const struct variant *variant;
    uint64_t missing = 0;
    for (unsigned k = 0; (variant = variant_at(k)) != NULL; k++) {
        struct outcome key;
        run_describe(run, variant, &key);
        if (runner->choice.variant[k] && results_find(&runner->before, &key) == NULL)
            missing |= (uint64_t)1 << k;
    }
    return missing;
}

static double work_of(const struct run *run)
{
    return (double)run->size->labeled + run->size->positive + run->size->negative;
}

/*
 * One repeat comes after the other, so that an experiment that is stopped leaves whole repeats. Within a
 * repeat, long runs come first.
 */
static int compare_runs(const void *left, const void *right)
{
    const struct run *a = left, *b = right;
    const double more_work = work_of(b) - work_of(a);
    return a->repeat != b->repeat ? (a->repeat < b->repeat ? -1 : 1)
           : more_work > 0        ? 1
           : more_work < 0        ? -1
                                  : 0;
}

static dedpul_status list_runs(struct runner *runner, dedpul_error *error)
{
    const struct experiment *experiment = runner->experiment;
    const struct set *set;
    runner->run = malloc((size_t)MOST_SETS * MOST_ALPHAS * experiment->repeats * sizeof *runner->run);
    if (runner->run == NULL)
        return error_set(error, DEDPUL_NO_MEMORY, "out of memory");
    for (unsigned i = 0; (set = set_at(i)) != NULL; i++)
        for (unsigned k = 0; runner->choice.set[i] && k < set->n_samples; k++)
            for (unsigned repeat = 0; runner->choice.alpha[i][k] && repeat < experiment->repeats; repeat++) {
                struct run run = {.experiment = experiment,
                                  .set = set,
                                  .place = i,
                                  .size = &set->sample[k],
                                  .repeat = repeat,
                                  .progress = tell_progress,
                                  .progress_context = runner};
                run.wanted = missing_variants(runner, &run);
                if (run.wanted == 0) {
                    runner->end->skipped++;
                    continue;
                }
                runner->run[runner->n_runs++] = run;
                runner->work += work_of(&run);
            }
    qsort(runner->run, runner->n_runs, sizeof *runner->run, compare_runs);
    runner->standing.runs = runner->n_runs;
    return DEDPUL_OK;
}

/* ---- runs ---- */

static dedpul_status finish_run(struct runner *runner, const struct run *run, size_t n,
                                const struct outcome *row, const dedpul_error *failure, dedpul_error *error)
{
    struct experiment_end *end = runner->end;
    const dedpul_status status = add_rows(runner, n, row, error);
    const size_t failed = (size_t)__builtin_popcountll(run->wanted) - n;
    end->done++;
    if (failed > 0 && end->failed == 0)
        (void)snprintf(end->failure, sizeof end->failure, "%s", failure->message);
    end->failed += failed;
    runner->work_done += work_of(run);
    if (status == DEDPUL_OK && tell(runner) != 0)
        return error_set(error, DEDPUL_CANCELLED, "stopped");
    return status;
}

static dedpul_status do_run(struct context *thread, void *argument, size_t index)
{
    struct runner *runner = argument;
    const struct run *run = &runner->run[index];
    struct outcome row[MOST_VARIANTS];
    dedpul_error failure;
    size_t n;
    TRY(run_do(run, runner->dataset[run->place], row, &n, &failure, thread->error));
    (void)pthread_mutex_lock(&runner->lock);
    const dedpul_status status = finish_run(runner, run, n, row, &failure, thread->error);
    (void)pthread_mutex_unlock(&runner->lock);
    return status;
}

/* Opens the data sets that runs need. */
static dedpul_status open_datasets(struct runner *runner, dedpul_error *error)
{
    const struct experiment *experiment = runner->experiment;
    for (size_t i = 0; i < runner->n_runs; i++) {
        const struct run *run = &runner->run[i];
        if (run->set->kind == KIND_DATASETS && runner->dataset[run->place] == NULL)
            TRY(dataset_open(run->set, experiment->data, is_as_published(experiment),
                             &runner->dataset[run->place], error));
    }
    return DEDPUL_OK;
}

static dedpul_status do_runs(struct runner *runner, dedpul_error *error)
{
    struct arena arena;
    arena_init(&arena, NULL);
    struct context context = context_of(&arena, NULL, error);
    context.threads = threads_or_default(runner->experiment->threads);
    runner->began = clock_seconds();
    const dedpul_status status = parallel_for(&context, runner->n_runs, do_run, runner);
    arena_free(&arena);
    return status;
}

/* Checks the options and that the data are there, before anything is written. */
static dedpul_status check_experiment(struct runner *runner, dedpul_error *error)
{
    const struct experiment *experiment = runner->experiment;
    const struct set *set;
    dedpul_options options;
    size_t length = strlen(kind_name(experiment->kind)) + strlen("/") + strlen(experiment->preset);
    dedpul_options_init(&options);
    TRY(dedpul_options_set(&options, "preset", experiment->preset, error));
    for (size_t i = 0; i < experiment->n_options; i++)
        length +=
            strlen("+") + strlen(experiment->option[i][0]) + strlen("=") + strlen(experiment->option[i][1]);
    if (length >= SETTING_SIZE)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the name of the setting, which has all options, is longer than %d characters",
                         SETTING_SIZE - 1);
    TRY(choice_read(experiment, &runner->choice, error));
    for (unsigned i = 0; (set = set_at(i)) != NULL; i++)
        if (runner->choice.set[i] && set->kind == KIND_DATASETS)
            TRY(dataset_check(set, experiment->data, error));
    return DEDPUL_OK;
}

static dedpul_status do_experiment(struct runner *runner, dedpul_error *error)
{
    TRY(check_experiment(runner, error));
    TRY(open_results(runner, error));
    TRY(list_runs(runner, error));
    if (runner->n_runs > 0) {
        TRY(open_datasets(runner, error));
        TRY(do_runs(runner, error));
    }
    return put_in_order(runner, error);
}

dedpul_status experiment_run(const struct experiment *experiment, struct experiment_end *end,
                             dedpul_error *error)
{
    struct runner runner = {
        .experiment = experiment, .file = -1, .lock = PTHREAD_MUTEX_INITIALIZER, .end = end};
    *end = (struct experiment_end){0, 0, 0, ""};
    const dedpul_status status = do_experiment(&runner, error);
    for (size_t i = 0; i < MOST_SETS; i++)
        dataset_free(runner.dataset[i]);
    free(runner.run);
    results_free(&runner.before);
    if (runner.file >= 0)
        (void)close(runner.file);
    (void)pthread_mutex_destroy(&runner.lock);
    return status;
}
