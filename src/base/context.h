/*
 * What a call of the library hands down to its functions: memory for temporaries, where warnings and the
 * error go, whom to tell about progress, the number of threads and the seed. To collect the warnings or the
 * error of one part of the work separately, copy the context and point the copy elsewhere.
 */
#ifndef DEDPUL_BASE_CONTEXT_H
#define DEDPUL_BASE_CONTEXT_H

#include "arena.h"
#include "error.h"
#include "warnings.h"

struct context {
    struct arena *arena;
    struct warnings *warnings;          /* NULL: warnings are dropped */
    dedpul_error *error;                /* may be NULL */
    dedpul_progress_function *progress; /* may be NULL */
    void *progress_context;
    unsigned threads; /* at least 1 */
    uint64_t seed;
};

/* Makes a context that uses this memory: one thread, seed 0, no progress. warnings and error may be NULL. */
struct context context_of(struct arena *arena, struct warnings *warnings, dedpul_error *error);

/* Returns the number of threads for a request; 0 asks for one per online processor. */
unsigned threads_or_default(unsigned threads);

/* Like arena_allocate, for temporaries. Sets the error if memory runs out. */
void *context_allocate(struct context *context, size_t count, size_t element_size);

/* The same in memory that outlives the call. */
void *context_allocate_in(struct context *context, struct arena *memory, size_t count, size_t element_size);

/* A copy of a text in that memory; NULL, with the error set, if it runs out. */
char *context_copy_text(struct context *context, struct arena *memory, const char *text);

/* arena_mark and arena_release for the temporaries. */
struct block *context_mark(const struct context *context);
void context_release(struct context *context, struct block *mark);

/* Reports progress. Returns DEDPUL_CANCELLED if the listener asks to stop. */
dedpul_status context_report(struct context *context, const dedpul_progress *progress);

/* Adds a warning, unless there is one with this code already. */
void context_warn(struct context *context, dedpul_warning_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
