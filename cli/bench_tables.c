/* The tables of report.md. */
#include "bench_report.h"

#include <math.h>
#include <string.h>

/* ---- methods by sets ---- */

struct column {
    char title[64];
    struct places places; /* run by any method */
    bool is_common;       /* of the methods with most results, and of those alone */
};

enum { MOST_COLUMNS = 16 };

static bool has_most(const struct standings *standings, const struct contender *method)
{
    return 2 * places_of_method(method).n >= standings->run.n;
}

static void add_column(struct column *column, size_t *n, const char *title, const struct places *places,
                       bool is_common)
{
    if (places->n == 0 || *n == MOST_COLUMNS)
        return;
    (void)snprintf(column[*n].title, sizeof column[*n].title, "%s", title);
    column[*n].places = *places;
    column[(*n)++].is_common = is_common;
}

/* A column per set, one for all, and where they differ one for UCI sets and one for common cells. */
static size_t make_columns(const struct standings *standings, struct column column[MOST_COLUMNS])
{
    const struct setting *setting = standings->setting;
    const struct set *set;
    struct places places, common = standings->run;
    char title[64];
    size_t n = 0;
    for (unsigned s = 0; (set = set_at(s)) != NULL; s++) {
        places = places_of_set(setting, set);
        places = places_both(&places, &standings->run);
        add_column(column, &n, set->name, &places, false);
    }
    add_column(column, &n, "all", &standings->run, false);
    places = places_uci(setting);
    places = places_both(&places, &standings->run);
    if (places.n < standings->run.n)
        add_column(column, &n, "UCI", &places, false);
    for (size_t m = 0; m < standings->n; m++) {
        places = places_of_method(&standings->method[m]);
        if (has_most(standings, &standings->method[m]))
            common = places_both(&common, &places);
    }
    (void)snprintf(title, sizeof title, "%zu common cells", common.n);
    if (common.n < standings->run.n)
        add_column(column, &n, title, &common, true);
    return n;
}

/* Where a method has results in a column. */
static struct places places_in(const struct standings *standings, const struct contender *method,
                               const struct column *column)
{
    const struct places places = places_of_method(method), none = {0, {0}};
    return column->is_common && !has_most(standings, method) ? none : places_both(&places, &column->places);
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
    for (size_t m = 0; m < standings->n; m++) {
        const struct places places = places_in(standings, &standings->method[m], column);
        if (places.n == column->places.n)
            best = fmin(best, mean_over(&places, standings->method[m].ours));
    }
    return best;
}

static void print_entry(FILE *stream, const struct contender *method, const struct column *column,
                        const struct places *places, double best)
{
    const struct places published = places_published(method), both = places_both(&published, places);
    const double mean = mean_over(places, method->ours);
    const bool is_whole = places->n == column->places.n;
    const char *bold = is_whole && rounded(mean) <= rounded(best) ? "**" : "";
    if (places->n == 0) {
        (void)fputs(" |", stream);
        return;
    }
    (void)fprintf(stream, " %s%.4f%s%s", bold, mean, bold, is_whole ? "" : "\\*");
    if (both.n == places->n)
        (void)fprintf(stream, " (%.4f)", mean_over(&both, method->published));
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
        for (size_t c = 0; c < n; c++) {
            const struct places places = places_in(standings, method, &column[c]);
            print_entry(stream, method, &column[c], &places, best[c]);
        }
        (void)fprintf(stream, " %zu | %u", places_of_method(method).n, method->least_repeats);
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
        if (places_of_method(&standings->method[m]).n < standings->run.n)
            return true;
    return false;
}

void print_standings(FILE *stream, const struct standings *standings)
{
    struct column column[MOST_COLUMNS];
    const size_t n = make_columns(standings, column), n_places = standings->setting->n_places;
    if (standings->run.n < n_places)
        (void)fprintf(stream,
                      "**These are partial results:** %zu of the protocol's %zu cells (a set with an alpha).",
                      standings->run.n, n_places);
    else
        (void)fprintf(stream, "Results in all of the protocol's %zu cells (a set with an alpha).", n_places);
    (void)fputs(
        " Means over alphas; in parentheses the published mean over the same cells; the best in bold.",
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
                                const struct places *scope)
{
    const struct places all = places_of_method(method), places = places_both(&all, scope);
    double published[MOST_PLACES] = {0};
    bool is_published = true;
    for (size_t p = 0; p < MOST_PLACES; p++) {
        const struct place *place = &standings->setting->place[p];
        const struct published *found = NULL;
        if (!places.in[p])
            continue;
        found = published_find(&summary->published, place->set, place->alpha, "dedpul");
        published[p] = found != NULL ? found->mean[standings->task] : NAN;
        is_published = is_published && !isnan(published[p]);
    }
    if (places.n == 0) {
        (void)fputs(" |", stream);
        return;
    }
    (void)fprintf(stream, " %.4f", mean_over(&places, method->ours));
    if (is_published)
        (void)fprintf(stream, " (%.4f)", mean_over(&places, published));
    if (places.n < scope->n)
        (void)fprintf(stream, ", %zu of %zu cells", places.n, scope->n);
    (void)fputs(" |", stream);
}

static void print_overview_row(FILE *stream, const struct summary *summary, const struct setting *setting,
                               const char *name)
{
    struct standings standings[N_TASKS];
    const struct places scope[2] = {places_all(setting), places_uci(setting)};
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
            if (method != NULL)
                print_overview_mean(stream, summary, &standings[task], method, &scope[s]);
            else
                (void)fputs(" |", stream);
    }
    (void)fputc('\n', stream);
}

void print_overview(FILE *stream, const struct summary *summary)
{
    static const char *const head[N_KINDS] = {
        "| setting | method | alpha | posteriors |\n|---|---|---|---|\n",
        "| setting | method | alpha, all sets | alpha, UCI sets | errors, all sets | errors, UCI sets |\n"
        "|---|---|---|---|---|---|\n"};
    static const char *const what[N_KINDS] = {
        "Synthetic sets: mean absolute error of alpha, and of posteriors with alpha given.",
        "Data sets: mean absolute error of alpha, and share of rows classified wrongly with alpha given."};
    for (unsigned kind = 0; kind < N_KINDS; kind++) {
        bool has_head = false;
        for (size_t s = 0; s < summary->n; s++) {
            if (summary->setting[s].kind != kind)
                continue;
            if (!has_head)
                (void)fprintf(stream, "%s In parentheses the published DEDPUL over the same cells.\n\n%s",
                              what[kind], head[kind]);
            has_head = true;
            print_overview_row(stream, summary, &summary->setting[s], "dedpul");
            print_overview_row(stream, summary, &summary->setting[s], "dedpul_bbe");
        }
        if (has_head)
            (void)fputc('\n', stream);
    }
}
