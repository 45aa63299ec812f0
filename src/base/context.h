/*
 * What a call of the library hands down to its functions: memory for temporaries, where warnings and the
 * error go, whom to tell of progress, threads and seed. To listen apart to a part of the work, copy the
 * context and give the copy another place for warnings or for the error.
 */
#ifndef DEDPUL_BASE_CONTEXT_H
#define DEDPUL_BASE_CONTEXT_H

#include "arena.h"
#include "error.h"
#include "warnings.h"

struct context {
    struct arena *arena;
    struct warnings *warnings;          /* NULL: nobody wants to know */
    dedpul_error *error;                /* may be NULL */
    dedpul_progress_function *progress; /* may be NULL */
    void *progress_context;
    unsigned threads; /* at least 1 */
    uint64_t seed;
};

/* A context that uses this memory: one thread, seed 0, no progress. warnings and error may be NULL. */
struct context context_of(struct arena *arena, struct warnings *warnings, dedpul_error *error);

/* Number of threads to use for a request that may be 0: one per online processor. */
unsigned threads_or_default(unsigned threads);

/* As arena_allocate, for temporaries, with the error set if there is no memory. */
void *context_allocate(struct context *context, size_t count, size_t element_size);

/* The same in memory that outlives the call. */
void *context_allocate_in(struct context *context, struct arena *memory, size_t count, size_t element_size);

/* arena_mark and arena_release of the temporaries. */
struct block *context_mark(const struct context *context);
void context_release(struct context *context, struct block *mark);

/* Tells how far the call is; DEDPUL_CANCELLED if the listener asks for the end. */
dedpul_status context_report(struct context *context, const dedpul_progress *progress);

/* Adds a warning, once per code. */
void context_warn(struct context *context, dedpul_warning_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
