/* Options about columns of scores and of tables. */
#ifndef DEDPUL_CLI_COLUMN_OPTIONS_H
#define DEDPUL_CLI_COLUMN_OPTIONS_H

#include "command_line.h"

/* --label, --positive and --weight. Fields are in a dedpul_columns. */
extern const struct command_option column_option_table[];

#endif
