#include "handle.h"

void *handle_allocate(const dedpul_allocator *allocator, size_t size, dedpul_error *error)
{
    const dedpul_allocator used = allocator_or_default(allocator);
    void *handle = used.resize(used.context, NULL, size);
    if (handle == NULL)
        (void)error_set(error, DEDPUL_NO_MEMORY, "out of memory: %zu bytes", size);
    return handle;
}

void handle_free(dedpul_allocator allocator, void *handle)
{
    (void)allocator.resize(allocator.context, handle, 0);
}
