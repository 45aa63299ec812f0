#include "selected.h"

#include "clock.h"
#include "parallel.h"
#include "selected_run.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_SELECTED_SETS = 8 };

struct runner {
    const struct selected *selected;
    struct selected_data *data[MOST_SELECTED_SETS];
    size_t n_cells;
    struct selected_cell *cell; /* (n_cells) that are not done yet */
    char path[PATH_MAX];

    pthread_mutex_t lock; /* guards what follows */
    FILE *file;
    size_t done;
    double began;
    bool is_stopped;
};

/* ---- one run ---- */

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
static dedpul_status hand_in(struct runner *runner, const struct selected_cell *cell,
                             struct selected_row row[N_APPROACHES][N_SELECTED_METHODS], dedpul_error *error)
{
    (void)pthread_mutex_lock(&runner->lock);
    for (size_t a = 0; a < N_APPROACHES; a++)
        for (size_t m = 0; m < N_SELECTED_METHODS; m++)
            if (cell->is_wanted[a][m])
                selected_row_print(runner->file, &row[a][m]);
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
    const struct selected_cell *cell = &runner->cell[index];
    struct selected_row row[N_APPROACHES][N_SELECTED_METHODS];
    TRY(selected_run_cell(runner->data[cell->set], cell, tell_progress, runner, row, parent->error));
    return hand_in(runner, cell, row, parent->error);
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
                    const struct selected_cell *cell, const char *approach, const char *method)
{
    for (size_t i = 0; i < before->n; i++) {
        const struct selected_row *row = &before->row[i];
        if (strcmp(row->set, set->name) == 0 && row->alpha == set->share[cell->share] &&
            row->strength == set->strength[cell->strength] && row->repeat == cell->repeat &&
            strcmp(row->approach, approach) == 0 && strcmp(row->method, method) == 0)
            return true;
    }
    return false;
}

/* Finds which approaches and methods the cell still lacks. Returns whether there are any. */
static bool find_missing(const struct selected_rows *before, const struct selected_set *set,
                         struct selected_cell *cell)
{
    bool is_any = false;
    for (size_t a = 0; a < N_APPROACHES; a++)
        for (size_t m = 0; m < N_SELECTED_METHODS; m++) {
            cell->is_wanted[a][m] = set->takes[a] && !is_done(before, set, cell, selected_approaches[a].name,
                                                              selected_methods[m]);
            is_any = is_any || cell->is_wanted[a][m];
        }
    return is_any;
}

static dedpul_status refuse_sets(const char *given, dedpul_error *error)
{
    char names[256] = "";
    const struct selected_set *set;
    size_t length = 0;
    for (size_t s = 0; (set = selected_set_at(s)) != NULL && length < sizeof names; s++) {
        const char *separator = s == 0 ? "" : selected_set_at(s + 1) == NULL ? " and " : ", ";
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", separator, set->name);
    }
    return error_set(error, DEDPUL_INVALID_ARGUMENT, "sets: '%s' names none of %s", given, names);
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
        struct selected_cell *grown = realloc(runner->cell, most * sizeof *grown);
        if (grown == NULL)
            return error_set(error, DEDPUL_NO_MEMORY, "out of memory");
        runner->cell = grown;
        for (unsigned repeat = 0; repeat < runner->selected->repeats; repeat++)
            for (size_t i = 0; i < set->n_shares * set->n_strengths; i++) {
                struct selected_cell cell = {.set = s,
                                             .share = i / set->n_strengths,
                                             .strength = i % set->n_strengths,
                                             .repeat = repeat};
                if (find_missing(before, set, &cell))
                    runner->cell[runner->n_cells++] = cell;
                else
                    end->skipped++;
            }
        if (runner->n_cells > before_set)
            TRY(selected_data_open(set, runner->selected->data, &runner->data[s], error));
    }
    return n_wanted > 0 ? DEDPUL_OK : refuse_sets(runner->selected->sets, error);
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
