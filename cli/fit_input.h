/* What the commands that fit a table, fit and compare, have in common. */
#ifndef DEDPUL_CLI_FIT_INPUT_H
#define DEDPUL_CLI_FIT_INPUT_H

#include "command.h"
#include "progress.h"

/* What they are told about the table and the fit: the first member of their request. */
struct fit_input {
    struct invocation call;
    dedpul_columns columns;
    const char *max_levels;
    dedpul_options options;
    bool no_header, quiet, verbose;
    struct progress progress;
};

/* Options beside those of column_options.h. Fields are in a struct fit_input. */
extern const struct command_option fit_input_option_table[];

/* Sets an option of the library. */
dedpul_status fit_input_set(void *request, const char *name, const char *value, dedpul_error *error);

/* The defaults. */
void fit_input_init(void *request);

/* Returns an exit code, after a message if an option's value is not valid. */
int fit_input_check(struct fit_input *input);

void fit_input_name_files(const struct fit_input *input, struct files *files);

/* Reads the table and does the work on it, with progress shown. False after a message. */
bool fit_input_run(struct fit_input *input, bool (*work)(void *request, const dedpul_table *table));

#endif
