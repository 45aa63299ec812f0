/*
 * Threads that live across several runs. Unlike with parallel_for, a task runs on the same thread each time:
 * some libraries keep state per thread.
 */
#ifndef DEDPUL_BASE_CREW_H
#define DEDPUL_BASE_CREW_H

#include "parallel.h"

struct crew;

/*
 * Starts up to context->threads - 1 threads for `count` tasks; the calling thread does its part of them.
 * Returns NULL with the error set if memory runs out. The crew is in the context's memory.
 */
struct crew *crew_start(struct context *context, size_t count);

/* Runs task 0 .. count-1 as parallel_for does. Call it from the same thread each time. */
dedpul_status crew_run(struct crew *crew, struct context *context, parallel_task *task, void *argument);

/* Ends the threads. Accepts NULL. */
void crew_stop(struct crew *crew);

#endif
