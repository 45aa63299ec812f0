/* What the commands share. */
#ifndef DEDPUL_CLI_COMMAND_H
#define DEDPUL_CLI_COMMAND_H

#include <dedpul.h>

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

/* Exit codes. */
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit code */
};

extern const struct command command_scores;

/* An option of a command, beside those of the library. */
struct command_option {
    const char *name;
    const char *value; /* NULL: takes none */
    const char *default_value;
    const char *help;
};

/* All options of a command: its own first, then the library's. */
struct command_options {
    size_t n_own, n;
    const struct command_option *own;
    struct option *table; /* (n + 1) for getopt_long */
};

bool command_options_init(struct command_options *options, size_t n_own, const struct command_option *own);
void command_options_free(struct command_options *options);

/* getopt_long's next option: its index, -1 after the last, or -2 after a message about a wrong one. */
int command_options_next(const struct command_options *options, const char *command, int argc, char **argv);

void command_options_print(const struct command_options *options);

/* "dedpul: ..." on standard error. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Draws D(alpha) in the terminal with gnuplot. False, after a message, where that cannot be done. */
bool plot_curve(const dedpul_result *result);

#endif
