/* The files of a command: outputs must not take the place of inputs or of each other. */
#ifndef DEDPUL_CLI_OUTPUT_FILES_H
#define DEDPUL_CLI_OUTPUT_FILES_H

#include <dedpul.h>

#include <stdbool.h>
#include <stdio.h>

/* An output file, and the option that names it. */
struct output {
    const char *option, *path;
};

enum { MOST_INPUTS = 3, MOST_OUTPUTS = 8 };

struct files {
    size_t n_inputs, n_outputs;
    const char *input[MOST_INPUTS]; /* "-": standard input */
    struct output output[MOST_OUTPUTS];
};

/* Each adds one; nothing if path is NULL. */
void add_input(struct files *files, const char *path);
void add_output(struct files *files, const char *option, const char *path);

/* False, after a message, if an output would take the place of an input or of another output. */
bool outputs_are_apart(const struct files *files);

/* False, after a message, if an output cannot be written: better known before long work than after it. */
bool outputs_can_be_written(const struct files *files);

/* Writes a file that appears whole or not at all, whatever signal comes. */
dedpul_status write_whole(const char *path, void (*print)(FILE *stream, const void *what), const void *what,
                          dedpul_error *error);

#endif
