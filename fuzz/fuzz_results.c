/* Any bytes as results.csv of dedpul bench: rows that can be sorted and found, or a clean error. */
#include "results.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file in memory with these bytes, and its path. */
static const char *make_file(const uint8_t *data, size_t size)
{
    static char path[40];
    static int descriptor = -1;
    if (descriptor < 0) {
        descriptor = memfd_create("results.csv", MFD_CLOEXEC);
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, data, size, 0) != (ssize_t)size)
        abort();
    return path;
}

static bool is_name(const char *text, size_t size)
{
    return text[0] != '\0' && memchr(text, '\0', size) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct results results;
    size_t whole_bytes;
    dedpul_error error;
    const dedpul_status status = results_read(make_file(data, size), &results, &whole_bytes, &error);
    if (status != DEDPUL_OK) {
        if (status != DEDPUL_INVALID_DATA || results.n != 0)
            abort();
        return 0;
    }
    if (whole_bytes > size || (whole_bytes > 0 && data[whole_bytes - 1] != '\n'))
        abort();
    results_sort(&results);
    for (size_t i = 0; i < results.n; i++) {
        const struct outcome *row = &results.row[i];
        if (!is_name(row->setting, sizeof row->setting) || !is_name(row->set, sizeof row->set) ||
            !is_name(row->method, sizeof row->method) || !(row->alpha >= 0 && row->alpha <= 1) ||
            results_find(&results, row) == NULL)
            abort();
    }
    results_free(&results);
    return 0;
}
