/* Drawing through gnuplot, a program of its own that reads a script from a pipe. */
#ifndef DEDPUL_CLI_GNUPLOT_H
#define DEDPUL_CLI_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct gnuplot {
    FILE *script; /* to write to */
    pid_t process;
};

/* Draws to a file that is open. False, after a message, if gnuplot does not start. */
bool gnuplot_start(struct gnuplot *gnuplot, int output);

/* Waits until all is drawn. False, after a message, if something was not. */
bool gnuplot_end(struct gnuplot *gnuplot);

#endif
