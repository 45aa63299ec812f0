/* What report.md says about the methods' own estimates: their intervals, posteriors and evaluations. */
#include "bench_report.h"

/* Tells whether a method has the measure in any run of the setting. */
static bool has_measure(const struct setting *setting, unsigned method, enum measure measure)
{
    unsigned n_runs;
    (void)mean_over_runs(setting, method, places_all(setting), measure, &n_runs);
    return n_runs > 0;
}

/* Tells whether any method has the measure in the settings of a kind. */
static bool kind_has_measure(const struct summary *summary, enum kind kind, enum measure measure)
{
    for (size_t s = 0; s < summary->n; s++)
        for (unsigned m = 0; summary->setting[s].kind == kind && variant_at(m) != NULL; m++)
            if (has_measure(&summary->setting[s], m, measure))
                return true;
    return false;
}

/* Prints a row for each setting of the kind and each method that has the measure there. */
static void print_rows(FILE *stream, const struct summary *summary, enum kind kind, enum measure measure,
                       void (*print)(FILE *stream, const struct setting *setting, unsigned method))
{
    const struct variant *variant;
    for (size_t s = 0; s < summary->n; s++) {
        const struct setting *setting = &summary->setting[s];
        for (unsigned m = 0; setting->kind == kind && (variant = variant_at(m)) != NULL; m++)
            if (has_measure(setting, m, measure)) {
                (void)fprintf(stream, "| %s | %s |", setting->name, variant->title);
                print(stream, setting, m);
                (void)fputc('\n', stream);
            }
    }
    (void)fputc('\n', stream);
}

/* ---- intervals ---- */

static void print_coverage(FILE *stream, const struct setting *setting, unsigned method, place_set places)
{
    unsigned n_runs;
    const double covered = mean_over_runs(setting, method, places, MEASURE_COVERED, &n_runs);
    const double width = mean_over_runs(setting, method, places, MEASURE_WIDTH, &n_runs);
    if (n_runs > 0)
        (void)fprintf(stream, " %.1f%% of %u, %.3f", 100 * covered, n_runs, width);
    (void)fputs(" |", stream);
}

static void print_interval_row(FILE *stream, const struct setting *setting, unsigned method)
{
    const struct set *set;
    for (unsigned i = 0; (set = set_at(i)) != NULL; i++)
        if (set->kind == setting->kind)
            print_coverage(stream, setting, method, places_of_set(setting, set));
    print_coverage(stream, setting, method, places_all(setting));
}

static void print_interval_head(FILE *stream, enum kind kind)
{
    const struct set *set;
    (void)fputs("| setting | method |", stream);
    for (unsigned i = 0; (set = set_at(i)) != NULL; i++)
        if (set->kind == kind)
            (void)fprintf(stream, " %s |", set->name);
    (void)fputs(" all |\n|---|---|", stream);
    for (unsigned i = 0; (set = set_at(i)) != NULL; i++)
        if (set->kind == kind)
            (void)fputs("---|", stream);
    (void)fputs("---|\n", stream);
}

void print_intervals(FILE *stream, const struct summary *summary)
{
    bool has_heading = false;
    for (unsigned k = 0; k < N_KINDS; k++) {
        const enum kind kind = (enum kind)k;
        if (!kind_has_measure(summary, kind, MEASURE_COVERED))
            continue;
        if (!has_heading)
            (void)fputs(
                "## Intervals\n\n"
                "How many of the 95% intervals hold the target, alpha or alpha\\*, and their mean width,"
                " over all runs of a set. They are those of methods that know alpha's distribution.\n\n",
                stream);
        has_heading = true;
        print_interval_head(stream, kind);
        print_rows(stream, summary, kind, MEASURE_COVERED, print_interval_row);
    }
}

/* ---- posteriors ---- */

static void print_posterior_row(FILE *stream, const struct setting *setting, unsigned method)
{
    static const enum measure shown[] = {MEASURE_LOG_LOSS, MEASURE_PLAIN_LOG_LOSS, MEASURE_BRIER,
                                         MEASURE_CALIBRATION};
    unsigned n_runs;
    (void)mean_over_runs(setting, method, places_all(setting), MEASURE_LOG_LOSS, &n_runs);
    (void)fprintf(stream, " %u |", n_runs);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const double mean = mean_over_runs(setting, method, places_all(setting), shown[i], &n_runs);
        if (n_runs > 0)
            (void)fprintf(stream, " %.4f", mean);
        (void)fputs(" |", stream);
    }
}

