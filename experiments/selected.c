#include "selected.h"

#include "clock.h"
#include "fit_kinds.h"
#include "parallel.h"
#include "resolve.h"
#include "selected_draw.h"
#include "selected_results.h"
#include "train.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The methods that estimate alpha, without and with the kinds. */
static const char *const methods[] = {"dedpul", "pooled"};

enum { N_METHODS = sizeof methods / sizeof methods[0], MOST_SELECTED_SETS = 8 };

struct cell {
    size_t set, share, strength;
    unsigned repeat;
};

struct runner {
    const struct selected *selected;
    struct selected_data *data[MOST_SELECTED_SETS];
    size_t n_cells;
    struct cell *cell; /* (n_cells) that are not done yet */
    char path[PATH_MAX];

    pthread_mutex_t lock; /* guards what follows */
    FILE *file;
    size_t done;
    double began;
    bool is_stopped;
};

/* ---- one run ---- */

/* A sample on the way to its rows. */
struct run {
    const struct runner *runner;
    const struct cell *cell;
    struct selected_draw draw;
    struct model model;
    struct fit_rows rows;
    struct fitted_kinds kinds;
    struct selected_row row[N_METHODS];
};

static dedpul_status resolve(const struct cell *cell, const char *method, struct resolved *resolved,
                             dedpul_error *error)
{
    dedpul_options options;
    dedpul_options_init(&options);
    options.method = method;
    options.seed = cell->repeat;
    options.threads = 1;
    TRY(options_resolve(&options, resolved, error));
    resolved->plan.estimate.interval = INTERVAL_BY_METHOD;
    resolved->plan.estimate.resamples = 0;
    if (resolved->plan.estimate.method->distribution == NULL)
        resolved->plan.estimate.interval = INTERVAL_NONE;
    return DEDPUL_OK;
}

/* The mean error of the shares of the kinds, and how many of their intervals hold the truth. */
static void judge_kinds(const struct run *run, const struct kind_estimates *answer, struct selected_row *row)
{
    const struct table *table = run->rows.table;
    double truth[MOST_KINDS] = {0};
    bool is_counted[MOST_CLASSES] = {false};
    for (size_t i = 0; i < table->n_rows; i++)
        if (table->label[i] == 1 && !is_counted[table->kind[i]]) {
            is_counted[table->kind[i]] = true;
            truth[run->kinds.kinds.of_row[i]] +=
                (double)run->draw.unlabeled[table->kind[i]] / (double)run->draw.n_unlabeled;
        }
    row->kind_error = row->kinds_held = 0;
    for (size_t k = 0; k < answer->n; k++) {
        const struct kind_estimate *kind = &answer->kind[k];
        row->kind_error += fabs(kind->share - truth[k]) / (double)answer->n;
        row->kinds_held += (truth[k] >= kind->low && truth[k] <= kind->high) / (double)answer->n;
    }
}

/* Estimates alpha by one method: before kinds are known, or after, when the rows are corrected for them. */
static dedpul_status estimate_by(struct context *context, struct run *run, size_t method, bool has_kinds)
{
    struct selected_row *row = &run->row[method];
    struct resolved resolved;
    struct arena memory;
    struct estimate estimate;
    struct kind_estimates answer;
    TRY(resolve(run->cell, methods[method], &resolved, context->error));
    arena_init(&memory, NULL);
    dedpul_status status =
        fit_rows_estimate(context, &run->rows, &resolved.plan, &memory, &estimate, NULL, NULL);
    if (status == DEDPUL_OK && has_kinds)
        status = fit_kinds_answer(context, &run->rows, &run->model, &run->kinds, &memory, &estimate, &answer);
    if (status == DEDPUL_OK && has_kinds) {
        row->kinds = estimate.solution.proportion.alpha;
        row->low = estimate.interval.low;
        row->high = estimate.interval.high;
        judge_kinds(run, &answer, row);
    } else if (status == DEDPUL_OK) {
        row->plain = estimate.solution.proportion.alpha;
    }
    arena_free(&memory);
    return status;
}

