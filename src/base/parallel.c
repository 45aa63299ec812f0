#include "parallel.h"

#include <pthread.h>
#include <stdatomic.h>

struct job {
    const struct context *parent;
    parallel_task *task;
    void *argument;
    size_t count;
    atomic_size_t next;
    pthread_mutex_t lock; /* guards what follows: the failure with the lowest index */
    size_t failed_index;
    dedpul_error failure;
};

static void note_failure(struct job *job, size_t index, const dedpul_error *failure)
{
    (void)pthread_mutex_lock(&job->lock);
    if (index < job->failed_index) {
        job->failed_index = index;
        job->failure = *failure;
    }
    (void)pthread_mutex_unlock(&job->lock);
    atomic_store(&job->next, job->count);
}

static void *work(void *argument)
{
    struct job *job = argument;
    dedpul_error error = {DEDPUL_OK, ""};
    struct context context;
    context_init(&context, &job->parent->allocator, &error);
    context.seed = job->parent->seed;
    for (;;) {
        const size_t index = atomic_fetch_add(&job->next, 1);
        if (index >= job->count)
            break;
        error.status = job->task(&context, job->argument, index);
        context_release(&context, NULL);
        if (error.status != DEDPUL_OK)
            note_failure(job, index, &error);
    }
    context_free(&context);
    return NULL;
}

dedpul_status parallel_for(struct context *context, size_t count, parallel_task *task, void *argument)
{
    struct job job = {
        .parent = context,
        .task = task,
        .argument = argument,
        .count = count,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .failed_index = SIZE_MAX,
    };
    atomic_init(&job.next, 0);
    size_t threads = context->threads < MOST_THREADS ? context->threads : MOST_THREADS;
    if (threads > count)
        threads = count;
    pthread_t helpers[MOST_THREADS];
    size_t started = 0;
    /* This thread works too. A helper that cannot be started is not missed: the others do its part. */
    while (started + 1 < threads && pthread_create(&helpers[started], NULL, work, &job) == 0)
        started++;
    (void)work(&job);
    for (size_t i = 0; i < started; i++)
        (void)pthread_join(helpers[i], NULL);
    (void)pthread_mutex_destroy(&job.lock);
    if (job.failed_index != SIZE_MAX)
        return error_set(context->error, job.failure.status, "%s", job.failure.message);
    return DEDPUL_OK;
}
