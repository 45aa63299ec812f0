/* Options of commands: tables of them, reading a command line by these, and their part of the help text. */
#ifndef DEDPUL_CLI_COMMAND_LINE_H
#define DEDPUL_CLI_COMMAND_LINE_H

#include <dedpul.h>

#include <stdbool.h>

/* An option of the command, beside those of the library. */
struct command_option {
    const char *name;
    char letter;       /* of its short form; 0: none */
    const char *value; /* NULL: takes none; "[...]": a figure's name, or "off|on|...": one of the choices */
                       /* behind 'on', which may be left out */
    const char *default_value;
    const char *help;
    size_t offset; /* of its field: a const char *, or a bool if it takes no value; "" is a value left out */
};

/* Options whose fields are in one struct, which begins at `offset` in the request. */
struct option_group {
    const struct command_option *options; /* one without a name after the last */
    size_t offset;
};

/* How a command is called. Each one also has --help. */
struct command_line {
    const char *command;               /* whose help tells more */
    const struct option_group *groups; /* one without options after the last */
    /* Options of the library, which go to `set`; both are NULL if there are none. */
    const dedpul_option_info *(*library)(size_t index); /* NULL after the last */
    dedpul_status (*set)(void *request, const char *name, const char *value, dedpul_error *error);
    size_t n_files;
    size_t n_optional; /* how many of them may be left out */
    const char *files; /* what they are, for messages: "FILE", "MODEL FILE" */
    bool takes_text;   /* they are no files */
    /* For completions: the names that an option of the command itself takes, NULL after the last; may be
     * NULL. */
    const char *(*name_at)(const char *option, size_t index);
};

/*
 * Fills the request's fields from the command line. Returns an exit code, after a message if it is not 0. If
 * *help is true, that is all the user wants, and file is not filled.
 */
int command_line_read(const struct command_line *line, void *request, int argc, char **argv,
                      const char **file /* (n_files) */, bool *help);

/* Reads the number of a command's own option. False, after a message, if it is not within the bounds. */
bool read_count(const char *option, const char *text, unsigned least, unsigned most, unsigned *count);

/* The option of the library at this index, if those that are left out do not count; NULL after the last. */
const dedpul_option_info *library_option_except(size_t index, size_t n,
                                                const char *const *left_out /* (n) */);

/* ---- parts of help texts ---- */

void print_options(const struct command_line *line);
void print_table_formats(void);
void print_classifiers(void);
void print_methods_and_densities(bool has_table);

#endif
