#include "report_file.h"

#include "output_file.h"

dedpul_status report_file_write(const char *path, void (*print)(FILE *stream, const void *what),
                                const void *what, dedpul_error *error)
{
    struct output_file file;
    dedpul_status status = output_file_open(&file, path, error);
    if (status == DEDPUL_OK) {
        print(file.stream, what);
        status = output_file_close(&file, error);
    }
    if (status == DEDPUL_OK)
        status = output_file_commit(&file, error);
    if (status != DEDPUL_OK)
        output_file_discard(&file);
    return status;
}
