/* The figures of a report, drawn by gnuplot. */
#include "bench_report.h"

#include "experiments.h"
#include "message.h"

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

bool figure_exists(const struct standings *standings, enum family family, enum figure figure)
{
    struct lineup lineup;
    struct ranking ranking;
    if (figure == FIGURE_RANKS)
        return ranking_make(&ranking, standings, family);
    standings_choose(standings, family, &lineup);
    return lineup.n >= 2;
}

bool figure_draw(const char *directory, const char *name, const struct drawing *drawing)
{
    char svg[PATH_MAX + FIGURE_NAME_SIZE + 8], png[PATH_MAX + FIGURE_NAME_SIZE + 8];
    (void)snprintf(svg, sizeof svg, "%s/%s.svg", directory, name);
    (void)snprintf(png, sizeof png, "%s/%s.png", directory, name);
    return draw(svg, drawing) && draw(png, drawing);
}

/* ---- lines ---- */

/*
 * A method looks the same in all figures. Colours differ for methods that are mostly drawn together: those
 * that estimate alpha, with four that come in if others were not run, those that are given alpha, and
 * variants of DEDPUL.
 */
static const struct style {
    const char *method, *colour;
    int point;
} styles[] = {{"dedpul", BLUE, 7},
              {"pooled", BLACK, 5},
              {"learned", GREY, 3},
              {"dedpul_bbe", RED, 5},
              {"en_e3", GREEN, 9},
              {"en_em", PINK, 11},
              {"km2", ORANGE, 13},
              {"tice", GREY, 6},
              {"ntc_tice", SKY, 4},
              {"bbe", GREY, 8},
              {"en_e1", ORANGE, 12},
              {"alphamax", GREY, 10},
              {"roc", PINK, 14},
              {"km1", GREEN, 6},
              {"nnpu_sigmoid", ORANGE, 8},
              {"nnpu_brier", GREY, 13},
              {"upu", SKY, 10},
              {"tedn", PINK, 15},
              {"dedpul_paper", RED, 4},
              {"dedpul_gmm", GREEN, 8},
              {"dedpul_hist", PINK, 10},
              {"dedpul_no_smooth", ORANGE, 6},
              {"simple_alpha", BLACK, 14}};

static void print_line(FILE *script, const struct variant *variant)
{
    struct style style = {"", GREY, 1};
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++)
        if (strcmp(styles[i].method, variant->name) == 0)
            style = styles[i];
    (void)fprintf(script, " with linespoints linecolor rgb '%s' pointtype %d pointsize 0.5 linewidth %s",
                  style.colour, style.point, variant == variant_at(0) ? "2.5" : "1.5");
}

/* ---- error by alpha, a panel per set ---- */

struct panels {
    const struct standings *standings;
    struct lineup lineup;
    size_t n_lines; /* the first of the lineup */
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
    standings_choose(standings, family, &panels->lineup);
    panels->n_lines = panels->lineup.n < MOST_LINES ? panels->lineup.n : MOST_LINES;
    for (unsigned s = 0; (set = set_at(s)) != NULL; s++)
        if ((places_of_set(standings->setting, set) & standings->run) != 0)
            panels->set[panels->n++] = set;
    panels->columns = panels->n < 4 ? 2 : panels->n < 9 ? 3 : 4;
    panels->rows = panels->n / panels->columns + 1;
    panels->width = 300 * (int)panels->columns;
    panels->height = 240 * (int)panels->rows + 35;
}

static void print_data(FILE *script, const struct contender *method, size_t line,
                       const struct setting *setting, place_set places)
{
    (void)fprintf(script, "$line%zu << EOD\n", line);
    for (size_t p = 0; p < setting->n_places; p++)
        if (has_place(places, p))
            (void)fprintf(script, "%g %.6g\n", setting->place[p].alpha, method->ours[p]);
    (void)fputs("EOD\n", script);
}

static void print_panel(FILE *script, const struct panels *panels, const struct set *set)
{
    const struct setting *setting = panels->standings->setting;
    const place_set of_set = places_of_set(setting, set);
    const struct contender *const *method = panels->lineup.method;
    double most = 1e-3;
    for (size_t m = 0; m < panels->n_lines; m++) {
        print_data(script, method[m], m, setting, method[m]->run & of_set);
        for (size_t p = 0; p < setting->n_places; p++)
            if (has_place(of_set, p))
                most = fmax(most, 1.02 * method[m]->ours[p]); /* which ignores NaN */
    }
    print_y_axis(script, 0, most);
    (void)fputs("set title ", script);
    print_quoted(script, set->name);
    (void)fputs(" offset 0,-0.6\nplot -1 notitle", script);
    for (size_t m = panels->n_lines; m-- > 0;) /* so that DEDPUL is on top */
        if ((method[m]->run & of_set) != 0) {
            (void)fprintf(script, ", $line%zu notitle", m);
            print_line(script, method[m]->variant);
        }
    (void)fputc('\n', script);
}

