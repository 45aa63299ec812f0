/* What parallel_for and crews share: workers that run tasks, and what the tasks leave behind. */
#ifndef DEDPUL_BASE_TASKS_H
#define DEDPUL_BASE_TASKS_H

#include "parallel.h"

#include <pthread.h>

/* The failure and the warnings of the lowest task index count, so that they do not depend on threads. */
struct tasks {
    const struct context *parent;
    parallel_task *task;
    void *argument;
    pthread_mutex_t lock; /* guards what follows */
    size_t failed_index;  /* SIZE_MAX: none failed */
    dedpul_error failure;
    size_t n_warned;
    struct {
        size_t index;
        struct warning warning;
    } warned[WARNING_KINDS]; /* (n_warned) by index; each code once */
};

void tasks_begin(struct tasks *tasks, const struct context *parent, parallel_task *task, void *argument);

/* Hands warnings and failure on to the parent. Returns the status of the call. */
dedpul_status tasks_end(struct tasks *tasks, struct context *parent);

/* A thread's own memory and error. */
struct worker {
    struct tasks *tasks;
    struct arena arena;
    struct warnings warnings;
    dedpul_error error;
};

void worker_begin(struct worker *worker, struct tasks *tasks);
/* Runs task number `index`. Returns whether it succeeded. */
bool worker_run(struct worker *worker, size_t index);
void worker_end(struct worker *worker);

#endif
