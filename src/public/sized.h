/* Structs that begin with their size, so that later versions can add fields at their end. */
#ifndef DEDPUL_PUBLIC_SIZED_H
#define DEDPUL_PUBLIC_SIZED_H

#include "error.h"

/*
 * Copies the fields that the program knows over `own`, which holds the defaults. `least` is the size that the
 * first version had; a struct of a later version, whose further fields this library cannot honour, is an
 * error. `name` is what messages call it.
 */
dedpul_status sized_read(const char *name, const void *given, size_t least, size_t size,
                         void *own /* (size) */, dedpul_error *error);

/* Fills a struct of the program's size from one of the library's, whose first field becomes that size. */
void sized_write(const void *own /* (size) */, size_t size, void *given, size_t given_size);

#endif