static void print_key(FILE *script, const struct panels *panels)
{
    (void)fputs("unset border\nunset tics\nunset grid\nunset xlabel\nunset title\nset yrange [0:1]\n"
                "set key center center Left reverse samplen 2.5 spacing 0.95 maxcols 1\nplot ",
                script);
    for (size_t m = 0; m < panels->n_lines; m++) {
        const struct variant *variant = panels->lineup.method[m]->variant;
        (void)fputs(m > 0 ? ", -1 title " : "-1 title ", script);
        print_quoted(script, variant->title);
        print_line(script, variant);
    }
    (void)fputc('\n', script);
}

static void print_title(FILE *script, const struct standings *standings)
{
    char title[SETTING_SIZE + 64];
    (void)snprintf(title, sizeof title, "%s: %s", standings->setting->name,
                   task_title(standings->setting->kind, standings->task));
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
    (void)fputs("\n"
                "set xrange [-0.03:1.03]\nset xtics 0, 0.25 nomirror\n" GRID
                "set xlabel 'alpha' offset 0,0.6\nunset key\n",
                script);
    (void)fprintf(script, "set label 1 'error' at screen %g, screen 0.5 center rotate\n", 15 / width);
    for (size_t panel = 0; panel < panels->n; panel++) {
        print_panel(script, panels, panels->set[panel]);
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
    return (ranking->lineup.n + 1) / 2;
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
    const size_t n = ranking->lineup.n, method = ranking->order[position];
    const bool is_left = position < names_on_the_left(ranking);
    const double rank = ranking->average_rank[method], end = is_left ? 1 : (double)n;
    const double y = -diagram->first_label - (double)(is_left ? position : n - 1 - position);
    char text[128];
    (void)snprintf(text, sizeof text, "%s  {/*0.85 %.2f}", ranking->lineup.method[method]->variant->title,
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
    const size_t n = ranking->lineup.n;
    const double height = diagram->height;
    (void)fputs("set label ", script);
    print_title(script, diagram->standings);
    (void)fprintf(script,
                  " at screen 0.5, screen %g center\n"
                  "set label 'average rank over %zu cells (1 is best); bars join what is not told apart"
                  " (p >= %g)' at screen 0.5, screen %g center\n",
                  1 - 18 / height, place_count(ranking->lineup.common), TEST_LEVEL, 1 - 42 / height);
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
                      "set arrow from %g,%g to %g,%g nohead front linewidth 5 linecolor rgb '" BLUE "'\n",
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
        "set arrow from %.6g, graph 0 to %.6g, graph 1 nohead dashtype 2 linewidth 1.5 linecolor rgb '" RED
        "'\n"
        "plot 0 with lines linewidth 1 linecolor rgb '" GREY "' notitle, "
        "$d with lines linewidth 2.5 linecolor rgb '" BLUE "' title 'D', "
        "NaN with lines dashtype 2 linewidth 1.5 linecolor rgb '" RED "' title 'alpha* = %.3f', "
        "$estimate with points pointtype 7 pointsize 0.8 linecolor rgb '" BLACK "' title 'estimate = %.3f'\n",
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
    const bool is_drawn =
        figure_draw(directory, EXAMPLE_FIGURE, &(struct drawing){760, 420, print_example, &example});
    dedpul_result_free(result);
    return is_drawn;
}

/* ---- all of them ---- */

static bool draw_family(const char *directory, const struct standings *standings, enum family family)
{
    char name[FIGURE_NAME_SIZE];
    struct panels panels;
    struct diagram diagram;
    if (figure_exists(standings, family, FIGURE_LINES)) {
        panels_make(&panels, standings, family);
        figure_name(name, standings->setting, standings->task, family, FIGURE_LINES);
        if (!figure_draw(directory, name,
                         &(struct drawing){panels.width, panels.height, print_panels, &panels}))
            return false;
    }
    if (!diagram_make(&diagram, standings, family))
        return true;
    figure_name(name, standings->setting, standings->task, family, FIGURE_RANKS);
    return figure_draw(directory, name, &(struct drawing){900, diagram.height, print_diagram, &diagram});
}

bool figures_draw(const char *directory, const struct summary *summary)
{
    struct standings standings;
    char figures[PATH_MAX];
    (void)snprintf(figures, sizeof figures, "%s/figures", directory);
    if ((mkdir(figures, 0777) != 0 && errno != EEXIST) || access(figures, W_OK | X_OK) != 0) {
        complain("cannot write figures to the directory %s: %s", figures, strerror(errno));
        return false;
    }
    for (size_t s = 0; s < summary->n; s++)
        for (unsigned task = 0; task < N_TASKS; task++) {
            standings_make(&standings, &summary->setting[s], (enum task)task);
            for (unsigned family = 0; family < N_FAMILIES; family++)
                if (!draw_family(figures, &standings, (enum family)family))
                    return false;
        }
    return costs_draw(figures, summary) && draw_example(figures);
}
