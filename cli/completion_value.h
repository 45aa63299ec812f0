/* What a shell can offer as the value of an option. */
#ifndef DEDPUL_CLI_COMPLETION_VALUE_H
#define DEDPUL_CLI_COMPLETION_VALUE_H

#include "option_list.h"

enum value_kind { VALUE_NONE, VALUE_ANY, VALUE_FILE, VALUE_DIRECTORY, VALUE_WORD, VALUE_LIST };

struct value {
    enum value_kind kind; /* VALUE_LIST: words with commas between them */
    bool is_optional;
    char words[1000]; /* with spaces between them; "" if there are none to choose from */
};

struct value value_of(const struct command_line *line, const struct command_option *option);

#endif