void print_own_posteriors(FILE *stream, const struct summary *summary)
{
    bool has_heading = false;
    for (unsigned k = 0; k < N_KINDS; k++) {
        const enum kind kind = (enum kind)k;
        if (!kind_has_measure(summary, kind, MEASURE_LOG_LOSS))
            continue;
        if (!has_heading)
            (void)fputs(
                "## Posteriors of the method's own estimate\n\n"
                "These are the posteriors that a user gets, without alpha given: means over all runs. Plain"
                " is the log-loss of plain posteriors, for alpha alone; the others of methods that know"
                " alpha's distribution are means over it. Calibration is the expected calibration error, by"
                " 10 bins of equally many rows. On synthetic sets the true posteriors, whose mean is"
                " alpha\\*, stand for the classes.\n\n",
                stream);
        has_heading = true;
        (void)fputs("| setting | method | runs | log-loss | plain | Brier | calibration |\n"
                    "|---|---|---|---|---|---|---|\n",
                    stream);
        print_rows(stream, summary, kind, MEASURE_LOG_LOSS, print_posterior_row);
    }
}

/* ---- evaluations ---- */

static place_set places_of_share(const struct setting *setting, double alpha)
{
    place_set places = 0;
    for (size_t p = 0; p < setting->n_places; p++)
        places |= (place_set)(setting->place[p].alpha == alpha) << p;
    return places;
}

/* A row of the table; nothing if these places have no evaluation. */
static void print_checked(FILE *stream, const char *name, const struct setting *setting, unsigned method,
                          place_set places)
{
    unsigned n_runs, n_asked;
    (void)mean_over_runs(setting, method, places, MEASURE_GAP, &n_runs);
    if (n_runs == 0)
        return;
    (void)fprintf(stream, "| %s | %u |", name, n_runs);
    for (unsigned k = 0; k < N_CHECKED; k++) {
        const double gap = mean_over_runs(setting, method, places, (enum measure)(MEASURE_GAP + k), &n_runs);
        const double held =
            mean_over_runs(setting, method, places, (enum measure)(MEASURE_HELD + k), &n_runs);
        if (n_runs > 0)
            (void)fprintf(stream, " %.4f, %.1f%%", gap, 100 * held);
        (void)fputs(" |", stream);
    }
    const double precision = mean_over_runs(setting, method, places, MEASURE_CURVE_PRECISION, &n_runs);
    const double recall = mean_over_runs(setting, method, places, MEASURE_CURVE_RECALL, &n_runs);
    if (n_runs > 0)
        (void)fprintf(stream, " %.4f, %.4f", precision, recall);
    (void)fputs(" |", stream);
    const double reached = mean_over_runs(setting, method, places, MEASURE_ASKED, &n_asked);
    if (n_asked > 0)
        (void)fprintf(stream, " %.1f%% of %u", 100 * reached, n_asked);
    (void)fputs(" |\n", stream);
}

static void print_evaluation_table(FILE *stream, const struct setting *setting, unsigned method)
{
    static const double shares[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    const struct set *set;
    (void)fprintf(
        stream,
        "%s, %s:\n\n| | runs | AUC | precision | recall | F1 | along the curve | precision 0.9 asked for |\n"
        "|---|---|---|---|---|---|---|---|\n",
        setting->name, variant_at(method)->title);
    for (unsigned i = 0; (set = set_at(i)) != NULL; i++)
        print_checked(stream, set->name, setting, method, places_of_set(setting, set));
    for (size_t a = 0; a < sizeof shares / sizeof shares[0]; a++) {
        char name[32];
        (void)snprintf(name, sizeof name, "alpha %g", shares[a]);
        print_checked(stream, name, setting, method, places_of_share(setting, shares[a]));
    }
    print_checked(stream, "all", setting, method, places_all(setting));
    (void)fputc('\n', stream);
}

void print_evaluations(FILE *stream, const struct summary *summary)
{
    if (!kind_has_measure(summary, KIND_DATASETS, MEASURE_GAP))
        return;
    (void)fputs(
        "## Evaluation without negatives\n\n"
        "Mean distance between the estimate and the truth, and how many of the 95% ranges hold the truth, at"
        " the threshold with the fewest expected errors (posterior 0.5). Along the curve: the mean distances "
        "of"
        " precision and recall over all its thresholds. In the last column a precision of"
        " 0.9 was asked for: in how many of the runs in which it could be had it is at least 0.85.\n\n",
        stream);
    for (size_t s = 0; s < summary->n; s++)
        for (unsigned m = 0; variant_at(m) != NULL; m++)
            if (has_measure(&summary->setting[s], m, MEASURE_GAP))
                print_evaluation_table(stream, &summary->setting[s], m);
}
