/* Pictures of the answer, drawn with gnuplot (--plot). */
#ifndef DEDPUL_CLI_PLOT_H
#define DEDPUL_CLI_PLOT_H

#include <dedpul.h>

#include <stdbool.h>

struct plot {
    const char *where; /* the value of --plot. NULL: no plot; "": D(alpha) in the terminal; else a figure */
    const char *file;  /* of the input */
    const dedpul_result *result;
    const dedpul_sample *rows; /* which the result was made from */
    const unsigned char *label;
};

/* Draws it. False, after a message, if that cannot be done. */
bool plot_answer(const struct plot *plot);

/* Whether it is for the terminal, and the figure's name, or NULL. */
bool plot_is_for_terminal(const char *where);
const char *plot_file(const char *where);

/* How many columns a plot in the terminal has. */
int terminal_width(void);

#endif
