/* What report.md says about the cost of fits: the answers of the default method by the time of training. */
#include "bench_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A setting that was run on all UCI sets. */
struct point {
    const char *setting;
    unsigned n_runs;
    double seconds, alpha, classification, log_loss, covered;
};

/* The default method, by its index in variant_at. */
static unsigned default_method(void)
{
    dedpul_options options;
    unsigned m = 0;
    dedpul_options_init(&options);
    while (strcmp(variant_at(m)->name, options.method) != 0)
        m++;
    return m;
}

static bool point_make(const struct setting *setting, struct point *point)
{
    const unsigned method = default_method();
    const place_set uci = places_uci(setting);
    unsigned n_runs;
    if (setting->kind != KIND_DATASETS)
        return false;
    for (size_t p = 0; p < setting->n_places; p++)
        if (has_place(uci, p) && setting->cell[method][p].of[MEASURE_SECONDS].n == 0)
            return false;
    *point = (struct point){
        .setting = setting->name,
        .seconds = mean_over_runs(setting, method, uci, MEASURE_SECONDS, &n_runs),
        .alpha = mean_over_runs(setting, method, uci, MEASURE_ABS_ERROR, &n_runs),
        .classification = mean_over_runs(setting, method, uci, MEASURE_ERROR, &n_runs),
        .log_loss = mean_over_runs(setting, method, uci, MEASURE_LOG_LOSS, &n_runs),
        .covered = mean_over_runs(setting, method, uci, MEASURE_COVERED, &n_runs),
    };
    point->n_runs = n_runs;
    return true;
}

static int compare_seconds(const void *a, const void *b)
{
    const double x = ((const struct point *)a)->seconds, y = ((const struct point *)b)->seconds;
    return (x > y) - (x < y);
}

enum { MOST_POINTS = 32 };

struct costs {
    size_t n;
    struct point point[MOST_POINTS]; /* (n) the fastest first */
};

static void costs_make(struct costs *costs, const struct summary *summary)
{
    costs->n = 0;
    for (size_t s = 0; s < summary->n && costs->n < MOST_POINTS; s++)
        costs->n += point_make(&summary->setting[s], &costs->point[costs->n]);
    qsort(costs->point, costs->n, sizeof *costs->point, compare_seconds);
}

void print_costs(FILE *stream, const struct summary *summary, bool has_figures)
{
    struct costs costs;
    costs_make(&costs, summary);
    if (costs.n == 0)
        return;
    (void)fprintf(
        stream,
        "## Time and accuracy\n\n"
        "The default method, %s, on the UCI sets: means over all runs. Seconds are those of one core for"
        " the whole fit. Classification is the share of errors with alpha given, log-loss that of the"
        " answer's own posteriors, and held says how many of the 95%% intervals hold alpha.\n\n"
        "| | setting | runs | seconds | error of alpha | classification | log-loss | held |\n"
        "|---|---|---|---|---|---|---|---|\n",
        variant_at(default_method())->title);
    for (size_t i = 0; i < costs.n; i++) {
        const struct point *point = &costs.point[i];
        (void)fprintf(stream, "| %zu | %s | %u | %.2f | %.4f | %.4f | %.4f | %.1f%% |\n", i + 1,
                      point->setting, point->n_runs, point->seconds, point->alpha, point->classification,
                      point->log_loss, 100 * point->covered);
    }
    (void)fputc('\n', stream);
    if (has_figures && costs.n > 1)
        (void)fputs("The numbers of the points are those of the table.\n\n"
                    "![Error by time of a fit](figures/" COST_FIGURE ".svg)\n\n",
                    stream);
}

/* ---- the figure ---- */

static void print_cost_panel(FILE *script, const char *title, int column)
{
    (void)fprintf(script,
                  "set title '%s' offset 0,-0.6\n"
                  "plot $points using 1:%d with points pointtype 7 pointsize 0.7 linecolor rgb '" BLUE
                  "' notitle, $points using 1:%d:4 with labels left offset 0.7,0.4 notitle\n",
                  title, column, column);
}

static void print_cost_figure(FILE *script, const void *what)
{
    const struct costs *costs = what;
    (void)fputs("$points << EOD\n", script);
    for (size_t i = 0; i < costs->n; i++) {
        const struct point *point = &costs->point[i];
        (void)fprintf(script, "%.6g %.6g %.6g %zu\n", point->seconds, point->alpha, point->classification,
                      i + 1);
    }
    (void)fprintf(
        script,
        "EOD\nset multiplot layout 2,1\nset logscale x\nset xrange [%g:%g]\n" GRID
        "set xlabel 'core-seconds of a fit' offset 0,0.6\nset offsets 0, 0, graph 0.12, graph 0.06\n",
        costs->point[0].seconds / 1.5, costs->point[costs->n - 1].seconds * 1.5);
    print_cost_panel(script, "mean absolute error of alpha, UCI sets", 2);
    print_cost_panel(script, "share of errors, alpha given, UCI sets", 3);
    (void)fputs("unset multiplot\n", script);
}

bool costs_draw(const char *directory, const struct summary *summary)
{
    struct costs costs;
    costs_make(&costs, summary);
    return costs.n < 2 ||
           figure_draw(directory, COST_FIGURE, &(struct drawing){800, 720, print_cost_figure, &costs});
}
