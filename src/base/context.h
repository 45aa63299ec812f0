/*
 * What one call of the library carries with it: its memory, its error, its warnings, its threads.
 *
 * Memory is a stack of blocks. A function that succeeds releases its temporaries back to the mark it
 * took at the start; a function that fails just returns, and the call's end frees everything. So no
 * function needs a clean-up path of its own.
 */
#ifndef DEDPUL_BASE_CONTEXT_H
#define DEDPUL_BASE_CONTEXT_H

#include "error.h"

enum {
    WARNING_KINDS = 0
#define X(name, number, code) +1
    DEDPUL_WARNING_LIST(X)
#undef X
};

struct block;

struct context_warning {
    dedpul_warning_code code;
    char message[256];
};

struct context {
    dedpul_allocator allocator;
    struct block *newest; /* the stack */
    struct block *spare;  /* large blocks that were released, kept for the next of their size */
    dedpul_error *error;  /* may be NULL */
    unsigned threads;     /* at least 1 */
    uint64_t seed;
    size_t n_warnings;
    struct context_warning warnings[WARNING_KINDS]; /* each code at most once */
};

/* The code as text. */
const char *warning_name(dedpul_warning_code code);

/* The given allocator, or malloc's for NULL. */
dedpul_allocator allocator_or_default(const dedpul_allocator *allocator);

/* Number of threads to use for a request where 0 means one per online processor. */
unsigned threads_or_default(unsigned threads);

void context_init(struct context *context, const dedpul_allocator *allocator, dedpul_error *error);

/* Frees all blocks. */
void context_free(struct context *context);

/* Uninitialised memory for count elements, or NULL with the error set. Never NULL for count 0. */
void *context_allocate(struct context *context, size_t count, size_t element_size);

/* The stack's present height, and its release down to an earlier one. */
struct block *context_mark(const struct context *context);
void context_release(struct context *context, struct block *mark);

/* Hands one allocation over to another context, to be freed with that one. */
void context_give(struct context *from, void *memory, struct context *to);

/* Hands the blocks kept for reuse over to another context, and frees them. */
void context_move_spare(struct context *from, struct context *to);
void context_free_spare(struct context *context);

/* Tells how far a call is, where function is not NULL; DEDPUL_CANCELLED where it asks for the end. */
dedpul_status context_report(struct context *context, dedpul_progress_function *function,
                             void *function_context, const dedpul_progress *progress);

/* Adds those of another context; each code stays once. */
void context_add_warnings(struct context *context, const struct context *other);

/* Adds a warning, once per code. */
void context_warn(struct context *context, dedpul_warning_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
