/* Suggests names in place of one that does not exist. */
#ifndef DEDPUL_BASE_SUGGEST_H
#define DEDPUL_BASE_SUGGEST_H

#include <stddef.h>

typedef const char *name_at(const void *list, size_t index);

/* Returns the index of the name, or count if the list does not have it. */
size_t name_find(name_at *name, const void *list, size_t count, const char *wanted);

/* Returns the index of the name nearest to the wanted one, or count if none is near. */
size_t name_nearest(name_at *name, const void *list, size_t count, const char *wanted);

/* Size of a buffer for name_hint. */
#define NAME_HINT_SIZE 640

/* Writes "did you mean 'bbe'? There are 'dedpul', 'bbe', ...". Returns buffer. */
const char *name_hint(char buffer[NAME_HINT_SIZE], name_at *name, const void *list, size_t count,
                      const char *wanted);

#endif
