/* dedpul: positive-unlabeled learning from the command line. */
#include "command.h"
#include "completion.h"
#include "message.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct command *const commands[] = {&command_fit,    &command_predict,  &command_show,
                                                 &command_scores, &command_evaluate, &command_compare,
                                                 &command_sql,    &command_bench,    NULL};

enum { N_COMMANDS = sizeof commands / sizeof commands[0] - 1 };

static void print_help(void)
{
    (void)puts("Usage: dedpul COMMAND [OPTION...] FILE...\n"
               "\n"
               "Positive-unlabeled learning: there are examples of one class and a pile of rows nobody\n"
               "has labeled. What share of the pile is positive, and which rows?\n"
               "\n"
               "Commands:");
    for (size_t i = 0; i < N_COMMANDS; i++)
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    (void)puts("\n"
               "  dedpul COMMAND --help   options and examples of a command\n"
               "  dedpul --version        version\n"
               "  dedpul --completion SHELL\n"
               "                          script that completes command lines in bash, zsh or fish\n"
               "\n"
               "Exit codes: 0 success, 1 failure (bad data or values), 2 wrong usage,\n"
               "            128 plus its number after a signal (130 for an interrupt).");
}

/* Tells whether the name is one of a file: there is such a file, or it has an ending or a directory. */
static bool looks_like_file(const char *name)
{
    return access(name, F_OK) == 0 || strchr(name, '/') != NULL ||
           (name[0] != '-' && strchr(name, '.') != NULL);
}

static int complain_command(const char *name)
{
    const char *names[N_COMMANDS];
    for (size_t i = 0; i < N_COMMANDS; i++)
        names[i] = commands[i]->name;
    const char *nearest = dedpul_nearest_name(name, N_COMMANDS, names);
    if (looks_like_file(name))
        complain(
            "'%s' is a file; say what to do with it: 'dedpul fit %s' for a table, 'dedpul scores %s' for "
            "scores of a classifier, or another command of 'dedpul --help'",
            name, name, name);
    else if (name[0] == '-')
        complain("the command comes before its options: dedpul COMMAND %s ...; see 'dedpul --help'", name);
    else if (nearest != NULL)
        complain("unknown command '%s'; did you mean '%s'? See 'dedpul --help'", name, nearest);
    else
        complain("unknown command '%s'; see 'dedpul --help'", name);
    return EXIT_USAGE;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        complain("no command given; see 'dedpul --help'");
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help();
        return EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("dedpul %s\n", dedpul_version());
        return EXIT_OK;
    }
    if (strcmp(argv[1], "--completion") == 0)
        return completion_print(argc > 2 ? argv[2] : "", commands);
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(argv[1], commands[i]->name) == 0)
            return command_run(commands[i], argc - 1, argv + 1);
    return complain_command(argv[1]);
}

int main(int argc, char **argv)
{
    const int code = run(argc, argv);
    if (code == EXIT_OK && !flush_output()) /* else a message was there already */
        return EXIT_FAILED;
    return code;
}
