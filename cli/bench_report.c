#include "bench_report.h"

#include "message.h"
#include "output_files.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- summary.csv ---- */

static void print_number(FILE *stream, double value)
{
    (void)fputc(',', stream);
    if (!isnan(value))
        (void)fprintf(stream, "%.6f", value);
}

/* Whether any cell has the measure. */
static bool has_measure(const struct summary *summary, unsigned measure)
{
    for (size_t s = 0; s < summary->n; s++)
        for (unsigned m = 0; m < MOST_METHODS; m++)
            for (size_t p = 0; p < summary->setting[s].n_places; p++)
                if (summary->setting[s].cell[m][p].of[measure].n > 0)
                    return true;
    return false;
}

/* The measures that summary.csv has: those of evaluations only if there are any. */
struct shown_measures {
    size_t n;
    unsigned measure[N_MEASURES];
};

static struct shown_measures shown_measures(const struct summary *summary)
{
    struct shown_measures shown = {.n = 0};
    for (unsigned i = 0; i < N_MEASURES; i++)
        if (i < MEASURE_GAP || has_measure(summary, i))
            shown.measure[shown.n++] = i;
    return shown;
}

static void print_cell(FILE *stream, const struct shown_measures *shown, const struct setting *setting,
                       const struct variant *variant, const struct place *place, const struct cell *cell)
{
    results_print_name(stream, setting->name);
    (void)fputc(',', stream);
    results_print_name(stream, place->set->name);
    (void)fprintf(stream, ",%g,%s,%u", place->alpha, variant->name, cell->repeats);
    for (size_t i = 0; i < shown->n; i++) {
        const unsigned measure = shown->measure[i];
        print_number(stream, cell->of[measure].mean);
        if (measure != MEASURE_SECONDS)
            print_number(stream, standard_error(&cell->of[measure]));
    }
    for (unsigned task = 0; task < N_TASKS; task++)
        print_number(stream, cell->published != NULL ? cell->published->mean[task] : NAN);
    (void)fputc('\n', stream);
}

static void summary_print(FILE *stream, const void *what)
{
    const struct summary *summary = what;
    const struct shown_measures shown = shown_measures(summary);
    const struct variant *variant;
    (void)fputs("setting,set,alpha,method,repeats", stream);
    for (size_t i = 0; i < shown.n; i++) {
        const char *name = measure_name((enum measure)shown.measure[i]);
        (void)fprintf(stream, ",%s", name);
        if (shown.measure[i] != MEASURE_SECONDS)
            (void)fprintf(stream, ",%s_se", name);
    }
    (void)fputs(",published_proportion,published_classification\n", stream);
    for (size_t s = 0; s < summary->n; s++) {
        const struct setting *setting = &summary->setting[s];
        for (size_t p = 0; p < setting->n_places; p++)
            for (unsigned m = 0; m < MOST_METHODS && (variant = variant_at(m)) != NULL; m++)
                if (setting->cell[m][p].repeats > 0)
                    print_cell(stream, &shown, setting, variant, &setting->place[p], &setting->cell[m][p]);
    }
}

/* ---- report.md ---- */

struct report {
    const struct summary *summary;
    bool has_figures;
};

static const char *const families[N_FAMILIES] = {"Methods", "Variants of DEDPUL"};

const char *task_title(enum kind kind, enum task task)
{
    static const char *const title[N_TASKS][N_KINDS] = {
        {"mean absolute error of alpha*", "mean absolute error of alpha"},
        {"mean absolute error of posteriors, alpha* given", "share of errors, alpha given"}};
    return title[task][kind];
}

/* Which methods the figure of lines has no room for. */
static void print_not_drawn(FILE *stream, const struct standings *standings, enum family family)
{
    struct lineup lineup;
    standings_choose(standings, family, &lineup);
    for (size_t m = MOST_LINES; m < lineup.n; m++)
        (void)fprintf(stream, "%s%s%s", m == MOST_LINES ? "The figure has no room for " : ", ",
                      lineup.method[m]->variant->title, m + 1 == lineup.n ? ".\n\n" : "");
}

static void print_figures(FILE *stream, const struct standings *standings, enum family family)
{
    static const char *const what[N_FIGURES] = {"error by set and alpha", "average ranks"};
    char name[FIGURE_NAME_SIZE];
    for (unsigned figure = 0; figure < N_FIGURES; figure++) {
        if (!figure_exists(standings, family, (enum figure)figure))
            continue;
        figure_name(name, standings->setting, standings->task, family, (enum figure)figure);
        (void)fprintf(stream, "![%s: %s](figures/%s.svg)\n\n", families[family], what[figure], name);
        if (figure == FIGURE_LINES)
            print_not_drawn(stream, standings, family);
    }
}

