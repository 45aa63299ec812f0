/* The tables of report.md. */
#include "bench_report.h"

#include <math.h>
#include <string.h>

/* ---- methods by sets ---- */

struct column {
    char title[64];
    place_set places; /* run by any method */
    bool is_common;   /* of the methods with most results, and of those alone */
};

enum { MOST_COLUMNS = 16 };

static void add_column(struct column *column, size_t *n, const char *title, place_set places)
{
    if (places == 0 || *n == MOST_COLUMNS)
        return;
    (void)snprintf(column[*n].title, sizeof column[*n].title, "%s", title);
    column[*n].places = places;
    column[(*n)++].is_common = false;
}

/* A column per set, one for all, and if they differ from it, one for UCI sets and one for common cells. */
static size_t make_columns(const struct standings *standings, struct column column[MOST_COLUMNS])
{
    const struct setting *setting = standings->setting;
    const place_set run = standings->run, uci = places_uci(setting) & run;
    const struct set *set;
    place_set common = run;
    char title[64];
    size_t n = 0;
    for (unsigned s = 0; (set = set_at(s)) != NULL; s++)
        add_column(column, &n, set->name, places_of_set(setting, set) & run);
    add_column(column, &n, "all", run);
    if (uci != run)
        add_column(column, &n, "UCI", uci);
    for (size_t m = 0; m < standings->n; m++)
        if (has_most_places(standings, &standings->method[m]))
            common &= standings->method[m].run;
    if (common != run && common != 0) {
        (void)snprintf(title, sizeof title, "%zu common cells", place_count(common));
        add_column(column, &n, title, common);
        column[n - 1].is_common = true;
    }
    return n;
}

/* Where a method has results in a column. */
static place_set places_in(const struct standings *standings, const struct contender *method,
                           const struct column *column)
{
    return column->is_common && !has_most_places(standings, method) ? 0 : method->run & column->places;
}

/* As it is printed: methods that look equal are equal. */
static double rounded(double value)
{
    return round(value * 1e4);
}

/* The lowest mean of the methods with all cells of a column. */
static double best_of(const struct standings *standings, const struct column *column)
{
    double best = INFINITY;
    for (size_t m = 0; m < standings->n; m++)
        if (places_in(standings, &standings->method[m], column) == column->places)
            best = fmin(best, mean_over(column->places, standings->method[m].ours));
    return best;
}

static void print_entry(FILE *stream, const struct contender *method, const struct column *column,
                        place_set places, double best)
{
    const double mean = mean_over(places, method->ours), published = mean_over(places, method->published);
    const bool is_whole = places == column->places;
    const char *bold = is_whole && rounded(mean) <= rounded(best) ? "**" : "";
    if (places != 0)
        (void)fprintf(stream, " %s%.4f%s%s", bold, mean, bold, is_whole ? "" : "\\*");
    if (!isnan(published))
        (void)fprintf(stream, " (%.4f)", published);
    (void)fputs(" |", stream);
}

static void print_table(FILE *stream, const struct standings *standings, size_t n,
                        const struct column column[MOST_COLUMNS])
{
    double best[MOST_COLUMNS];
    (void)fputs("| method |", stream);
    for (size_t c = 0; c < n; c++) {
        (void)fprintf(stream, " %s |", column[c].title);
        best[c] = best_of(standings, &column[c]);
    }
    (void)fputs(" cells | repeats |\n|---|", stream);
    for (size_t c = 0; c < n + 2; c++)
        (void)fputs("---|", stream);
    for (size_t m = 0; m < standings->n; m++) {
        const struct contender *method = &standings->method[m];
        (void)fprintf(stream, "\n| %s |", method->variant->title);
        for (size_t c = 0; c < n; c++)
            print_entry(stream, method, &column[c], places_in(standings, method, &column[c]), best[c]);
        (void)fprintf(stream, " %zu | %u", place_count(method->run), method->least_repeats);
        if (method->most_repeats > method->least_repeats)
            (void)fprintf(stream, " to %u", method->most_repeats);
        (void)fputs(" |", stream);
    }
    (void)fputs("\n\n", stream);
}

/* Whether some method does not have all cells that others have. */
static bool lacks_cells(const struct standings *standings)
{
    for (size_t m = 0; m < standings->n; m++)
        if (standings->method[m].run != standings->run)
            return true;
    return false;
}

