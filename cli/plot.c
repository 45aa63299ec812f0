/* Pictures of the answer: D(alpha) in the terminal, or four panels in a file. */
#include "plot.h"

#include "answer.h"
#include "drawing.h"
#include "gnuplot.h"

#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool plot_is_for_terminal(const char *where)
{
    return where != NULL && where[0] == '\0';
}

const char *plot_file(const char *where)
{
    return plot_is_for_terminal(where) ? NULL : where;
}

static void print_curve(FILE *script, const dedpul_result *result)
{
    (void)fputs("$d << EOD\n", script);
    for (size_t j = 0; j < result->n_curve; j++)
        (void)fprintf(script, "%.3f %.6g\n", result->curve_alpha[j], result->curve_d[j]);
    (void)fprintf(script, "EOD\n$alpha << EOD\n%.6g 0\nEOD\n", result->alpha);
}

/* ---- in the terminal ---- */

int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
        return size.ws_col < 120 ? size.ws_col : 120;
    return 79;
}

static bool plot_in_terminal(const dedpul_result *result)
{
    struct gnuplot gnuplot;
    if (!gnuplot_start(&gnuplot, STDOUT_FILENO))
        return false;
    print_curve(gnuplot.script, result);
    (void)fprintf(gnuplot.script,
                  "set terminal dumb mono %d 22\n"
                  "set title 'D(alpha) = alpha - mean posterior'\n"
                  "set xlabel 'alpha'\n"
                  "set key top left\n"
                  "plot $d with dots title 'D', 0 with lines title '0', "
                  "$alpha with points pointtype 1 title 'alpha = %.4f'\n",
                  terminal_width(), result->alpha);
    return gnuplot_end(&gnuplot);
}

/* ---- in a file: panels of densities, their ratio, D(alpha) and posteriors ---- */

enum { WIDTH = 900, ROW_HEIGHT = 320, HEAD_HEIGHT = 40, N_BINS = 25 };

/* Scores that hardly differ leave nothing to see. */
static bool has_densities(const dedpul_result *result)
{
    return result->n_grid > 0 && result->grid_logit[result->n_grid - 1] - result->grid_logit[0] > 1e-6;
}

/* Columns logit, f_p, f_u, smoothed ratio, and the ratio before smoothing, cut at `highest`. */
static void print_grid(FILE *script, const dedpul_result *result, double highest)
{
    (void)fputs("$grid << EOD\n", script);
    for (size_t i = 0; i < result->n_grid; i++) {
        const double p = result->grid_positive[i], u = result->grid_unlabeled[i];
        (void)fprintf(script, "%.12g %.5g %.5g %.5g %.5g\n", result->grid_logit[i], p, u,
                      result->grid_ratio[i], p > highest * u ? highest : p / u); /* NaN if both are 0 */
    }
    (void)fputs("EOD\n", script);
}

static double largest(size_t n, const double *number, double at_least)
{
    for (size_t i = 0; i < n; i++)
        at_least = fmax(at_least, number[i]); /* which ignores NaN */
    return at_least;
}

/* Draws an axis of logits with the scores below them. */
static void print_logit_axis(FILE *script, const dedpul_result *result)
{
    const double from = result->grid_logit[0], to = result->grid_logit[result->n_grid - 1];
    const double step = axis_step(to - from, 7);
    (void)fprintf(script, "set xrange [%.12g:%.12g]\nset xtics (", from, to);
    for (double k = ceil(from / step); k * step <= to; k++) {
        const double logit = k * step, score = 1 / (1 + exp(-logit));
        (void)fprintf(script, "\"%.6g\\n%.*g\" %.12g,", logit,
                      score < 0.95    ? 2
                      : score < 0.995 ? 3
                                      : 4,
                      score, logit);
    }
    (void)fputs(" \"\" 1e9) nomirror\nset xlabel 'logit of the score, and the score' offset 0,-0.5\n",
                script);
}

static void print_density_panels(FILE *script, const dedpul_result *result)
{
    const size_t n = result->n_grid;
    const double highest = 2 * largest(n, result->grid_ratio, 0.5);
    print_grid(script, result, 10 * highest);
    print_logit_axis(script, result);
    print_y_axis(script, 0, largest(n, result->grid_positive, largest(n, result->grid_unlabeled, 1e-3)));
    print_captions(script, "labeled rows (filled)", LABELED, "unlabeled rows", UNLABELED);
    (void)fputs("set title 'How scores are distributed' offset 0,0.5\nset ylabel 'density'\n"
                "plot $grid using 1:2 with filledcurves y1=0 fillcolor rgb '" LABELED
                "' fillstyle transparent solid 0.15, "
                "$grid using 1:3 with lines linewidth 2 linecolor rgb '" UNLABELED "', "
                "$grid using 1:2 with lines linewidth 2 linecolor rgb '" LABELED "'\n",
                script);
    print_y_axis(script, 0, highest);
    print_captions(script, "smoothed", BLUE, "before smoothing (thin)", GREY);
    (void)fputs("set title 'Ratio of the densities, labeled to unlabeled'\nset ylabel 'ratio'\n"
                "plot $grid using 1:5 with lines linewidth 1 linecolor rgb '" GREY "', "
                "$grid using 1:4 with lines linewidth 2.5 linecolor rgb '" BLUE "'\n",
                script);
}

