/* The figures of a report, drawn by gnuplot. */
#include "bench_report.h"

#include "command.h"
#include "experiments.h"
#include "gnuplot.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names ---- */

void figure_name(char name[FIGURE_NAME_SIZE], const struct setting *setting, enum task task,
                 enum family family, enum figure figure)
{
    static const char *const tasks[N_TASKS] = {"proportion", "classification"};
    static const char *const families[N_FAMILIES] = {"methods", "ablations"};
    static const char *const figures[N_FIGURES] = {"", "-ranks"};
    (void)snprintf(name, FIGURE_NAME_SIZE, "%s-%s-%s%s", setting->name, tasks[task], families[family],
                   figures[figure]);
    for (char *c = name; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            *c = '-';
}

/* More lines than this nobody tells apart. */
enum { MOST_LINES = 8 };

bool figure_exists(const struct standings *standings, enum family family, enum figure figure)
{
    struct choice choice;
    standings_choose(standings, family, MOST_LINES, &choice);
    return choice.n >= 2 && (figure == FIGURE_LINES || choice.common.n >= 2);
}

/* ---- a figure ---- */

/* A string of gnuplot's. */
static void print_quoted(FILE *script, const char *text)
{
    (void)fputc('\'', script);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            (void)fputc('\'', script);
        (void)fputc(iscntrl((unsigned char)*text) ? '?' : *text, script);
    }
    (void)fputc('\'', script);
}

/* Colours that the colour-blind tell apart (Okabe and Ito), and points that all do. */
static void print_styles(FILE *script)
{
    static const struct {
        const char *colour;
        int point;
    } style[MOST_LINES] = {{"#0072B2", 7},  {"#D55E00", 5}, {"#009E73", 9}, {"#CC79A7", 11},
                           {"#E69F00", 13}, {"#000000", 6}, {"#56B4E9", 4}, {"#777777", 8}};
    for (int i = 0; i < MOST_LINES; i++)
        (void)fprintf(script, "set linetype %d linecolor rgb '%s' pointtype %d pointsize 0.8 linewidth %s\n",
                      i + 1, style[i].colour, style[i].point, i == 0 ? "2.5" : "1.5");
}

struct drawing {
    const char *directory; /* of the figures */
    const char *name;
    int width, height; /* pixels of the SVG */
    void (*print)(FILE *script, const void *what);
    const void *what;
};

