/* Pictures of an evaluation, drawn with gnuplot (--plot). */
#ifndef DEDPUL_CLI_EVALUATION_PLOT_H
#define DEDPUL_CLI_EVALUATION_PLOT_H

#include "evaluation_output.h"

/*
 * Draws precision and recall in the terminal, or four panels to a file; `where` is the value of --plot, as in
 * plot.h. False, after a message, if that cannot be done.
 */
bool plot_evaluation(const char *where, const struct evaluated *evaluated);

#endif
