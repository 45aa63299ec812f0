/* Files that appear whole or not at all. */
#ifndef DEDPUL_BASE_OUTPUT_FILE_H
#define DEDPUL_BASE_OUTPUT_FILE_H

#include "error.h"

#include <limits.h>
#include <stdio.h>

/*
 * Writing goes to a temporary file beside the target, which takes the target's place at the end. A
 * target that exists and is no regular file (a pipe, /dev/null) is written to directly.
 */
struct output_file {
    FILE *stream;
    char path[PATH_MAX];           /* links resolved */
    char temporary[PATH_MAX + 32]; /* "" where the target is written to directly */
};

dedpul_status output_file_open(struct output_file *file, const char *path, dedpul_error *error);

/* Flushes to the disk, closes and puts the file in place; on failure nothing is left behind. */
dedpul_status output_file_commit(struct output_file *file, dedpul_error *error);

#endif
