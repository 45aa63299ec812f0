/* What report.md says about differences: between methods, and from the published results. */
#include "bench_report.h"

#include <math.h>

/* ---- between methods ---- */

static const char *title_at(const struct ranking *ranking, size_t position)
{
    return ranking->lineup.method[ranking->order[position]]->variant->title;
}

static void print_left_out(FILE *stream, const struct standings *standings, const struct lineup *lineup)
{
    for (size_t i = 0; i < lineup->n_left_out; i++) {
        const struct contender *method = lineup->left_out[i];
        if (lineup->same_as[i] != NULL)
            (void)fprintf(stream, "%s gives the same as %s and is left out. ", method->variant->title,
                          lineup->same_as[i]->variant->title);
        else
            (void)fprintf(stream, "%s has results in only %zu of %zu cells and is left out. ",
                          method->variant->title, place_count(method->run), place_count(standings->run));
    }
}

static void print_p(FILE *stream, double p)
{
    const char *bold = p < TEST_LEVEL ? "**" : "";
    if (p < 0.001)
        (void)fputs(" **<0.001** |", stream);
    else
        (void)fprintf(stream, " %s%.3f%s |", bold, p, bold);
}

/* Average ranks, and the p of each pair, bold if the two differ. */
static void print_pairs(FILE *stream, const struct ranking *ranking)
{
    const size_t n = ranking->lineup.n;
    (void)fputs("| | method | average rank |", stream);
    for (size_t c = 0; c + 1 < n && ranking->differ; c++)
        (void)fprintf(stream, " %zu |", c + 1);
    (void)fputs("\n|---|---|---|", stream);
    for (size_t c = 0; c + 1 < n && ranking->differ; c++)
        (void)fputs("---|", stream);
    for (size_t r = 0; r < n; r++) {
        (void)fprintf(stream, "\n| %zu | %s | %.2f |", r + 1, title_at(ranking, r),
                      ranking->average_rank[ranking->order[r]]);
        for (size_t c = 0; c + 1 < n && ranking->differ; c++)
            if (c < r)
                print_p(stream, ranking->p[pair_index(ranking->order[r], ranking->order[c])]);
            else
                (void)fputs(" |", stream);
    }
    (void)fputs("\n\n", stream);
}

static void print_groups(FILE *stream, const struct ranking *ranking)
{
    (void)fprintf(stream,
                  "Wilcoxon's signed-rank tests of all pairs, p corrected by Holm, bold below %g: column 1 is"
                  " against method 1, and so on. ",
                  TEST_LEVEL);
    (void)fputs(ranking->n_groups == 0 ? "All differ from each other." : "Not told apart, by number: ",
                stream);
    for (size_t g = 0; g < ranking->n_groups; g++) {
        const struct rank_group *group = &ranking->group[g];
        (void)fprintf(stream, "%zu %s %zu%s", group->first + 1,
                      group->last == group->first + 1 ? "and" : "to", group->last + 1,
                      g + 1 < ranking->n_groups ? ", " : ".");
    }
    (void)fputs("\n\n", stream);
}

void print_ranking(FILE *stream, const struct standings *standings, enum family family)
{
    struct ranking ranking;
    const struct lineup *lineup = &ranking.lineup;
    if (!ranking_make(&ranking, standings, family)) {
        (void)fputs("Too few results to rank.\n\n", stream);
        return;
    }
    (void)fprintf(stream, "Friedman's test of %zu %s over %zu cells: p = %.2g, ", lineup->n,
                  family == FAMILY_METHODS ? "methods" : "variants of DEDPUL", place_count(lineup->common),
                  ranking.friedman_p);
    if (ranking.differ)
        (void)fprintf(stream, "so they differ (p < %g). ", TEST_LEVEL);
    else
        (void)fprintf(stream, "so no difference is shown (p >= %g), and no pairs are tested. ", TEST_LEVEL);
    print_left_out(stream, standings, lineup);
    if (ranking.differ)
        print_groups(stream, &ranking);
    else
        (void)fputs("\n\n", stream);
    print_pairs(stream, &ranking);
}

/* ---- from the published results ---- */

/* How near a mean over cells is to count as reproduced. */
#define NEAR 0.02

static size_t count_worse(const struct contender *method)
{
    size_t n = 0;
    for (size_t p = 0; p < MOST_PLACES; p++)
        n += has_place(method->compared, p) && is_clearly_worse(method, p);
    return n;
}

static void print_comparison(FILE *stream, const struct contender *method)
{
    const double ours = mean_over(method->compared, method->ours);
    const double published = mean_over(method->compared, method->published);
    (void)fprintf(stream, "| %s | %zu | %.4f | %.4f | %+.4f | ", method->variant->title,
                  place_count(method->compared), ours, published, ours - published);
    if (fabs(ours - published) <= NEAR)
        (void)fprintf(stream, "within %g |", NEAR);
    else
        (void)fputs(ours < published ? "better |" : "**worse** |", stream);
    if (method->most_repeats > 1)
        (void)fprintf(stream, " %zu |\n", count_worse(method));
    else
        (void)fputs(" one repeat does not tell |\n", stream);
}

static void print_worse(FILE *stream, const struct setting *setting, const struct contender *method)
{
    const char *before = "";
    if (count_worse(method) == 0)
        return;
    (void)fprintf(stream, "- %s: ", method->variant->title);
    for (size_t p = 0; p < setting->n_places; p++)
        if (has_place(method->compared, p) && is_clearly_worse(method, p)) {
            (void)fprintf(stream, "%s%s %g: %.4f ± %.4f (%.4f)", before, setting->place[p].set->name,
                          setting->place[p].alpha, method->ours[p], method->error[p], method->published[p]);
            before = "; ";
        }
    (void)fputc('\n', stream);
}

void print_against_published(FILE *stream, const struct standings *standings)
{
    size_t n_compared = 0, n_worse = 0;
    for (size_t m = 0; m < standings->n; m++) {
        n_compared += place_count(standings->method[m].compared);
        n_worse += count_worse(&standings->method[m]);
    }
    if (n_compared == 0)
        return;
    (void)fprintf(
        stream,
        "#### Against the published results\n\n"
        "Means over the cells with both; whether they are within %g of each other; and in how many"
        " cells ours is clearly worse, that is by more than twice the standard error of the"
        " difference%s.\n\n"
        "| method | cells | ours | published | difference | ours is | cells clearly worse |\n"
        "|---|---|---|---|---|---|---|\n",
        NEAR,
        standings->task == TASK_PROPORTION
            ? ""
            : " (how the published results vary over repeats is not known: as ours, it is assumed)");
    for (size_t m = 0; m < standings->n; m++)
        if (standings->method[m].compared != 0)
            print_comparison(stream, &standings->method[m]);
    if (n_worse > 0)
        (void)fputs("\nClearly worse, by set and alpha, ours ± standard error (published):\n\n", stream);
    for (size_t m = 0; m < standings->n; m++)
        print_worse(stream, standings->setting, &standings->method[m]);
    (void)fputc('\n', stream);
}
