/* Independent tasks over several threads. */
#ifndef DEDPUL_BASE_PARALLEL_H
#define DEDPUL_BASE_PARALLEL_H

#include "context.h"

enum { MOST_THREADS = 256 };

/* Does task number `index`. The context belongs to its thread: one thread, memory released after the task. */
typedef dedpul_status parallel_task(struct context *context, void *argument, size_t index);

/*
 * Runs tasks 0 .. count-1, in any order, on up to context->threads threads. What a task computes may
 * depend on its index but not on its thread, so that results do not depend on the number of threads.
 * Returns DEDPUL_OK if all succeeded, else the status and error of the failed task with the lowest
 * index among those that ran. Warnings of tasks reach the context in the order of their indices.
 */
dedpul_status parallel_for(struct context *context, size_t count, parallel_task *task, void *argument);

/* Work that the calling thread does before it takes part in the tasks. */
struct beside {
    void (*work)(void *argument);
    void *argument;
};

/* The same, with other work beside the tasks; NULL: none. Other threads begin with the tasks meanwhile. */
dedpul_status parallel_for_beside(struct context *context, size_t count, parallel_task *task, void *argument,
                                  const struct beside *beside);

/* Splits [0, n) into chunks of fixed length, one task per chunk. */
enum { PARALLEL_CHUNK = 1 << 15 };

static inline size_t parallel_chunks(size_t n)
{
    return n / PARALLEL_CHUNK + (n % PARALLEL_CHUNK != 0);
}

static inline size_t parallel_chunk_end(size_t n, size_t index)
{
    const size_t end = (index + 1) * PARALLEL_CHUNK;
    return end < n ? end : n;
}

#endif
