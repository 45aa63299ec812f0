/* The figures of a report, drawn by gnuplot. */
#include "bench_report.h"

#include "command.h"
#include "drawing.h"
#include "experiments.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

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

bool figure_exists(const struct standings *standings, enum family family, enum figure figure)
{
    struct choice choice;
    struct ranking ranking;
    if (figure == FIGURE_RANKS)
        return ranking_make(&ranking, standings, family);
    standings_choose(standings, family, MOST_LINES, &choice);
    return choice.n >= 2;
}

/* ---- error by alpha, a panel per set ---- */

struct panels {
    const struct standings *standings;
    struct choice choice;
    size_t n;
    const struct set *set[MOST_PLACES]; /* (n) with any results */
    size_t columns, rows;               /* with room for the key behind the last panel */
    int width, height;                  /* pixels */
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
    panels->width = 300 * (int)panels->columns;
    panels->height = 240 * (int)panels->rows + 35;
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

static double highest(const struct panels *panels, size_t panel)
{
    const struct places places = places_of_set(panels->standings->setting, panels->set[panel]);
    double most = 1e-3;
    for (size_t m = 0; m < panels->choice.n; m++)
        for (size_t p = 0; p < MOST_PLACES; p++)
            if (places.in[p])
                most = fmax(most, panels->choice.method[m]->ours[p]); /* which ignores NaN */
    return most;
}

/* The axis of errors is that of their square roots, so that small ones are told apart. */
static void print_error_axis(FILE *script, double most)
{
    static const double tic[] = {1,     0.5,   0.2,   0.1,    0.05,   0.02,  0.01,
                                 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001};
    const double top = 1.08 * most, least_gap = 0.11;
    double last = 1 + least_gap; /* its place on the axis, from 0 to 1 */
    (void)fprintf(script, "set yrange [0:%g]\nset ytics (0", top);
    for (size_t i = 0; i < sizeof tic / sizeof tic[0]; i++) {
        const double at = sqrt(tic[i] / top);
        if (at > least_gap && at <= last - least_gap) {
            (void)fprintf(script, ", %g", tic[i]);
            last = at;
        }
    }
    (void)fputs(")\n", script);
}

static void print_panel(FILE *script, const struct panels *panels, size_t panel)
{
    const struct places of_set = places_of_set(panels->standings->setting, panels->set[panel]);
    print_data(script, panels, panel);
    print_error_axis(script, highest(panels, panel));
    (void)fputs("set title ", script);
    print_quoted(script, panels->set[panel]->name);
    (void)fputs(" offset 0,-0.6\nplot -1 notitle", script);
    for (size_t m = panels->choice.n; m-- > 0;) { /* so that DEDPUL is on top */
        const struct places of_method = places_of_method(panels->choice.method[m]);
        if (places_both(&of_method, &of_set).n > 0)
            (void)fprintf(script, ", $line%zu with linespoints linetype %zu notitle", m, m + 1);
    }
    (void)fputc('\n', script);
}

static void print_key(FILE *script, const struct panels *panels)
{
    (void)fputs(
        "unset border\nunset tics\nunset grid\nunset xlabel\nunset title\nunset nonlinear y\n"
        "set yrange [0:1]\nset key center center Left reverse samplen 2.5 spacing 0.95 maxcols 1\nplot ",
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
    const double width = panels->width, height = panels->height;
    (void)fprintf(script, "set multiplot layout %zu,%zu margins %g,%g,%g,%g spacing %g,%g title ",
                  panels->rows, panels->columns, 80 / width, 1 - 15 / width, 55 / height, 1 - 65 / height,
                  68 / width, 85 / height);
    print_title(script, panels->standings);
    (void)fputs("\nset nonlinear y via sqrt(y) inverse y*y\n"
                "set xrange [-0.03:1.03]\nset xtics 0, 0.25\n" GRID
                "set xlabel 'alpha' offset 0,0.6\nunset key\n",
                script);
    (void)fprintf(script, "set label 1 'error (square root axis)' at screen %g, screen 0.5 center rotate\n",
                  15 / width);
    for (size_t panel = 0; panel < panels->n; panel++) {
        print_panel(script, panels, panel);
        (void)fputs("unset label 1\n", script); /* one is for all panels */
    }
    print_key(script, panels);
    (void)fputs("unset multiplot\n", script);
}

/* ---- critical differences ---- */

struct diagram {
    const struct standings *standings;
    struct ranking ranking;
    double first_label, bottom; /* in rows below the axis */
    int height;                 /* pixels */
};

enum { HEAD_HEIGHT = 95, ROW_HEIGHT = 28 };
#define BAR_STEP 0.45 /* from one bar to the next, in rows */

/* The better half, or one more. */
static size_t names_on_the_left(const struct ranking *ranking)
{
    return (ranking->choice.n + 1) / 2;
}

static bool diagram_make(struct diagram *diagram, const struct standings *standings, enum family family)
{
    diagram->standings = standings;
    if (!ranking_make(&diagram->ranking, standings, family))
        return false;
    const size_t n_left = names_on_the_left(&diagram->ranking);
    diagram->first_label = 1 + BAR_STEP * (double)diagram->ranking.n_groups;
    diagram->bottom = diagram->first_label + (double)n_left - 0.5;
    diagram->height = HEAD_HEIGHT + (int)(ROW_HEIGHT * (diagram->bottom + 0.3));
    return true;
}

/* From a place on the axis down, and then aside to the name. */
static void print_leader(FILE *script, const struct diagram *diagram, size_t position)
{
    const struct ranking *ranking = &diagram->ranking;
    const size_t n = ranking->choice.n, method = ranking->order[position];
    const bool is_left = position < names_on_the_left(ranking);
    const double rank = ranking->average_rank[method], end = is_left ? 1 : (double)n;
    const double y = -diagram->first_label - (double)(is_left ? position : n - 1 - position);
    char text[128];
    (void)snprintf(text, sizeof text, "%s  {/*0.85 %.2f}", ranking->choice.method[method]->variant->title,
                   rank);
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
    const double height = diagram->height;
    (void)fputs("set label ", script);
    print_title(script, diagram->standings);
    (void)fprintf(script,
                  " at screen 0.5, screen %g center\n"
                  "set label 'average rank over %zu cells (1 is best); bars join what is not told apart'"
                  " at screen 0.5, screen %g center\n",
                  1 - 18 / height, ranking->choice.common.n, 1 - 42 / height);
    (void)fprintf(script,
                  "set lmargin at screen 0.34\nset rmargin at screen 0.66\nset tmargin at screen %g\n"
                  "set bmargin at screen 0.03\nset xrange [1:%zu]\nset x2range [1:%zu]\nset yrange [%g:0]\n"
                  "set border 4 linewidth 1.5\nunset ytics\nunset xtics\nset x2tics 1 out\n",
                  1 - HEAD_HEIGHT / height, n, n, -diagram->bottom);
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
        "set xrange [0:1]\n" GRID "set key outside right center Left reverse samplen 2\n"
        "set arrow from %.6g, graph 0 to %.6g, graph 1 nohead dashtype 2 linewidth 1.5 linecolor rgb "
        "'#D55E00'\n"
        "plot 0 with lines linecolor rgb '#777777' notitle, "
        "$d with lines linetype 1 title 'D', "
        "NaN with lines dashtype 2 linewidth 1.5 linecolor rgb '#D55E00' title 'alpha* = %.3f', "
        "$estimate with points pointtype 7 pointsize 0.8 linecolor rgb '#000000' title 'estimate = %.3f'\n",
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
    const struct drawing drawing = {directory, EXAMPLE_FIGURE, 760, 420, print_example, &example};
    const bool is_drawn = draw(&drawing);
    dedpul_result_free(result);
    return is_drawn;
}

/* ---- all of them ---- */

static bool draw_family(const char *directory, const struct standings *standings, enum family family)
{
    char name[FIGURE_NAME_SIZE];
    struct panels panels;
    struct diagram diagram;
    struct drawing drawing = {.directory = directory, .name = name};
    if (figure_exists(standings, family, FIGURE_LINES)) {
        panels_make(&panels, standings, family);
        figure_name(name, standings->setting, standings->task, family, FIGURE_LINES);
        drawing.width = panels.width;
        drawing.height = panels.height;
        drawing.print = print_panels;
        drawing.what = &panels;
        if (!draw(&drawing))
            return false;
    }
    if (diagram_make(&diagram, standings, family)) {
        figure_name(name, standings->setting, standings->task, family, FIGURE_RANKS);
        drawing.width = 900;
        drawing.height = diagram.height;
        drawing.print = print_diagram;
        drawing.what = &diagram;
        return draw(&drawing);
    }
    return true;
}

bool figures_draw(const char *directory, const struct summary *summary)
{
    struct standings standings;
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
