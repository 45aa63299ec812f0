/* All runs of an experiment, over threads; what is done stays done. */
#include "choice.h"
#include "clock.h"
#include "output_file.h"
#include "parallel.h"
#include "run.h"

#include <errno.h>
#include <fcntl.h>
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
    struct run *run;         /* (n_runs) that are not done, by sets */
    struct dataset *dataset; /* of the set whose runs are under way */

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

/* Adds rows in one piece. */
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

/* The same rows in the order of the protocol, whatever the order in which the runs finished. */
static dedpul_status put_in_order(const struct runner *runner, dedpul_error *error)
{
    struct output_file file = OUTPUT_FILE_NONE;
    struct results results;
    size_t whole;
    TRY(results_read(runner->path, &results, &whole, error));
    results_sort(&results);
    dedpul_status status = output_file_open(&file, runner->path, error);
    if (status == DEDPUL_OK) {
        results_print_header(file.stream);
        for (size_t i = 0; i < results.n; i++)
            results_print(file.stream, &results.row[i]);
        status = output_file_close(&file, error);
    }
    if (status == DEDPUL_OK)
        status = output_file_commit(&file, error);
    if (status != DEDPUL_OK)
        output_file_discard(&file);
    results_free(&results);
    return status;
}

/* ---- what is to be done ---- */

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

/* Repeats outermost within a set, so that what a stopped experiment leaves covers all shares. */
static dedpul_status list_runs(struct runner *runner, dedpul_error *error)
{
    const struct experiment *experiment = runner->experiment;
    const struct set *set;
    runner->run = malloc((size_t)MOST_SETS * MOST_ALPHAS * (experiment->repeats + 1) * sizeof *runner->run);
    if (runner->run == NULL)
        return error_set(error, DEDPUL_NO_MEMORY, "out of memory");
    for (unsigned i = 0; (set = set_at(i)) != NULL; i++)
        for (unsigned repeat = 0; runner->choice.set[i] && repeat < experiment->repeats; repeat++)
            for (unsigned k = 0; k < set->n_samples; k++) {
                struct run run = {
                    .experiment = experiment, .set = set, .size = &set->sample[k], .repeat = repeat};
                if (!runner->choice.alpha[i][k])
                    continue;
                run.wanted = missing_variants(runner, &run);
                runner->end->skipped += run.wanted == 0;
                if (run.wanted == 0)
                    continue;
                runner->run[runner->n_runs++] = run;
                runner->work += work_of(&run);
            }
    runner->standing.runs = runner->n_runs;
    return DEDPUL_OK;
}

/* ---- doing it ---- */

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

/* While classifiers are trained; the runs' own progress is not shown. */
static int tell_progress(void *context, const dedpul_progress *progress)
{
    struct runner *runner = context;
    (void)progress;
    (void)pthread_mutex_lock(&runner->lock);
    const int stop = tell(runner);
    (void)pthread_mutex_unlock(&runner->lock);
    return stop;
}

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
    struct drawing drawing;
    struct context context;
    dedpul_error failure;
    size_t n;
    context_init(&context, NULL, thread->error);
    context.threads = run->threads;
    context.seed = run->repeat;
    dedpul_status status = run_draw(&context, run, runner->dataset, &drawing);
    if (status == DEDPUL_OK)
        status = run_methods(&context, run, &drawing, row, &n, &failure);
    context_free(&context);
    TRY(status);
    (void)pthread_mutex_lock(&runner->lock);
    status = finish_run(runner, run, n, row, &failure, thread->error);
    (void)pthread_mutex_unlock(&runner->lock);
    return status;
}

/* The runs of one set, each on one thread; on several where there are more threads than runs. */
static dedpul_status run_set(struct runner *runner, size_t first, size_t n, dedpul_error *error)
{
    const struct experiment *experiment = runner->experiment;
    const struct set *set = runner->run[first].set;
    const unsigned threads = threads_or_default(experiment->threads);
    struct run *const all = runner->run;
    struct context context;
    context_init(&context, NULL, error);
    context.threads = n < threads ? (unsigned)n : threads;
    for (size_t i = first; i < first + n; i++) {
        all[i].threads = threads / context.threads;
        all[i].progress = tell_progress;
        all[i].progress_context = runner;
    }
    runner->standing.set = set->name;
    dedpul_status status = DEDPUL_OK;
    if (set->kind == KIND_DATASETS)
        status = dataset_open(set, experiment->data, is_as_published(experiment), &runner->dataset, error);
    if (status == DEDPUL_OK) {
        runner->run += first;
        status = parallel_for(&context, n, do_run, runner);
        runner->run = all;
    }
    dataset_free(runner->dataset);
    runner->dataset = NULL;
    context_free(&context);
    return status;
}

static dedpul_status run_all_sets(struct runner *runner, dedpul_error *error)
{
    const struct set *set;
    TRY(choice_read(runner->experiment, &runner->choice, error));
    for (unsigned i = 0; (set = set_at(i)) != NULL; i++)
        if (runner->choice.set[i] && set->kind == KIND_DATASETS)
            TRY(dataset_check(set, runner->experiment->data, error));
    TRY(open_results(runner, error));
    TRY(list_runs(runner, error));
    runner->began = clock_seconds();
    for (size_t first = 0, n; first < runner->n_runs; first += n) {
        for (n = 1; first + n < runner->n_runs && runner->run[first + n].set == runner->run[first].set;)
            n++;
        TRY(run_set(runner, first, n, error));
    }
    return runner->n_runs > 0 ? put_in_order(runner, error) : DEDPUL_OK;
}

dedpul_status experiment_run(const struct experiment *experiment, struct experiment_end *end,
                             dedpul_error *error)
{
    struct runner runner = {
        .experiment = experiment, .file = -1, .lock = PTHREAD_MUTEX_INITIALIZER, .end = end};
    *end = (struct experiment_end){0, 0, 0, ""};
    const dedpul_status status = run_all_sets(&runner, error);
    free(runner.run);
    results_free(&runner.before);
    if (runner.file >= 0)
        (void)close(runner.file);
    (void)pthread_mutex_destroy(&runner.lock);
    return status;
}
