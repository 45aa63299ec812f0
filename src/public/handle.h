/* Memory of the objects that a program holds. */
#ifndef DEDPUL_PUBLIC_HANDLE_H
#define DEDPUL_PUBLIC_HANDLE_H

#include "arena.h"
#include "error.h"

/* Returns uninitialised memory, or NULL with the error set. The allocator may be NULL: malloc. */
void *handle_allocate(const dedpul_allocator *allocator, size_t size, dedpul_error *error);

/* Frees an object with the allocator that it came from, which the object itself may hold. */
void handle_free(dedpul_allocator allocator, void *handle);

#endif
