/* Options about columns of scores and of tables. */
#ifndef DEDPUL_CLI_COLUMN_OPTIONS_H
#define DEDPUL_CLI_COLUMN_OPTIONS_H

#include "command_line.h"

/* --label, --positive, --weight, --id and --decimal. Fields are in a dedpul_columns. */
extern const struct command_option column_option_table[];

#define ID_HELP \
    "Column of identifiers: the first column of files that are written for rows, and never a feature."
#define NO_HEADER_HELP "Line 1 is data, not names of columns; these are then called 1, 2, ..."

#endif
