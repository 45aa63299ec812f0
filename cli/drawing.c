#include "drawing.h"

#include "command.h"
#include "gnuplot.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

void print_quoted(FILE *script, const char *text)
{
    (void)fputc('\'', script);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            (void)fputc('\'', script);
        (void)fputc(iscntrl((unsigned char)*text) ? '?' : *text, script);
    }
    (void)fputc('\'', script);
}

bool draw(const struct drawing *drawing)
{
    static const struct {
        const char *ending, *terminal;
        int scale;
    } format[] = {{"svg", "svg enhanced background rgb 'white' font 'Helvetica,13'", 1},
                  {"png",
                   "pngcairo enhanced background rgb 'white' font 'Helvetica,13' fontscale 1.5 linewidth 1.5 "
                   "pointscale 2.4",
                   2}};
    enum { N_FORMATS = sizeof format / sizeof format[0] };
    char path[N_FORMATS][PATH_MAX], temporary[N_FORMATS][PATH_MAX];
    struct gnuplot gnuplot;
    bool is_drawn;
    if (!gnuplot_start(&gnuplot))
        return false;
    for (size_t f = 0; f < N_FORMATS; f++) {
        (void)snprintf(path[f], PATH_MAX, "%s/%s.%s", drawing->directory, drawing->name, format[f].ending);
        (void)snprintf(temporary[f], PATH_MAX, "%s/.%s.%s.tmp", drawing->directory, drawing->name,
                       format[f].ending);
        (void)fprintf(gnuplot.script, "reset session\nset terminal %s size %d,%d\nset output ",
                      format[f].terminal, drawing->width * format[f].scale,
                      drawing->height * format[f].scale);
        print_quoted(gnuplot.script, temporary[f]);
        (void)fputc('\n', gnuplot.script);
        drawing->print(gnuplot.script, drawing->what);
        (void)fputs("unset output\n", gnuplot.script);
    }
    is_drawn = gnuplot_end(&gnuplot);
    for (size_t f = 0; f < N_FORMATS; f++)
        if (is_drawn && rename(temporary[f], path[f]) != 0) {
            complain("cannot write %s: %s", path[f], strerror(errno));
            is_drawn = false;
        }
    for (size_t f = 0; f < N_FORMATS && !is_drawn; f++)
        (void)unlink(temporary[f]);
    return is_drawn;
}
