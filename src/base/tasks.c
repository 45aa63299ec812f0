#include "tasks.h"

#include <string.h>

void tasks_begin(struct tasks *tasks, const struct context *parent, parallel_task *task, void *argument)
{
    *tasks = (struct tasks){
        .parent = parent,
        .task = task,
        .argument = argument,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .failed_index = SIZE_MAX,
    };
}

/* Keeps a warning unless a task with a lower index gave one with the same code. */
static void note_warning(struct tasks *tasks, size_t index, const struct warning *warning)
{
    size_t same = 0, place = 0;
    while (same < tasks->n_warned && tasks->warned[same].warning.code != warning->code)
        same++;
    if (same < tasks->n_warned && tasks->warned[same].index <= index)
        return;
    if (same < tasks->n_warned)
        memmove(&tasks->warned[same], &tasks->warned[same + 1],
                (--tasks->n_warned - same) * sizeof tasks->warned[0]);
    while (place < tasks->n_warned && tasks->warned[place].index <= index)
        place++;
    memmove(&tasks->warned[place + 1], &tasks->warned[place],
            (tasks->n_warned++ - place) * sizeof tasks->warned[0]);
    tasks->warned[place].index = index;
    tasks->warned[place].warning = *warning;
}

static void note(struct tasks *tasks, size_t index, const struct worker *worker)
{
    (void)pthread_mutex_lock(&tasks->lock);
    for (size_t i = 0; i < worker->warnings.n; i++)
        note_warning(tasks, index, &worker->warnings.item[i]);
    if (worker->error.status != DEDPUL_OK && index < tasks->failed_index) {
        tasks->failed_index = index;
        tasks->failure = worker->error;
    }
    (void)pthread_mutex_unlock(&tasks->lock);
}

dedpul_status tasks_end(struct tasks *tasks, struct context *parent)
{
    (void)pthread_mutex_destroy(&tasks->lock);
    for (size_t i = 0; i < tasks->n_warned; i++)
        context_warn(parent, tasks->warned[i].warning.code, "%s", tasks->warned[i].warning.message);
    if (tasks->failed_index != SIZE_MAX)
        return error_set(parent->error, tasks->failure.status, "%s", tasks->failure.message);
    return DEDPUL_OK;
}

void worker_begin(struct worker *worker, struct tasks *tasks)
{
    worker->tasks = tasks;
    arena_init(&worker->arena, &tasks->parent->arena->allocator);
}

bool worker_run(struct worker *worker, size_t index)
{
    struct tasks *tasks = worker->tasks;
    worker->warnings.n = 0;
    worker->error = (dedpul_error){DEDPUL_OK, ""};
    struct context context = context_of(
        &worker->arena, tasks->parent->warnings != NULL ? &worker->warnings : NULL, &worker->error);
    context.seed = tasks->parent->seed;
    worker->error.status = tasks->task(&context, tasks->argument, index);
    arena_release(&worker->arena, NULL);
    if (worker->error.status != DEDPUL_OK || worker->warnings.n > 0)
        note(tasks, index, worker);
    return worker->error.status == DEDPUL_OK;
}

void worker_end(struct worker *worker)
{
    arena_free(&worker->arena);
}
