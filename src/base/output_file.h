/* Files that appear whole or not at all. */
#ifndef DEDPUL_BASE_OUTPUT_FILE_H
#define DEDPUL_BASE_OUTPUT_FILE_H

#include "error.h"

#include <limits.h>
#include <stdio.h>

/*
 * Writing goes to a temporary file beside the target, which takes the target's place at the end. A
 * target that exists and is no regular file (a pipe, /dev/null) is written to directly.
 *
 * In order: open, write to stream, close, commit. After a failure of any of them, discard.
 */
struct output_file {
    FILE *stream;                  /* NULL before open and after close */
    char path[PATH_MAX];           /* links resolved */
    char temporary[PATH_MAX + 32]; /* "" where there is none */
};

#define OUTPUT_FILE_NONE \
    {                    \
        NULL, "", ""     \
    }

dedpul_status output_file_open(struct output_file *file, const char *path, dedpul_error *error);

/* Flushes what was written to the disk. */
dedpul_status output_file_close(struct output_file *file, dedpul_error *error);

/* Takes the target's place. */
dedpul_status output_file_commit(struct output_file *file, dedpul_error *error);

/* Leaves nothing behind. */
void output_file_discard(struct output_file *file);

#endif
