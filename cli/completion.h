/* Scripts by which shells complete command lines, made from the commands' tables of options. */
#ifndef DEDPUL_CLI_COMPLETION_H
#define DEDPUL_CLI_COMPLETION_H

#include "command.h"

/* Prints the script for a shell. Returns an exit code, after a message if the shell is not known. */
int completion_print(const char *shell, const struct command *const *commands /* NULL after the last */);

#endif
