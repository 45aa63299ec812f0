/* Structs that begin with their size, so that later versions can add fields at their end. */
#ifndef DEDPUL_PUBLIC_SIZED_H
#define DEDPUL_PUBLIC_SIZED_H

#include "error.h"

/* The size of a struct that ends with this field, whatever later versions add behind it. */
#define SIZE_UP_TO(type, field) (offsetof(type, field) + sizeof(((const type *)NULL)->field))

/*
 * Copies the fields that the program knows over `own`, which holds the defaults. `least` is the size of the
 * struct in its first version. A larger struct than this library knows is an error, because its further
 * fields would be ignored. Messages call the struct `name`.
 */
dedpul_status sized_read(const char *name, const void *given, size_t least, size_t size,
                         void *own /* (size) */, dedpul_error *error);

/* Copies one of the library's structs to one of the program's size. Its first field becomes that size. */
void sized_write(const void *own /* (size) */, size_t size, void *given, size_t given_size);

#endif
