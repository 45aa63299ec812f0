/* All options of a command in one list: --help, its own, those of the library. */
#ifndef DEDPUL_CLI_OPTION_LIST_H
#define DEDPUL_CLI_OPTION_LIST_H

#include "command_line.h"

/* The index of --help, which has no field. */
enum { HELP_OPTION = 0 };

struct option_list {
    size_t n;
    size_t n_fields; /* the first ones have a field in the request; the others are the library's */
    struct command_option *option; /* (n) offsets are from the beginning of the request */
};

/* False if there is no memory. */
bool option_list_make(struct option_list *list, const struct command_line *line);
void option_list_free(struct option_list *list);

/* The choices of a value that may be left out, "a|b"; NULL if there are none. */
const char *optional_choices(const struct command_option *option);

/* Whether its value may be left out. */
bool has_optional_value(const struct command_option *option);

#endif
