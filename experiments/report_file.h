/* Files that appear whole or not at all. */
#ifndef DEDPUL_EXPERIMENTS_REPORT_FILE_H
#define DEDPUL_EXPERIMENTS_REPORT_FILE_H

#include <dedpul.h>

#include <stdio.h>

dedpul_status report_file_write(const char *path, void (*print)(FILE *stream, const void *what),
                                const void *what, dedpul_error *error);

#endif
