#include "context.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* In front of each allocation; as aligned as the allocator's blocks are. */
struct block {
    alignas(max_align_t) struct block *older;
};

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

void context_free(struct context *context)
{
    context_release(context, NULL);
}

void *context_allocate(struct context *context, size_t count, size_t element_size)
{
    struct block *block = NULL;
    if (count <= (SIZE_MAX - sizeof *block) / element_size)
        block = context->allocator.resize(context->allocator.context, NULL,
                                          sizeof *block + count * element_size);
    if (block == NULL) {
        (void)error_set(context->error, DEDPUL_NO_MEMORY,
                        "out of memory: %zu elements of %zu bytes", count, element_size);
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
        struct block *older = context->newest->older;
        (void)context->allocator.resize(context->allocator.context, context->newest, 0);
        context->newest = older;
    }
}

static const char *warning_name(dedpul_warning_code code)
{
    switch (code) {
#define X(name, number, text)                                                                      \
    case DEDPUL_WARNING_##name:                                                                    \
        return text;
        DEDPUL_WARNING_LIST(X)
#undef X
    }
    return "unknown";
}

void context_warn(struct context *context, dedpul_warning_code code, const char *format, ...)
{
    for (size_t i = 0; i < context->n_warnings; i++)
        if (context->warnings[i].code == code)
            return;
    dedpul_warning *warning = &context->warnings[context->n_warnings++];
    warning->code = code;
    warning->name = warning_name(code);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(warning->message, sizeof warning->message, format, arguments);
    va_end(arguments);
}
