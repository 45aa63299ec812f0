#include "drawing.h"

#include "gnuplot.h"
#include "message.h"
#include "output_files.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static const struct format {
    const char *ending, *terminal;
    double scale;           /* of its unit of length to a pixel of SVG */
    const char *unit, *end; /* the unit; and what is among the last bytes of a whole file */
} formats[] = {{".svg", "svg enhanced background rgb 'white' font 'Helvetica,13'", 1, "", "</svg>"},
               {".png",
                "pngcairo enhanced background rgb 'white' font 'Helvetica,13' fontscale 1.5 linewidth 1.5 "
                "pointscale 2.4",
                2, "", "IEND"},
               {".pdf",
                "pdfcairo enhanced background rgb 'white' font 'Helvetica,13' fontscale 0.5625 linewidth 1.5",
                1.0 / 96, "in", "%%EOF"}};

static const struct format *format_of(const char *path)
{
    const size_t length = strlen(path);
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        const size_t n = strlen(formats[f].ending);
        if (length > n && strcasecmp(path + length - n, formats[f].ending) == 0)
            return &formats[f];
    }
    return NULL;
}

bool is_figure_name(const char *path)
{
    return format_of(path) != NULL;
}

void print_quoted(FILE *script, const char *text)
{
    (void)fputc('\'', script);
    while (*text != '\0') {
        if (*text == '\'')
            (void)fputc('\'', script);
        text += put_character(script, text);
    }
    (void)fputc('\'', script);
}

double axis_step(double length, double most)
{
    const double power = pow(10, floor(log10(length / most))), least = length / most / power;
    return power * (least <= 1 ? 1 : least <= 2 ? 2 : least <= 5 ? 5 : 10);
}

void print_y_axis(FILE *script, double lowest, double highest)
{
    const double step = axis_step(highest - lowest, 5);
    (void)fprintf(script, "set ytics %g nomirror\nset yrange [%g:%g]\n", step, step * floor(lowest / step),
                  step * ceil(highest / step));
}

void print_captions(FILE *script, const char *left, const char *left_colour, const char *right,
                    const char *right_colour)
{
    (void)fprintf(script,
                  "set label 1 '%s' at graph 0, graph 1.06 left textcolor rgb '%s'\n"
                  "set label 2 '%s' at graph 1, graph 1.06 right textcolor rgb '%s'\n",
                  left, left_colour, right, right_colour);
}

/* gnuplot does not tell of a full disk. */
static bool is_whole(FILE *picture, const char *end)
{
    char tail[9] = "";
    return fseek(picture, -8, SEEK_END) == 0 && fread(tail, 1, 8, picture) == 8 && strstr(tail, end) != NULL;
}

static bool draw_picture(FILE *picture, const struct drawing *drawing, const struct format *format)
{
    struct gnuplot gnuplot;
    if (!gnuplot_start(&gnuplot, fileno(picture)))
        return false;
    (void)fprintf(gnuplot.script, "set terminal %s size %g%s,%g%s\n", format->terminal,
                  drawing->width * format->scale, format->unit, drawing->height * format->scale,
                  format->unit);
    drawing->print(gnuplot.script, drawing->what);
    if (!gnuplot_end(&gnuplot))
        return false;
    if (!is_whole(picture, format->end))
        complain("cannot plot: gnuplot drew no whole picture (is the disk full?)");
    return is_whole(picture, format->end);
}

static void copy_picture(FILE *stream, const void *what)
{
    FILE *const *picture = what;
    char block[4096];
    size_t n;
    rewind(*picture);
    while ((n = fread(block, 1, sizeof block, *picture)) > 0)
        (void)fwrite(block, 1, n, stream);
}

bool draw(const char *path, const struct drawing *drawing)
{
    dedpul_error error;
    FILE *picture = tmpfile(); /* gone with the program, whatever happens */
    if (picture == NULL) {
        complain("cannot plot: no temporary file (%s)", strerror(errno));
        return false;
    }
    bool done = draw_picture(picture, drawing, format_of(path));
    if (done && write_whole(path, copy_picture, &picture, &error) != DEDPUL_OK) {
        complain("%s", error.message);
        done = false;
    }
    (void)fclose(picture);
    return done;
}