void print_standings(FILE *stream, const struct standings *standings)
{
    struct column column[MOST_COLUMNS];
    const size_t n = make_columns(standings, column), n_run = place_count(standings->run),
                 n_places = standings->setting->n_places;
    if (n_run < n_places)
        (void)fprintf(stream, "**These are partial results:** %zu of the protocol's %zu cells.", n_run,
                      n_places);
    else
        (void)fprintf(stream, "Results in all of the protocol's %zu cells.", n_places);
    (void)fputs(
        " Means over the cells of a set, and over all; in parentheses the published mean over the same cells;"
        " the best of ours in bold.",
        stream);
    if (lacks_cells(standings))
        (void)fputs(
            " \\*: the method lacks cells of the column that others have, so this mean does not compare"
            " with theirs.",
            stream);
    if (n > 0 && column[n - 1].is_common)
        (void)fputs(" The last column of means is over the cells that all methods with at least half of the"
                    " cells have.",
                    stream);
    (void)fputs("\n\n", stream);
    print_table(stream, standings, n, column);
}

/* ---- overview ---- */

static void print_overview_mean(FILE *stream, const struct summary *summary,
                                const struct standings *standings, const struct contender *method,
                                place_set scope)
{
    const struct setting *setting = standings->setting;
    const place_set places = method != NULL ? method->run & scope : 0;
    double published[MOST_PLACES] = {0};
    for (size_t p = 0; p < setting->n_places; p++) {
        const struct published *found =
            published_find(&summary->published, setting->place[p].set, setting->place[p].alpha, "dedpul");
        published[p] = found != NULL ? found->mean[standings->task] : NAN;
    }
    if (places != 0)
        (void)fprintf(stream, " %.4f (%.4f)", mean_over(places, method->ours), mean_over(places, published));
    if (places != 0 && places != scope)
        (void)fprintf(stream, ", %zu of %zu cells", place_count(places), place_count(scope));
    (void)fputs(" |", stream);
}

static void print_overview_row(FILE *stream, const struct summary *summary, const struct setting *setting,
                               const char *name)
{
    struct standings standings[N_TASKS];
    const place_set scope[2] = {places_all(setting), places_uci(setting)};
    const size_t n_scopes = setting->kind == KIND_DATASETS ? 2 : 1;
    bool is_there = false;
    for (unsigned task = 0; task < N_TASKS; task++) {
        standings_make(&standings[task], setting, (enum task)task);
        is_there = is_there || standings_find(&standings[task], name) != NULL;
    }
    if (!is_there)
        return;
    (void)fprintf(stream, "| %s | %s |", setting->name, variant_find(name)->title);
    for (unsigned task = 0; task < N_TASKS; task++) {
        const struct contender *method = standings_find(&standings[task], name);
        for (size_t s = 0; s < n_scopes; s++)
            print_overview_mean(stream, summary, &standings[task], method, scope[s]);
    }
    (void)fputc('\n', stream);
}

void print_overview(FILE *stream, const struct summary *summary)
{
    static const char *const head[N_KINDS] = {
        "| setting | method | alpha\\* | posteriors |\n|---|---|---|---|\n",
        "| setting | method | alpha, all sets | alpha, UCI sets | errors, all sets | errors, UCI sets |\n"
        "|---|---|---|---|---|---|\n"};
    static const char *const what[N_KINDS] = {
        "Synthetic sets: mean absolute error of alpha\\*, and of posteriors with alpha\\* given.",
        "Data sets: mean absolute error of alpha, and share of rows classified wrongly with alpha given."};
    for (unsigned kind = 0; kind < N_KINDS; kind++) {
        bool has_head = false;
        for (size_t s = 0; s < summary->n; s++) {
            if (summary->setting[s].kind != kind)
                continue;
            if (!has_head)
                (void)fprintf(
                    stream, "%s In parentheses the published DEDPUL, on networks, over the same cells.\n\n%s",
                    what[kind], head[kind]);
            has_head = true;
            print_overview_row(stream, summary, &summary->setting[s], "dedpul");
            print_overview_row(stream, summary, &summary->setting[s], "pooled");
            print_overview_row(stream, summary, &summary->setting[s], "learned");
            print_overview_row(stream, summary, &summary->setting[s], "dedpul_bbe");
        }
        if (has_head)
            (void)fputc('\n', stream);
    }
}