/* Draws to a temporary file, which then takes the figure's place. */
static bool draw(const struct drawing *drawing)
{
    static const struct {
        const char *ending, *terminal;
        int scale;
    } format[] = {{"svg", "svg enhanced background rgb 'white' font 'Helvetica,13'", 1},
                  {"png",
                   "pngcairo enhanced background rgb 'white' font 'Helvetica,13' fontscale 1.5 linewidth 1.5 "
                   "pointscale 1.5",
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
        print_styles(gnuplot.script);
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

/* ---- error by alpha, a panel per set ---- */

struct panels {
    const struct standings *standings;
    struct choice choice;
    size_t n;
    const struct set *set[MOST_PLACES]; /* (n) with any results */
    size_t columns, rows;               /* with room for the key behind the last panel */
};

static void panels_make(struct panels *panels, const struct standings *standings, enum family family)
{
    const struct set *set;
    panels->standings = standings;
    panels->n = 0;
    standings_choose(standings, family, MOST_LINES, &panels->choice);
    for (unsigned s = 0; (set = set_at(s)) != NULL; s++) {
        const struct places of_set = places_of_set(standings->setting, set);
        if (places_both(&of_set, &standings->run).n > 0)
            panels->set[panels->n++] = set;
    }
    panels->columns = panels->n < 4 ? 2 : panels->n < 9 ? 3 : 4;
    panels->rows = panels->n / panels->columns + 1;
}

static void print_data(FILE *script, const struct panels *panels, size_t panel)
{
    const struct setting *setting = panels->standings->setting;
    for (size_t m = 0; m < panels->choice.n; m++) {
        (void)fprintf(script, "$line%zu << EOD\n", m);
        for (size_t p = 0; p < setting->n_places; p++)
            if (setting->place[p].set == panels->set[panel] && !isnan(panels->choice.method[m]->ours[p]))
                (void)fprintf(script, "%g %.6g\n", setting->place[p].alpha,
                              panels->choice.method[m]->ours[p]);
        (void)fputs("EOD\n", script);
    }
}

static void print_panel(FILE *script, const struct panels *panels, size_t panel)
{
    print_data(script, panels, panel);
    (void)fputs("set title ", script);
    print_quoted(script, panels->set[panel]->name);
    (void)fprintf(script, " offset 0,-0.6\n%s ylabel%s\nplot ",
                  panel % panels->columns == 0 ? "set" : "unset",
                  panel % panels->columns == 0 ? " 'error' offset 1,0" : "");
    for (size_t m = panels->choice.n; m-- > 0;) /* so that DEDPUL is on top */
        (void)fprintf(script, "$line%zu with linespoints linetype %zu notitle%s", m, m + 1,
                      m > 0 ? ", " : "\n");
}

static void print_key(FILE *script, const struct panels *panels)
{
    (void)fputs(
        "unset border\nunset tics\nunset grid\nunset xlabel\nunset ylabel\nunset title\nunset nonlinear y\n"
        "set yrange [0:1]\nset key center center Left reverse samplen 2.5 spacing 1.4\nplot ",
        script);
    for (size_t m = 0; m < panels->choice.n; m++) {
        (void)fprintf(script, "-1 with linespoints linetype %zu title ", m + 1);
        print_quoted(script, panels->choice.method[m]->variant->title);
        (void)fputs(m + 1 < panels->choice.n ? ", " : "\n", script);
    }
}

static const char *task_title(const struct standings *standings)
{
    if (standings->task == TASK_PROPORTION)
        return standings->setting->kind == KIND_SYNTHETIC ? "absolute error of alpha*"
                                                          : "absolute error of alpha";
    return standings->setting->kind == KIND_SYNTHETIC ? "absolute error of posteriors, alpha* given"
                                                      : "share of errors, alpha given";
}

static void print_title(FILE *script, const struct standings *standings)
{
    char title[SETTING_SIZE + 64];
    (void)snprintf(title, sizeof title, "%s: %s", standings->setting->name, task_title(standings));
    print_quoted(script, title);
    (void)fputs(" noenhanced", script);
}

static void print_panels(FILE *script, const void *what)
{
    const struct panels *panels = what;
    const double width = 300 * (double)panels->columns, height = 230 * (double)panels->rows + 40;
    (void)fprintf(script, "set multiplot layout %zu,%zu margins %g,%g,%g,%g spacing %g,%g title ",
                  panels->rows, panels->columns, 65 / width, 1 - 15 / width, 50 / height, 1 - 65 / height,
                  55 / width, 75 / height);
    print_title(script, panels->standings);
    (void)fputs("\nset nonlinear y via sqrt(y) inverse y*y\n"
                "set xrange [0:1]\nset yrange [0:*]\nset xtics 0.25\nset grid linecolor rgb '#dddddd'\n"
                "set xlabel 'alpha' offset 0,0.6\nunset key\n",
                script);
    for (size_t panel = 0; panel < panels->n; panel++)
        print_panel(script, panels, panel);
    print_key(script, panels);
    (void)fputs("unset multiplot\n", script);
}

/* ---- critical differences ---- */

struct diagram {
    const struct standings *standings;
    struct ranking ranking;
    double first_label, bottom; /* in rows below the axis */
};

#define BAR_STEP 0.45 /* from one bar to the next, in rows */

static bool diagram_make(struct diagram *diagram, const struct standings *standings, enum family family)
{
    diagram->standings = standings;
    if (!ranking_make(&diagram->ranking, standings, family))
        return false;
    diagram->first_label = 1 + BAR_STEP * (double)diagram->ranking.n_groups;
    diagram->bottom = diagram->first_label + (double)((diagram->ranking.choice.n - 1) / 2) + 0.5;
    return true;
}

/* From a place on the axis down, and then aside to the name: the better half on the left. */
static void print_leader(FILE *script, const struct diagram *diagram, size_t position)
{
    const struct ranking *ranking = &diagram->ranking;
    const size_t n = ranking->choice.n, n_left = (n + 1) / 2, method = ranking->order[position];
    const bool is_left = position < n_left;
    const double rank = ranking->average_rank[method], end = is_left ? 1 : (double)n;
    const double y = -diagram->first_label - (double)(is_left ? position : n - 1 - position);
    char text[128];
    (void)snprintf(text, sizeof text, is_left ? "%s  {/*0.85 %.2f}" : "%s  {/*0.85 %.2f}",
                   ranking->choice.method[method]->variant->title, rank);
    (void)fprintf(script,
                  "set arrow from %g,0 to %g,%g nohead linecolor rgb '#555555'\n"
                  "set arrow from %g,%g to %g,%g nohead linecolor rgb '#555555'\nset label ",
                  rank, rank, y, rank, y, end, y);
    print_quoted(script, text);
    (void)fprintf(script, " at %g,%g %s offset %d,0\n", end, y, is_left ? "right" : "left", is_left ? -1 : 1);
}

static void print_diagram(FILE *script, const void *what)
{
    const struct diagram *diagram = what;
    const struct ranking *ranking = &diagram->ranking;
    const size_t n = ranking->choice.n;
    (void)fputs("set title ", script);
    print_title(script, diagram->standings);
    (void)fprintf(
        script,
        "\nset lmargin at screen 0.34\nset rmargin at screen 0.66\nset tmargin at screen %g\n"
        "set bmargin at screen 0.03\nset xrange [1:%zu]\nset yrange [%g:0]\n"
        "set border 4 linewidth 1.5\nunset ytics\nunset xtics\nset x2range [1:%zu]\nset x2tics 1 out\n"
        "set x2label 'average rank over %zu cells (1 is best)' offset 0,-0.3\n",
        1 - 95 / (95 + 28 * (diagram->bottom + 0.3)), n, -diagram->bottom, n, ranking->choice.common.n);
    for (size_t i = 0; i < n; i++)
        print_leader(script, diagram, i);
    for (size_t g = 0; g < ranking->n_groups; g++) {
        const double y = -BAR_STEP * (double)(g + 1), reach = 0.03 * (double)(n - 1) / 4;
        (void)fprintf(script,
                      "set arrow from %g,%g to %g,%g nohead front linewidth 5 linecolor rgb '#0072B2'\n",
                      ranking->average_rank[ranking->order[ranking->group[g].first]] - reach, y,
                      ranking->average_rank[ranking->order[ranking->group[g].last]] + reach, y);
    }
    (void)fputs("plot 1 axes x2y1 notitle\n", script);
}

/* ---- D(alpha) ---- */

struct example {
    const dedpul_result *result;
    double target;
};

static void print_example(FILE *script, const void *what)
{
    const struct example *example = what;
    const dedpul_result *result = example->result;
    (void)fputs("$d << EOD\n", script);
    for (size_t j = 0; j < result->n_curve; j++)
        (void)fprintf(script, "%.3f %.6g\n", result->curve_alpha[j], result->curve_d[j]);
    (void)fprintf(
        script,
        "EOD\n$estimate << EOD\n%.6g 0\nEOD\n"
        "set title 'D(alpha): positives L(0,1), negatives L(2,1), alpha = 0.5'\n"
        "set xlabel 'alpha'\nset ylabel 'D(alpha) = alpha - mean posterior'\n"
        "set xrange [0:1]\nset grid linecolor rgb '#dddddd'\nset key outside below\n"
        "set arrow from %.6g, graph 0 to %.6g, graph 1 nohead dashtype 2 linewidth 1.5 linecolor rgb "
        "'#D55E00'\n"
        "plot 0 with lines linecolor rgb '#777777' notitle, "
        "$d with lines linetype 1 title 'D', "
        "NaN with lines dashtype 2 linewidth 1.5 linecolor rgb '#D55E00' title 'alpha* = %.3f', "
        "$estimate with points pointtype 7 pointsize 1.4 linecolor rgb '#000000' title 'estimate = %.3f'\n",
        result->alpha, example->target, example->target, example->target, result->alpha);
}

static bool draw_example(const char *directory)
{
    struct example example;
    dedpul_result *result;
    dedpul_error error;
    if (example_curve(&result, &example.target, &error) != DEDPUL_OK) {
        complain("%s", error.message);
        return false;
    }
    example.result = result;
    const struct drawing drawing = {directory, EXAMPLE_FIGURE, 640, 420, print_example, &example};
    const bool is_drawn = draw(&drawing);
    dedpul_result_free(result);
    return is_drawn;
}

/* ---- all of them ---- */

static bool draw_family(const char *directory, const struct standings *standings, enum family family)
{
    char name[FIGURE_NAME_SIZE];
    static struct panels panels;
    static struct diagram diagram;
    struct drawing drawing = {.directory = directory, .name = name};
    if (figure_exists(standings, family, FIGURE_LINES)) {
        panels_make(&panels, standings, family);
        figure_name(name, standings->setting, standings->task, family, FIGURE_LINES);
        drawing.width = 300 * (int)panels.columns;
        drawing.height = 230 * (int)panels.rows + 40;
        drawing.print = print_panels;
        drawing.what = &panels;
        if (!draw(&drawing))
            return false;
    }
    if (figure_exists(standings, family, FIGURE_RANKS) && diagram_make(&diagram, standings, family)) {
        figure_name(name, standings->setting, standings->task, family, FIGURE_RANKS);
        drawing.width = 900;
        drawing.height = (int)(95 + 28 * (diagram.bottom + 0.3));
        drawing.print = print_diagram;
        drawing.what = &diagram;
        return draw(&drawing);
    }
    return true;
}

bool figures_draw(const char *directory, const struct summary *summary)
{
    static struct standings standings;
    char figures[PATH_MAX];
    (void)snprintf(figures, sizeof figures, "%s/figures", directory);
    if (mkdir(figures, 0777) != 0 && errno != EEXIST) {
        complain("cannot make the directory %s: %s", figures, strerror(errno));
        return false;
    }
    for (size_t s = 0; s < summary->n; s++)
        for (unsigned task = 0; task < N_TASKS; task++) {
            standings_make(&standings, &summary->setting[s], (enum task)task);
            for (unsigned family = 0; family < N_FAMILIES; family++)
                if (!draw_family(figures, &standings, (enum family)family))
                    return false;
        }
    return draw_example(figures);
}
