#include "context.h"

#include <string.h>
#include <unistd.h>

struct context context_of(struct arena *arena, struct warnings *warnings, dedpul_error *error)
{
    return (struct context){.arena = arena, .warnings = warnings, .error = error, .threads = 1};
}

unsigned threads_or_default(unsigned threads)
{
    if (threads > 0)
        return threads;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

void *context_allocate_in(struct context *context, struct arena *memory, size_t count, size_t element_size)
{
    void *allocated = arena_allocate(memory, count, element_size);
    if (allocated == NULL)
        (void)error_set(context->error, DEDPUL_NO_MEMORY, "out of memory: %zu elements of %zu bytes", count,
                        element_size);
    return allocated;
}

void *context_allocate(struct context *context, size_t count, size_t element_size)
{
    return context_allocate_in(context, context->arena, count, element_size);
}

char *context_copy_text(struct context *context, struct arena *memory, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = context_allocate_in(context, memory, size, 1);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

struct block *context_mark(const struct context *context)
{
    return arena_mark(context->arena);
}

void context_release(struct context *context, struct block *mark)
{
    arena_release(context->arena, mark);
}

dedpul_status context_report(struct context *context, const dedpul_progress *progress)
{
    if (context->progress != NULL && context->progress(context->progress_context, progress) != 0)
        return error_set(context->error, DEDPUL_CANCELLED, "stopped");
    return DEDPUL_OK;
}

void context_warn(struct context *context, dedpul_warning_code code, const char *format, ...)
{
    if (context->warnings == NULL)
        return;
    va_list arguments;
    va_start(arguments, format);
    warnings_add(context->warnings, code, format, arguments);
    va_end(arguments);
}
