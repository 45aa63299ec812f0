#include "sized.h"

#include <string.h>

dedpul_status sized_read(const char *name, const void *given, size_t least, size_t size, void *own,
                         dedpul_error *error)
{
    size_t known;
    memcpy(&known, given, sizeof known);
    if (known < least || known % sizeof(void *) != 0)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "%s has no valid size (%zu): initialise it before setting fields", name, known);
    if (known > size)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "%s has %zu bytes, but this library knows only %zu: the program needs a newer "
                         "libdedpul, or %s was not initialised",
                         name, known, size, name);
    memcpy(own, given, known);
    memcpy(own, &size, sizeof size);
    return DEDPUL_OK;
}

void sized_write(const void *own, size_t size, void *given, size_t given_size)
{
    memset(given, 0, given_size);
    memcpy(given, own, given_size < size ? given_size : size);
    memcpy(given, &given_size, sizeof given_size);
}
