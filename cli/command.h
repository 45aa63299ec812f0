/* A command is a table of options, a help text, checks and the work; one runner does the rest. */
#ifndef DEDPUL_CLI_COMMAND_H
#define DEDPUL_CLI_COMMAND_H

#include "command_line.h"
#include "output_files.h"

/* Exit codes. After a signal that was caught, it is this one plus the signal's number, as shells have it. */
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_SIGNAL = 128 };

struct command {
    const char *name;
    const char *summary;
    void (*print_help)(void);

    /* The parts that do the work, and NULL after them, as in 'dedpul bench report'. If it has parts, it has
     * nothing of what follows. */
    const struct command *const *parts;

    const struct command_line *line;
    size_t request_size;         /* of the struct that the options fill; a struct invocation comes first */
    void (*init)(void *request); /* sets defaults; may be NULL: all are zero */
    int (*check)(void *request); /* returns an exit code, after a message if it is not 0; may be NULL */
    /* Names outputs, and inputs that are not in the invocation; may be NULL. */
    void (*name_files)(const void *request, struct files *files);
    bool catches_interrupts;    /* it watches for them, and leaves nothing behind */
    bool (*run)(void *request); /* false after a message */
};

extern const struct command command_scores, command_fit, command_predict, command_show, command_evaluate,
    command_compare, command_sql, command_bench;

/* What the runner knows of a call: the first member of each request. */
struct invocation {
    const struct command *command;
    const char *file[2]; /* those of the command line */
    int argc;            /* argv[0] is the command's name */
    char **argv;
};

/* From the command line to the exit code. argv[0] is the command's name. */
int command_run(const struct command *command, int argc, char **argv);

#endif
