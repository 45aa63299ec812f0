#include "command.h"
#include "gnuplot.h"

#include <sys/ioctl.h>
#include <unistd.h>

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
        return size.ws_col < 120 ? size.ws_col : 120;
    return 79;
}

static void write_script(FILE *script, const dedpul_result *result)
{
    (void)fputs("$d << EOD\n", script);
    for (size_t j = 0; j < DEDPUL_CURVE_POINTS; j++)
        (void)fprintf(script, "%.3f %.6g\n", result->curve_alpha[j], result->curve_d[j]);
    (void)fprintf(script, "EOD\n$alpha << EOD\n%.6g 0\nEOD\n", result->alpha);
    (void)fprintf(script,
                  "set terminal dumb mono %d 22\n"
                  "set title 'D(alpha) = alpha - mean posterior'\n"
                  "set xlabel 'alpha'\n"
                  "set key top left\n"
                  "plot $d with dots title 'D', 0 with lines title '0', "
                  "$alpha with points pointtype 1 title 'alpha = %.4f'\n",
                  terminal_width(), result->alpha);
}

bool plot_curve(const dedpul_result *result)
{
    struct gnuplot gnuplot;
    if (!gnuplot_start(&gnuplot))
        return false;
    write_script(gnuplot.script, result);
    return gnuplot_end(&gnuplot);
}
