#include "crew.h"

#include "tasks.h"

#include <stdbool.h>

struct helper {
    struct crew *crew;
    size_t number; /* counts from 1; the calling thread is number 0 */
    pthread_t thread;
};

struct crew {
    size_t count; /* number of tasks */
    size_t n_helpers;
    struct helper *helper; /* (n_helpers) */
    pthread_mutex_t lock;  /* guards what follows */
    pthread_cond_t changed;
    size_t n_runs; /* so far; a helper that has seen fewer has work to do */
    size_t n_busy; /* helpers that have not finished the present run */
    bool stopping;
    struct tasks tasks; /* of the present run */
};

/* Runs every task even if one fails, so that all tasks have seen the same number of runs. */
static void work(struct crew *crew, size_t number)
{
    struct worker worker;
    worker_begin(&worker, &crew->tasks);
    for (size_t index = number; index < crew->count; index += crew->n_helpers + 1)
        (void)worker_run(&worker, index);
    worker_end(&worker);
}

static void *help(void *argument)
{
    struct helper *helper = argument;
    struct crew *crew = helper->crew;
    (void)pthread_mutex_lock(&crew->lock);
    for (size_t n_seen = 0;; n_seen++) {
        while (!crew->stopping && crew->n_runs == n_seen)
            (void)pthread_cond_wait(&crew->changed, &crew->lock);
        if (crew->stopping)
            break;
        (void)pthread_mutex_unlock(&crew->lock);
        work(crew, helper->number);
        (void)pthread_mutex_lock(&crew->lock);
        if (--crew->n_busy == 0)
            (void)pthread_cond_broadcast(&crew->changed);
    }
    (void)pthread_mutex_unlock(&crew->lock);
    return NULL;
}

struct crew *crew_start(struct context *context, size_t count)
{
    size_t threads = context->threads < MOST_THREADS ? context->threads : MOST_THREADS;
    if (threads > count)
        threads = count;
    struct crew *crew = context_allocate(context, 1, sizeof *crew);
    struct helper *helper = context_allocate(context, threads, sizeof *helper);
    if (crew == NULL || helper == NULL)
        return NULL;
    *crew = (struct crew){
        .count = count,
        .helper = helper,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .changed = PTHREAD_COND_INITIALIZER,
    };
    /* If a helper cannot be started, the others do its part. */
    for (size_t i = 0; i + 1 < threads; i++) {
        helper[i] = (struct helper){.crew = crew, .number = i + 1};
        if (pthread_create(&helper[i].thread, NULL, help, &helper[i]) != 0)
            break;
        crew->n_helpers++;
    }
    return crew;
}

dedpul_status crew_run(struct crew *crew, struct context *context, parallel_task *task, void *argument)
{
    (void)pthread_mutex_lock(&crew->lock);
    tasks_begin(&crew->tasks, context, task, argument);
    crew->n_busy = crew->n_helpers;
    crew->n_runs++;
    (void)pthread_cond_broadcast(&crew->changed);
    (void)pthread_mutex_unlock(&crew->lock);
    work(crew, 0);
    (void)pthread_mutex_lock(&crew->lock);
    while (crew->n_busy > 0)
        (void)pthread_cond_wait(&crew->changed, &crew->lock);
    (void)pthread_mutex_unlock(&crew->lock);
    return tasks_end(&crew->tasks, context);
}

void crew_stop(struct crew *crew)
{
    if (crew == NULL)
        return;
    (void)pthread_mutex_lock(&crew->lock);
    crew->stopping = true;
    (void)pthread_cond_broadcast(&crew->changed);
    (void)pthread_mutex_unlock(&crew->lock);
    for (size_t i = 0; i < crew->n_helpers; i++)
        (void)pthread_join(crew->helper[i].thread, NULL);
    (void)pthread_cond_destroy(&crew->changed);
    (void)pthread_mutex_destroy(&crew->lock);
}
