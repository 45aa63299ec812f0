#include "evaluation_plot.h"

#include "drawing.h"
#include "gnuplot.h"
#include "plot.h"

#include <math.h>
#include <unistd.h>

static void print_range(FILE *script, const dedpul_range *range)
{
    (void)fprintf(script, " %.6g %.6g %.6g", range->value, range->low, range->high);
}

/* Columns: flagged; precision, its low and high end; the same for recall and for lift. */
static void print_curve(FILE *script, const dedpul_evaluation *evaluation)
{
    (void)fputs("$curve << EOD\n", script);
    for (size_t c = 0; c < evaluation->n_curve; c++) {
        const dedpul_threshold *at = evaluation->curve[c];
        (void)fprintf(script, "%.6g", at->flagged);
        print_range(script, &at->precision);
        print_range(script, &at->recall);
        print_range(script, &at->lift);
        (void)fputc('\n', script);
    }
    (void)fputs("EOD\n", script);
}

/* ---- in the terminal ---- */

static bool plot_in_terminal(const dedpul_evaluation *evaluation)
{
    struct gnuplot gnuplot;
    if (!gnuplot_start(&gnuplot, STDOUT_FILENO))
        return false;
    print_curve(gnuplot.script, evaluation);
    (void)fprintf(
        gnuplot.script,
        "set terminal dumb mono %d 22\n"
        "set title 'Precision (P) and recall (R) by the share of unlabeled rows that are flagged'\n"
        "set xrange [0:1]\nset yrange [0:1]\nunset key\n"
        "plot $curve using 1:2 with points pointtype 'P', $curve using 1:5 with points pointtype 'R'\n",
        terminal_width());
    return gnuplot_end(&gnuplot);
}

/* ---- in a file ---- */

enum { WIDTH = 900, HEIGHT = 680 };

#define BAND " with filledcurves fillcolor rgb '" SKY "' fillstyle transparent solid 0.35 notitle"
#define LINE " with lines linewidth 2.5 linecolor rgb "

static void print_precision_recall(FILE *script, double level)
{
    char band[64];
    (void)snprintf(band, sizeof band, "band: %g%% range", 100 * level);
    print_captions(script, "estimate", BLUE, band, GREY);
    (void)fputs("set title 'Precision by recall' offset 0,0.5\nset xlabel 'recall'\nset ylabel 'precision'\n"
                "plot $curve using 5:3:4" BAND ", $curve using 5:2" LINE "'" BLUE "'\n",
                script);
}

/* The threshold in force is a vertical line. */
static void print_by_flagged(FILE *script, const dedpul_evaluation *evaluation)
{
    const dedpul_threshold *at = evaluation->threshold;
    print_captions(script, "precision", BLUE, "recall", RED);
    if (at->rows > 0)
        (void)fprintf(
            script,
            "set arrow 1 from %.6g, graph 0 to %.6g, graph 1 nohead linewidth 1 linecolor rgb '" GREY "'\n",
            at->flagged, at->flagged);
    (void)fputs("set title 'Precision and recall; the line is the threshold'\n"
                "set xlabel 'share of unlabeled rows that are flagged'\nset ylabel ''\n"
                "plot $curve using 1:3:4" BAND ", $curve using 1:6:7" BAND ", $curve using 1:2" LINE "'" BLUE
                "', $curve using 1:5" LINE "'" RED "'\nunset arrow\n",
                script);
}

static void print_lift(FILE *script, const dedpul_evaluation *evaluation)
{
    double highest = 1;
    for (size_t c = 0; c < evaluation->n_curve; c++)
        highest = fmax(highest, fmin(evaluation->curve[c]->lift.high, 2 / evaluation->alpha));
    print_captions(script, "estimate", BLUE, "no better than chance: 1", GREY);
    print_y_axis(script, 0, highest);
    (void)fputs("set title 'Lift: precision / alpha'\nset ylabel 'lift'\n"
                "plot $curve using 1:9:10" BAND ", 1 with lines linewidth 1 linecolor rgb '" GREY
                "', $curve using 1:8" LINE "'" BLUE "'\n",
                script);
}

static void print_calibration(FILE *script, const dedpul_evaluation *evaluation)
{
    char chance[64];
    (void)fputs("$bins << EOD\n", script);
    for (size_t b = 0; b < evaluation->n_bins; b++)
        (void)fprintf(script, "%.6g %.6g\n", evaluation->bins[b]->posterior, evaluation->bins[b]->share);
    (void)fputs("EOD\n", script);
    (void)snprintf(chance, sizeof chance, "so far apart by chance: p = %.2g", evaluation->calibration_chance);
    print_captions(script, "bins of scores", BLUE, chance, GREY);
    (void)fputs("set title 'Calibration'\nset xlabel 'mean posterior'\n"
                "set ylabel 'share of positives, by labeled rows'\nset ytics 0.2 nomirror\nset yrange [0:1]\n"
                "plot x with lines linewidth 1 linecolor rgb '" GREY
                "', $bins with points pointtype 7 pointsize 0.9 linecolor rgb '" BLUE "'\n",
                script);
}

static void print_panels(FILE *script, const void *what)
{
    const struct evaluated *evaluated = what;
    const dedpul_evaluation *evaluation = evaluated->evaluation;
    const double width = WIDTH, height = HEIGHT;
    char title[512];
    (void)snprintf(title, sizeof title, "%s: AUC %.4f, %.4f to %.4f (alpha = %.4f, method %s)",
                   evaluated->file, evaluation->auc.value, evaluation->auc.low, evaluation->auc.high,
                   evaluation->alpha, evaluated->result->method);
    (void)fprintf(script, "set multiplot layout 2,2 margins %g,%g,%g,%g spacing %g,%g title ", 90 / width,
                  1 - 20 / width, 65 / height, 1 - 90 / height, 105 / width, 130 / height);
    print_quoted(script, title);
    (void)fputs(" noenhanced\n" GRID
                "set format '%g'\nunset key\nset xrange [0:1]\nset xtics 0, 0.2 nomirror\n"
                "set yrange [0:1]\nset ytics 0.2 nomirror\n",
                script);
    print_curve(script, evaluation);
    print_precision_recall(script, evaluation->level);
    print_by_flagged(script, evaluation);
    print_lift(script, evaluation);
    print_calibration(script, evaluation);
    (void)fputs("unset multiplot\n", script);
}

bool plot_evaluation(const char *where, const struct evaluated *evaluated)
{
    if (where == NULL)
        return true;
    if (plot_is_for_terminal(where))
        return plot_in_terminal(evaluated->evaluation);
    return draw(where, &(struct drawing){WIDTH, HEIGHT, print_panels, evaluated});
}