static void print_curve_panel(FILE *script, const dedpul_result *result)
{
    const dedpul_interval *interval = result->interval;
    double lowest = 0;
    char alpha[64], band[64] = "";
    for (size_t j = 0; j < result->n_curve; j++)
        lowest = fmin(lowest, result->curve_d[j]);
    print_curve(script, result);
    print_y_axis(script, lowest, largest(result->n_curve, result->curve_d, 0.1)); /* a flat one looks flat */
    (void)snprintf(alpha, sizeof alpha, "dot: alpha = %.4f", result->alpha);
    if (has_interval(result)) {
        (void)snprintf(band, sizeof band, "band: %g%%, %.3f to %.3f", 100 * interval->level, interval->low,
                       interval->high);
        (void)fprintf(script,
                      "set object 1 rectangle from %.6g, graph 0 to %.6g, graph 1 behind fillcolor rgb '" SKY
                      "' fillstyle transparent solid 0.35 noborder\n",
                      interval->low, interval->high);
    }
    print_captions(script, alpha, BLACK, band, BLUE);
    (void)fputs(
        "set title 'D(alpha) = alpha - mean posterior' offset 0,0.5\n"
        "set xlabel 'alpha' offset 0,0\nset ylabel 'D(alpha)'\nset xrange [0:1]\nset xtics 0, 0.2 nomirror\n"
        "plot 0 with lines linewidth 1 linecolor rgb '" GREY "', "
        "$d every 4 with lines linewidth 2.5 linecolor rgb '" BLUE "', "
        "$alpha with points pointtype 7 pointsize 0.9 linecolor rgb '" BLACK "'\nunset object 1\n",
        script);
}

static void print_posterior_panel(FILE *script, const struct plot *plot)
{
    double bin[N_BINS] = {0};
    const dedpul_result *result = plot->result;
    for (size_t i = 0, k = 0; i < plot->rows->n; i++)
        if (plot->label[i] == 0) {
            const double place = floor(result->posterior[k++] * N_BINS);
            bin[place < N_BINS ? (size_t)place : N_BINS - 1] +=
                plot->rows->weight != NULL ? plot->rows->weight[i] : 1;
        }
    print_y_axis(script, 0, largest(N_BINS, bin, 1));
    (void)fputs("$bins << EOD\n", script);
    for (size_t b = 0; b < N_BINS; b++)
        (void)fprintf(script, "%.4f %.8g\n", ((double)b + 0.5) / N_BINS, bin[b]);
    (void)fprintf(script,
                  "EOD\nunset label\nset title 'How probable it is that unlabeled rows are positive'\n"
                  "set xlabel 'posterior'\nset ylabel 'unlabeled rows'\nset xrange [0:1]\n"
                  "set xtics 0, 0.2 nomirror\nset boxwidth %g\n"
                  "plot $bins with boxes fillcolor rgb '" BLUE
                  "' fillstyle solid 0.6 border linecolor rgb '" BLUE "'\n",
                  1.0 / N_BINS);
}

static void print_panels(FILE *script, const void *what)
{
    const struct plot *plot = what;
    const dedpul_result *result = plot->result;
    const int rows = has_densities(result) ? 2 : 1;
    const double width = WIDTH, height = HEAD_HEIGHT + rows * ROW_HEIGHT;
    char title[512];
    (void)snprintf(title, sizeof title, "%s: alpha = %.4f (method %s)", plot->file, result->alpha,
                   result->method);
    (void)fprintf(script, "set multiplot layout %d,2 margins %g,%g,%g,%g spacing %g,%g title ", rows,
                  90 / width, 1 - 20 / width, 65 / height, 1 - 90 / height, 105 / width, 130 / height);
    print_quoted(script, title);
    (void)fputs(" noenhanced\n" GRID "set format '%g'\nunset key\n", script);
    if (has_densities(result))
        print_density_panels(script, result);
    print_curve_panel(script, result);
    print_posterior_panel(script, plot);
    (void)fputs("unset multiplot\n", script);
}

bool plot_answer(const struct plot *plot)
{
    if (plot->where == NULL)
        return true;
    if (plot_is_for_terminal(plot->where))
        return plot_in_terminal(plot->result);
    const int height = HEAD_HEIGHT + (has_densities(plot->result) ? 2 : 1) * ROW_HEIGHT;
    return draw(plot->where, &(struct drawing){WIDTH, height, print_panels, plot});
}