static void describe(struct run *run)
{
    const struct selected_set *set = selected_set_at(run->cell->set);
    size_t positive = 0;
    for (size_t k = 0; k < set->n_kinds; k++)
        positive += run->draw.unlabeled[k];
    for (size_t m = 0; m < N_METHODS; m++) {
        struct selected_row *row = &run->row[m];
        *row = (struct selected_row){.strength = set->strength[run->cell->strength],
                                     .repeat = run->cell->repeat,
                                     .alpha = set->share[run->cell->share],
                                     .target = (double)positive / (double)run->draw.n_unlabeled};
        (void)snprintf(row->set, sizeof row->set, "%s", set->name);
        (void)snprintf(row->method, sizeof row->method, "%s", methods[m]);
    }
}

static dedpul_status draw_and_fit(struct context *context, struct run *run, const struct fit_plan *plan)
{
    const struct cell *cell = run->cell;
    const struct selected_set *set = selected_set_at(cell->set);
    struct rng rng;
    double began = clock_thread_seconds();
    rng_init(&rng, cell->repeat,
             rng_stream(STREAM_EXPERIMENT,
                        100000 + (cell->set * MOST_SHARES + cell->share) * MOST_STRENGTHS + cell->strength));
    TRY(selected_draw_rows(context, run->runner->data[cell->set], set->share[cell->share],
                           set->strength[cell->strength], cell->repeat, &rng, &run->draw));
    describe(run);
    TRY(fit_rows_encode(context, &run->draw.table, 0, plan, &run->model, &run->rows));
    TRY(fit_rows_score(context, plan, &run->model, &run->rows));
    for (size_t m = 0; m < N_METHODS; m++) {
        run->row[m].seconds = clock_thread_seconds() - began;
        TRY(estimate_by(context, run, m, false));
    }
    began = clock_thread_seconds();
    TRY(kinds_read(context, run->rows.table, &run->kinds.kinds));
    TRY(fit_kinds_train(context, plan, &run->model.ntc, &run->rows, &run->model.memory, &run->model.kinds,
                        &run->kinds));
    TRY(fit_kinds_share(context, &run->rows, &run->kinds));
    TRY(fit_kinds_correct(context, &run->model.kinds, &run->rows, &run->kinds));
    for (size_t m = 0; m < N_METHODS; m++) {
        run->row[m].kind_seconds = clock_thread_seconds() - began;
        TRY(estimate_by(context, run, m, true));
    }
    return DEDPUL_OK;
}

/* Tells how far the runs have come; the runs end if the listener says so. */
static int tell(struct runner *runner)
{
    const struct selected *selected = runner->selected;
    const double elapsed = clock_seconds() - runner->began, left = (double)(runner->n_cells - runner->done);
    const struct standing standing = {runner->done, runner->n_cells,
                                      runner->done > 0 ? elapsed / (double)runner->done * left : NAN};
    if (selected->tell != NULL && selected->tell(selected->tell_context, &standing) != 0)
        runner->is_stopped = true;
    return runner->is_stopped;
}

/* Called while classifiers are trained. */
static int tell_progress(void *context, const dedpul_progress *progress)
{
    struct runner *runner = context;
    (void)progress;
    (void)pthread_mutex_lock(&runner->lock);
    const int stop = tell(runner);
    (void)pthread_mutex_unlock(&runner->lock);
    return stop;
}

/* Writes the rows at once, and tells how far the runs have come. */
static dedpul_status hand_in(struct runner *runner, const struct run *run, dedpul_error *error)
{
    (void)pthread_mutex_lock(&runner->lock);
    for (size_t m = 0; m < N_METHODS; m++)
        selected_row_print(runner->file, &run->row[m]);
    const bool is_written = fflush(runner->file) == 0;
    runner->done++;
    (void)tell(runner);
    (void)pthread_mutex_unlock(&runner->lock);
    return is_written ? DEDPUL_OK
                      : error_set(error, DEDPUL_IO, "cannot write %s: %s", runner->path, strerror(errno));
}

static dedpul_status run_cell(struct context *parent, void *argument, size_t index)
{
    struct runner *runner = argument;
    struct run run = {.runner = runner, .cell = &runner->cell[index]};
    struct resolved resolved;
    struct call call;
    TRY(resolve(run.cell, methods[0], &resolved, parent->error));
    model_init(&run.model, NULL);
    resolved.options.progress = tell_progress;
    resolved.options.progress_context = runner;
    call_begin(&call, &resolved.options, parent->error);
    dedpul_status status = draw_and_fit(&call.context, &run, &resolved.plan);
    model_close(&run.model);
    call_end(&call);
    return status == DEDPUL_OK ? hand_in(runner, &run, parent->error) : status;
}

