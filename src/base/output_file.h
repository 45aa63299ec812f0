/* Files that appear whole or not at all. */
#ifndef DEDPUL_BASE_OUTPUT_FILE_H
#define DEDPUL_BASE_OUTPUT_FILE_H

#include "error.h"

#include <limits.h>
#include <stdio.h>

/*
 * Writing goes to a temporary file beside the target, which takes the target's place at the end. Symbolic
 * links are followed and stay: a link whose target does not exist yet creates that target, as shells do. A
 * target that exists and is not a regular file (a pipe, /dev/null) is written to directly.
 *
 * Call open, write to stream, close, commit, in this order; if any of them fails, call discard. The first
 * write that fails decides the message, so that a full disk is reported as one, whatever is written after it.
 *
 * The temporary file is called ".dedpul-PID-N.tmp", with the process's number and N from 0 to 99.
 */
struct output_file {
    FILE *stream;                  /* NULL before open and after close */
    int descriptor;                /* what the stream writes to */
    int reason;                    /* errno of the first write that failed; 0: none failed */
    char name[NAME_TEXT_SIZE];     /* for messages */
    char path[PATH_MAX];           /* links resolved */
    char temporary[PATH_MAX + 32]; /* "": there is none */
};

#define OUTPUT_FILE_NONE        \
    {                           \
        NULL, -1, 0, "", "", "" \
    }

/* The file must not be moved in memory until it is closed or discarded. */
dedpul_status output_file_open(struct output_file *file, const char *path, dedpul_error *error);

/* The same for standard output. It is written to directly, after flushing what stdout still holds. */
dedpul_status output_file_open_standard(struct output_file *file, dedpul_error *error);

/* Flushes what was written so far; fails if that or an earlier write failed. Call it between pieces. */
dedpul_status output_file_check(struct output_file *file, dedpul_error *error);

/* Flushes everything to the disk and closes the stream. */
dedpul_status output_file_close(struct output_file *file, dedpul_error *error);

/* Moves the file to the target's place. */
dedpul_status output_file_commit(struct output_file *file, dedpul_error *error);

/* Removes the temporary file. Does nothing after a commit. */
void output_file_discard(struct output_file *file);

#endif
