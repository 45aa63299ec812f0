/* What a threshold must achieve: options of evaluate, fit and predict. */
#ifndef DEDPUL_CLI_GOAL_OPTIONS_H
#define DEDPUL_CLI_GOAL_OPTIONS_H

#include "command.h"

enum { N_GOALS = 7 };

/* At most one is given. */
struct goal_options {
    const char *value[N_GOALS]; /* NULL: not given */
};

extern const struct command_option goal_option_table[];

/* Whether a goal is given. */
bool goal_is_given(const struct goal_options *goals);

/* Sets the goal that is given, if there is one. Returns an exit code, after a message if it is not 0. */
int goal_options_read(const struct goal_options *goals, dedpul_evaluate_options *options);

#endif
