#include "tasks.h"

#include <stdatomic.h>

struct job {
    struct tasks tasks;
    size_t count;
    atomic_size_t next;
};

static void *work(void *argument)
{
    struct job *job = argument;
    struct worker worker;
    worker_begin(&worker, &job->tasks);
    for (;;) {
        const size_t index = atomic_fetch_add(&job->next, 1);
        if (index >= job->count)
            break;
        if (!worker_run(&worker, index))
            atomic_store(&job->next, job->count); /* no thread starts another task */
    }
    worker_end(&worker);
    return NULL;
}

dedpul_status parallel_for(struct context *context, size_t count, parallel_task *task, void *argument)
{
    return parallel_for_beside(context, count, task, argument, NULL);
}

dedpul_status parallel_for_beside(struct context *context, size_t count, parallel_task *task, void *argument,
                                  const struct beside *beside)
{
    struct job job = {.count = count};
    tasks_begin(&job.tasks, context, task, argument);
    atomic_init(&job.next, 0);
    size_t threads = context->threads < MOST_THREADS ? context->threads : MOST_THREADS;
    const size_t most = count + (beside != NULL);
    if (threads > most)
        threads = most;
    pthread_t helpers[MOST_THREADS];
    size_t started = 0;
    /* This thread works too. If a helper cannot be started, the others do its part. */
    while (started + 1 < threads && pthread_create(&helpers[started], NULL, work, &job) == 0)
        started++;
    if (beside != NULL)
        beside->work(beside->argument);
    (void)work(&job);
    for (size_t i = 0; i < started; i++)
        (void)pthread_join(helpers[i], NULL);
    return tasks_end(&job.tasks, context);
}