static void print_task(FILE *stream, const struct setting *setting, enum task task, bool has_figures)
{
    static const char *const name[N_TASKS] = {"Proportions", "Classification"};
    struct standings standings;
    standings_make(&standings, setting, task);
    if (standings.n == 0)
        return;
    (void)fprintf(stream, "### %s: %s\n\n", name[task], task_title(setting->kind, task));
    print_standings(stream, &standings);
    for (unsigned family = 0; family < N_FAMILIES; family++) {
        (void)fprintf(stream, "#### %s\n\n", families[family]);
        print_ranking(stream, &standings, (enum family)family);
        if (has_figures)
            print_figures(stream, &standings, (enum family)family);
    }
    print_against_published(stream, &standings);
}

/* What the published values beside ours are of. */
static void print_setting_note(FILE *stream, const struct setting *setting)
{
    if (strstr(setting->name, "classifier=gbdt") != NULL)
        (void)fputs(
            "The published values beside DEDPUL are those of DEDPUL on boosted trees; those beside other"
            " methods are of the paper's networks, trained in other ways than here.\n\n",
            stream);
    else if (strcmp(strchr(setting->name, '/'), "/paper") != 0)
        (void)fputs(
            "The published values are of the paper's networks, trained in other ways than here: they are"
            " to be beaten rather than reproduced.\n\n",
            stream);
}

static void report_print(FILE *stream, const void *what)
{
    const struct report *report = what;
    (void)fputs(
        "# The paper's experiments\n\n"
        "alpha is the share of positives among the unlabeled; alpha\\*, on synthetic sets, the largest share"
        " that the distributions allow, which is what can be estimated. A setting is a kind of sets with the"
        " options of the fit; a cell is a set with an alpha, and its value the mean over repeats. Lower is"
        " better in all tables but that of intervals. The numbers behind the tables, with standard errors, "
        "are in"
        " [summary.csv](summary.csv).\n\n"
        "## Overview\n\n",
        stream);
    print_overview(stream, report->summary);
    if (!report->has_figures)
        (void)fputs("There are no figures: they could not be drawn.\n\n", stream);
    print_costs(stream, report->summary, report->has_figures);
    print_intervals(stream, report->summary);
    print_own_posteriors(stream, report->summary);
    print_evaluations(stream, report->summary);
    for (size_t s = 0; s < report->summary->n; s++) {
        const struct setting *setting = &report->summary->setting[s];
        (void)fprintf(stream, "## %s\n\n", setting->name);
        print_setting_note(stream, setting);
        for (unsigned task = 0; task < N_TASKS; task++)
            print_task(stream, setting, (enum task)task, report->has_figures);
    }
    if (report->has_figures)
        (void)fputs("## D(alpha)\n\nD(alpha) is alpha less the mean posterior that follows from it; DEDPUL's"
                    " estimate is the largest alpha at which it is zero. Here positives are L(0,1), "
                    "negatives L(2,1), alpha = 0.5.\n\n"
                    "![D(alpha)](figures/" EXAMPLE_FIGURE ".svg)\n",
                    stream);
}

/* ---- the command ---- */

static bool write_file(const char *directory, const char *name, void (*print)(FILE *, const void *),
                       const void *what)
{
    char path[PATH_MAX];
    dedpul_error error;
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    if (write_whole(path, print, what, &error) != DEDPUL_OK) {
        complain("%s", error.message);
        return false;
    }
    return true;
}

/* False after a message. */
static bool read_summary(const char *directory, struct summary *summary)
{
    char path[PATH_MAX];
    struct results results;
    dedpul_error error;
    size_t bytes;
    (void)snprintf(path, sizeof path, "%s/results.csv", directory);
    dedpul_status status = results_read(path, &results, &bytes, &error);
    if (status == DEDPUL_OK && results.n == 0) {
        complain("there are no results in %s; 'dedpul bench synthetic --out %s' makes some", path, directory);
        results_free(&results);
        return false;
    }
    if (status == DEDPUL_OK) {
        status = summary_make(summary, &results, &error);
        results_free(&results);
    }
    if (status != DEDPUL_OK)
        complain("%s", error.message);
    return status == DEDPUL_OK;
}

bool bench_report(const char *directory)
{
    struct summary summary;
    if (strlen(directory) > PATH_MAX / 2) {
        complain("the directory's name is too long");
        return false;
    }
    if (!read_summary(directory, &summary))
        return false;
    const struct report report = {&summary, figures_draw(directory, &summary)};
    const bool written = write_file(directory, "summary.csv", summary_print, &summary) &&
                         write_file(directory, "report.md", report_print, &report);
    summary_free(&summary);
    return written && report.has_figures;
}
