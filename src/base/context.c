#include "context.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* In front of each allocation; as aligned as the allocator's blocks are. */
struct block {
    alignas(max_align_t) struct block *older;
    size_t size; /* of what follows */
};

/*
 * Large blocks are rounded up to whole pages and used again within the call: the system hands out fresh
 * ones only page by page, clearing each. Not under the address sanitizer, which shall see all uses of
 * memory that was released.
 */
static const size_t page_size = 4096;
#ifdef __has_feature
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
static const size_t reused_from = SIZE_MAX;
#else
static const size_t reused_from = 1 << 20;
#endif

static void *resize_with_malloc(void *unused, void *block, size_t size)
{
    (void)unused;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

dedpul_allocator allocator_or_default(const dedpul_allocator *allocator)
{
    const dedpul_allocator standard = {NULL, resize_with_malloc};
    return allocator != NULL ? *allocator : standard;
}

unsigned threads_or_default(unsigned threads)
{
    if (threads > 0)
        return threads;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

void context_init(struct context *context, const dedpul_allocator *allocator, dedpul_error *error)
{
    *context = (struct context){
        .allocator = allocator_or_default(allocator),
        .error = error,
        .threads = 1,
    };
}

static void free_blocks(const struct context *context, struct block **list)
{
    while (*list != NULL) {
        struct block *older = (*list)->older;
        (void)context->allocator.resize(context->allocator.context, *list, 0);
        *list = older;
    }
}

void context_free_spare(struct context *context)
{
    free_blocks(context, &context->spare);
}

void context_free(struct context *context)
{
    free_blocks(context, &context->newest);
    context_free_spare(context);
}

void context_give(struct context *from, void *memory, struct context *to)
{
    struct block *block = (struct block *)memory - 1, **link = &from->newest;
    while (*link != block)
        link = &(*link)->older;
    *link = block->older;
    block->older = to->newest;
    to->newest = block;
}

void context_move_spare(struct context *from, struct context *to)
{
    assert(to->spare == NULL);
    to->spare = from->spare;
    from->spare = NULL;
}

/* Has the system provide a large block's pages at once, rather than one by one when they are first used. */
static void populate(struct block *block)
{
#ifdef MADV_POPULATE_WRITE
    char *const begin = (char *)block + page_size - (uintptr_t)block % page_size;
    const size_t size = (size_t)((char *)(block + 1) + block->size - begin) / page_size * page_size;
    (void)madvise(begin, size, MADV_POPULATE_WRITE); /* where it fails, nothing is lost */
#else
    (void)block;
#endif
}

/* A spare block that is not much too large, taken off the list, or NULL. */
static struct block *take_spare(struct context *context, size_t size)
{
    for (struct block **link = &context->spare; *link != NULL; link = &(*link)->older)
        if ((*link)->size >= size && (*link)->size / 2 <= size) {
            struct block *block = *link;
            *link = block->older;
            return block;
        }
    return NULL;
}

void *context_allocate(struct context *context, size_t count, size_t element_size)
{
    struct block *block = NULL;
    if (count <= (SIZE_MAX - sizeof *block - page_size) / element_size) {
        size_t size = count * element_size;
        if (size >= reused_from) {
            size = (size + page_size - 1) / page_size * page_size;
            block = take_spare(context, size);
        }
        if (block == NULL) {
            block = context->allocator.resize(context->allocator.context, NULL, sizeof *block + size);
            if (block != NULL) {
                block->size = size;
                if (size >= reused_from)
                    populate(block);
            }
        }
    }
    if (block == NULL) {
        (void)error_set(context->error, DEDPUL_NO_MEMORY, "out of memory: %zu elements of %zu bytes", count,
                        element_size);
        return NULL;
    }
    block->older = context->newest;
    context->newest = block;
    return block + 1;
}

struct block *context_mark(const struct context *context)
{
    return context->newest;
}

void context_release(struct context *context, struct block *mark)
{
    while (context->newest != mark) {
        struct block *block = context->newest;
        context->newest = block->older;
        if (block->size >= reused_from) {
            block->older = context->spare;
            context->spare = block;
        } else {
            (void)context->allocator.resize(context->allocator.context, block, 0);
        }
    }
}

const char *warning_name(dedpul_warning_code code)
{
    switch (code) {
#define X(name, number, text)   \
    case DEDPUL_WARNING_##name: \
        return text;
        DEDPUL_WARNING_LIST(X)
#undef X
    }
    return "unknown";
}

dedpul_status context_report(struct context *context, dedpul_progress_function *function,
                             void *function_context, const dedpul_progress *progress)
{
    if (function != NULL && function(function_context, progress) != 0)
        return error_set(context->error, DEDPUL_CANCELLED, "stopped");
    return DEDPUL_OK;
}

void context_warn(struct context *context, dedpul_warning_code code, const char *format, ...)
{
    for (size_t i = 0; i < context->n_warnings; i++)
        if (context->warnings[i].code == code)
            return;
    const size_t index = context->n_warnings++;
    context->warnings[index].code = code;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(context->warnings[index].message, sizeof context->warnings[index].message, format,
                    arguments);
    va_end(arguments);
}

void context_add_warnings(struct context *context, const struct context *other)
{
    for (size_t i = 0; i < other->n_warnings; i++)
        context_warn(context, other->warnings[i].code, "%s", other->warnings[i].message);
}