/* ---- all runs ---- */

/* Tells whether the set is in the list of names. */
static bool is_wanted(const char *list, const char *name)
{
    const size_t length = strlen(name);
    if (strcmp(list, "all") == 0)
        return true;
    for (const char *at = list; at != NULL; at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

static bool is_done(const struct selected_rows *before, const struct selected_set *set,
                    const struct cell *cell)
{
    for (size_t i = 0; i < before->n; i++) {
        const struct selected_row *row = &before->row[i];
        if (strcmp(row->set, set->name) == 0 && row->alpha == set->share[cell->share] &&
            row->strength == set->strength[cell->strength] && row->repeat == cell->repeat)
            return true;
    }
    return false;
}

static dedpul_status list_cells(struct runner *runner, const struct selected_rows *before,
                                struct experiment_end *end, dedpul_error *error)
{
    const struct selected_set *set;
    size_t n_wanted = 0;
    for (size_t s = 0; (set = selected_set_at(s)) != NULL; s++) {
        const size_t before_set = runner->n_cells;
        if (!is_wanted(runner->selected->sets, set->name))
            continue;
        n_wanted++;
        const size_t most = runner->n_cells + set->n_shares * set->n_strengths * runner->selected->repeats;
        struct cell *grown = realloc(runner->cell, most * sizeof *grown);
        if (grown == NULL)
            return error_set(error, DEDPUL_NO_MEMORY, "out of memory");
        runner->cell = grown;
        for (unsigned repeat = 0; repeat < runner->selected->repeats; repeat++)
            for (size_t i = 0; i < set->n_shares * set->n_strengths; i++) {
                const struct cell cell = {s, i / set->n_strengths, i % set->n_strengths, repeat};
                if (is_done(before, set, &cell))
                    end->skipped++;
                else
                    runner->cell[runner->n_cells++] = cell;
            }
        if (runner->n_cells > before_set)
            TRY(selected_data_open(set, runner->selected->data, &runner->data[s], error));
    }
    return n_wanted > 0 ? DEDPUL_OK
                        : error_set(error, DEDPUL_INVALID_ARGUMENT,
                                    "sets: '%s' names none of landsat, pageblock, mnist and shuttle",
                                    runner->selected->sets);
}

static dedpul_status open_file(struct runner *runner, struct selected_rows *before, dedpul_error *error)
{
    const char *directory = runner->selected->directory;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return error_set(error, DEDPUL_IO, "cannot make the directory %s: %s", directory, strerror(errno));
    (void)snprintf(runner->path, sizeof runner->path, "%s/selected.csv", directory);
    TRY(selected_rows_read(runner->path, before, error));
    runner->file = fopen(runner->path, "ae");
    if (runner->file == NULL)
        return error_set(error, DEDPUL_IO, "cannot write %s: %s", runner->path, strerror(errno));
    if (fseek(runner->file, 0, SEEK_END) == 0 && ftell(runner->file) == 0)
        selected_header_print(runner->file);
    return DEDPUL_OK;
}

static dedpul_status run_cells(struct runner *runner, dedpul_error *error)
{
    struct arena arena;
    arena_init(&arena, NULL);
    struct context context = context_of(&arena, NULL, error);
    context.threads = threads_or_default(runner->selected->threads);
    runner->began = clock_seconds();
    const dedpul_status status = parallel_for(&context, runner->n_cells, run_cell, runner);
    arena_free(&arena);
    return status;
}

dedpul_status selected_run(const struct selected *selected, struct experiment_end *end, dedpul_error *error)
{
    struct runner runner = {.selected = selected, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct selected_rows before = {.n = 0};
    *end = (struct experiment_end){.done = 0};
    dedpul_status status = open_file(&runner, &before, error);
    if (status == DEDPUL_OK)
        status = list_cells(&runner, &before, end, error);
    if (status == DEDPUL_OK)
        status = run_cells(&runner, error);
    if (runner.file != NULL && fclose(runner.file) != 0 && status == DEDPUL_OK)
        status = error_set(error, DEDPUL_IO, "cannot write %s: %s", runner.path, strerror(errno));
    end->done = runner.done;
    for (size_t s = 0; s < MOST_SELECTED_SETS; s++)
        selected_data_free(runner.data[s]);
    free(before.row);
    free(runner.cell);
    return status;
}

/* ---- the report ---- */

/* What a table has in a line: means over rows of one method. */
struct line {
    size_t n, n_intervals;
    double plain, kinds, kind_error, held, kinds_held;
};

static struct line gather(const struct selected_rows *rows, const char *method, const char *set,
                          bool (*fits)(unsigned strength, unsigned wanted), unsigned wanted)
{
    struct line line = {.n = 0};
    for (size_t i = 0; i < rows->n; i++) {
        const struct selected_row *row = &rows->row[i];
        if (strcmp(row->method, method) != 0 || (set != NULL && strcmp(row->set, set) != 0) ||
            !fits(row->strength, wanted))
            continue;
        line.n++;
        line.plain += fabs(row->plain - row->target);
        line.kinds += fabs(row->kinds - row->target);
        line.kind_error += row->kind_error;
        line.kinds_held += row->kinds_held;
        line.n_intervals += isnan(row->low) ? 0 : 1;
        line.held += row->target >= row->low && row->target <= row->high;
    }
    return line;
}

static bool is_equal(unsigned strength, unsigned wanted)
{
    return strength == wanted;
}

/* wanted: whether labels are selected. */
static bool is_selected(unsigned strength, unsigned wanted)
{
    return (strength != 1) == (wanted != 0);
}

static void print_line(FILE *stream, const char *set, const char *selection, const char *method,
                       const struct line *line)
{
    const double n = (double)line->n;
    if (line->n == 0)
        return;
    (void)fprintf(stream, "| %s | %s | %s | %zu | %.4f | %.4f | %.4f | ", set, selection, method, line->n,
                  line->plain / n, line->kinds / n, line->kind_error / n);
    if (line->n_intervals > 0)
        (void)fprintf(stream, "%.0f%%", 100 * line->held / (double)line->n_intervals);
    (void)fprintf(stream, " | %.0f%% |\n", 100 * line->kinds_held / n);
}

static void print_tables(FILE *stream, const struct selected_rows *rows)
{
    const struct selected_set *set;
    char selection[32];
    (void)fputs(
        "| set | selection | method | runs | plain | kinds known | by kind | alpha held | kinds held |\n"
        "|---|---|---|--:|--:|--:|--:|--:|--:|\n",
        stream);
    for (size_t s = 0; (set = selected_set_at(s)) != NULL; s++)
        for (size_t k = 0; k < set->n_strengths; k++)
            for (size_t m = 0; m < N_METHODS; m++) {
                const struct line line = gather(rows, methods[m], set->name, is_equal, set->strength[k]);
                (void)snprintf(selection, sizeof selection, "%u:1", set->strength[k]);
                print_line(stream, set->name,
                           set->strength[k] == AS_PUBLISHED ? "published"
                           : set->strength[k] == 1          ? "none"
                                                            : selection,
                           methods[m], &line);
            }
    for (unsigned selected = 0; selected < 2; selected++)
        for (size_t m = 0; m < N_METHODS; m++) {
            const struct line line = gather(rows, methods[m], NULL, is_selected, selected);
            print_line(stream, "all", selected ? "any" : "none", methods[m], &line);
        }
    (void)fputs("\nPublished for shuttle, mean |error|: DEDPUL 0.036, KM1 0.059, KM2 0.045, TIcE 0.043, "
                "PULSCAR 0.037, "
                "PULSNAR 0.016.\n",
                stream);
}

dedpul_status selected_report(const char *directory, FILE *stream, dedpul_error *error)
{
    char path[PATH_MAX];
    struct selected_rows rows;
    (void)snprintf(path, sizeof path, "%s/selected.csv", directory);
    const dedpul_status status = selected_rows_read(path, &rows, error);
    if (status == DEDPUL_OK)
        print_tables(stream, &rows);
    free(rows.row);
    return status;
}
