/*
 * Measures how near to the true share the methods `dedpul` and `pooled` come, and how often their intervals
 * hold it, on data sets of known densities (kinds.h). The true share is alpha*, the largest share that the
 * densities allow. Prints two tables in Markdown: all kinds, and some of them with more and more rows.
 *
 *   bench_interval [DATA_SETS_PER_LINE]
 */
#include "bench.h"
#include "kinds.h"

#include "parallel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- one line: data sets of one kind, share and size ---- */

struct line {
    const struct kind *kind;
    double alpha;
    struct sizes sizes;
    size_t n_sets, n_bootstraps; /* the first n_bootstraps data sets get an interval by the bootstrap, too */
};

struct range {
    double low, high;
};

struct outcome {
    double dedpul, pooled;
    struct range interval, bootstrap;
    double bound;
};

struct work {
    const struct line *line;
    struct outcome *outcome; /* (n_sets) */
};

static dedpul_status estimate_by(const dedpul_sample *rows, const unsigned char *label, const char *method,
                                 dedpul_interval_kind interval, dedpul_result **result, dedpul_error *error)
{
    dedpul_options options;
    dedpul_options_init(&options);
    options.method = method;
    options.interval = interval;
    options.threads = 1;
    return dedpul_estimate(rows, label, &options, result, error);
}

static dedpul_status do_data_set(struct context *context, void *argument, size_t index)
{
    const struct work *work = argument;
    const struct line *line = work->line;
    struct outcome *outcome = &work->outcome[index];
    const size_t n = line->sizes.labeled + line->sizes.unlabeled;
    const bool with_bootstrap = index < line->n_bootstraps;
    double *score = context_allocate(context, n, sizeof *score);
    unsigned char *label = context_allocate(context, n, sizeof *label);
    struct rng rng;
    dedpul_result *result;
    if (score == NULL || label == NULL)
        return DEDPUL_NO_MEMORY;
    rng_init(&rng, (uint64_t)(line->kind - kinds), rng_stream((uint32_t)(1000 * line->alpha), index));
    TRY(draw_scores(context, line->kind, line->alpha, line->sizes, &rng, score, label));
    const dedpul_sample rows = {n, score, NULL};
    TRY(estimate_by(&rows, label, "pooled", DEDPUL_INTERVAL_ON, &result, context->error));
    outcome->pooled = result->alpha;
    outcome->interval = (struct range){result->interval->low, result->interval->high};
    outcome->bound = result->interval->upper_bound;
    dedpul_result_free(result);
    TRY(estimate_by(&rows, label, "dedpul", with_bootstrap ? DEDPUL_INTERVAL_BOOTSTRAP : DEDPUL_INTERVAL_OFF,
                    &result, context->error));
    outcome->dedpul = result->alpha;
    if (with_bootstrap)
        outcome->bootstrap = (struct range){result->interval->low, result->interval->high};
    dedpul_result_free(result);
    return DEDPUL_OK;
}

/* Means over data sets. */
struct summary {
    double dedpul_error, pooled_error; /* absolute */
    double held, width;                /* of the intervals of pooled */
    double bootstrap_held;             /* NaN: not measured */
    double bound_held;
};

static bool holds(struct range range, double value)
{
    return range.low <= value && value <= range.high;
}

static struct summary summarize(const struct line *line, const struct outcome *outcome)
{
    const double target = alpha_star(line->kind, line->alpha), n = (double)line->n_sets;
    struct summary sum = {.bootstrap_held = line->n_bootstraps > 0 ? 0 : NAN};
    for (size_t i = 0; i < line->n_sets; i++) {
        sum.dedpul_error += fabs(outcome[i].dedpul - target) / n;
        sum.pooled_error += fabs(outcome[i].pooled - target) / n;
        sum.held += holds(outcome[i].interval, target) / n;
        sum.width += (outcome[i].interval.high - outcome[i].interval.low) / n;
        sum.bound_held += (target <= outcome[i].bound) / n;
    }
    for (size_t i = 0; i < line->n_bootstraps; i++)
        sum.bootstrap_held += holds(outcome[i].bootstrap, target) / (double)line->n_bootstraps;
    return sum;
}

static struct summary measure(struct context *context, const struct line *line)
{
    struct work work = {line, checked(malloc(line->n_sets * sizeof *work.outcome))};
    check(parallel_for(context, line->n_sets, do_data_set, &work), context->error);
    const struct summary summary = summarize(line, work.outcome);
    free(work.outcome);
    return summary;
}

static void print_percent(double share)
{
    if (isnan(share))
        printf(" |");
    else
        printf(" %.0f%% |", 100 * share);
}

/* ---- the table of all kinds ---- */

/* Some sizes take longer, so fewer data sets have them. */
struct effort {
    struct sizes sizes;
    double sets, bootstraps; /* in multiples of the data sets per line */
};

static const struct effort efforts[] = {
    {{100, 1000}, 1, 0},
    {{1000, 5000}, 1, 0.2},
    {{10000, 100000}, 0.4, 0},
};
enum { N_EFFORTS = sizeof efforts / sizeof efforts[0], EFFORT_OF_SLOW_KINDS = 1 };

static size_t at_least_one(double count)
{
    return count < 1 ? 1 : (size_t)count;
}

/* The lines of one size so far: sums, and the line with the lowest share of its intervals that hold. */
struct totals {
    double n;
    struct summary sum;
    double lowest, lowest_alpha;
    const char *lowest_kind;
};

static void add_to_totals(const struct line *line, const struct summary *summary, struct totals *totals)
{
    struct summary *sum = &totals->sum;
    if (totals->n == 0 || summary->held < totals->lowest) {
        totals->lowest = summary->held;
        totals->lowest_alpha = line->alpha;
        totals->lowest_kind = line->kind->name;
    }
    totals->n++;
    sum->dedpul_error += summary->dedpul_error;
    sum->pooled_error += summary->pooled_error;
    sum->held += summary->held;
    sum->width += summary->width;
    sum->bootstrap_held += summary->bootstrap_held;
    sum->bound_held += summary->bound_held;
}

static void print_summary(struct sizes sizes, const struct summary *sum, double n)
{
    printf(" %zu + %zu | %.3f | %.3f |", sizes.labeled, sizes.unlabeled, sum->dedpul_error / n,
           sum->pooled_error / n);
    print_percent(sum->held / n);
    printf(" %.3f |", sum->width / n);
    print_percent(sum->bootstrap_held / n);
    print_percent(sum->bound_held / n);
}

static void print_totals(const struct totals *totals)
{
    for (size_t e = 0; e < N_EFFORTS; e++) {
        printf("| **mean** | | |");
        print_summary(efforts[e].sizes, &totals[e].sum, totals[e].n);
        (void)puts("");
    }
    (void)puts("");
    for (size_t e = 0; e < N_EFFORTS; e++)
        printf("Lowest share of its intervals that hold alpha\\*, %zu + %zu rows: %.0f%% (%s, alpha %g).\n",
               efforts[e].sizes.labeled, efforts[e].sizes.unlabeled, 100 * totals[e].lowest,
               totals[e].lowest_kind, totals[e].lowest_alpha);
}

static void print_kind(struct context *context, const struct kind *kind, double alpha, double sets,
                       struct totals *totals)
{
    for (size_t e = 0; e < N_EFFORTS; e++) {
        const struct effort *effort = &efforts[e];
        const struct line line = {kind, alpha, effort->sizes, at_least_one(sets * effort->sets),
                                  effort->bootstraps > 0 ? at_least_one(sets * effort->bootstraps) : 0};
        if (kind->is_slow && e != EFFORT_OF_SLOW_KINDS)
            continue;
        const struct summary summary = measure(context, &line);
        add_to_totals(&line, &summary, &totals[e]);
        printf("| %s | %g | %.3f |", kind->name, alpha, alpha_star(kind, alpha));
        print_summary(line.sizes, &summary, 1);
        (void)puts("");
        (void)fflush(stdout);
    }
}

static void print_all_kinds(struct context *context, double sets)
{
    struct totals totals[N_EFFORTS] = {0};
    (void)puts(
        "| positives and negatives | alpha | alpha\\* | rows | error, dedpul | error, pooled | held | width "
        "| bootstrap held | bound held |\n"
        "|---|---|---|---|---|---|---|---|---|---|");
    for (size_t k = 0; k < n_kinds; k++)
        for (size_t a = 0; a < MOST_ALPHAS && kinds[k].alpha[a] > 0; a++)
            print_kind(context, &kinds[k], kinds[k].alpha[a], sets, totals);
    print_totals(totals);
}

/* ---- the table of more and more rows ---- */

static const struct effort growing[] = {
    {{100, 1000}, 1, 0},
    {{1000, 10000}, 0.6, 0},
    {{10000, 100000}, 0.2, 0},
    {{100000, MILLION}, 0.06, 0},
};
enum { N_GROWING = sizeof growing / sizeof growing[0] };
static const double growing_alpha[] = {0.3, 0.7};
enum { N_GROWING_ALPHAS = sizeof growing_alpha / sizeof growing_alpha[0] };

static void print_errors(const double dedpul[N_GROWING], const double pooled[N_GROWING], double n)
{
    for (size_t e = 0; e < N_GROWING; e++)
        printf(" %.4f |", dedpul[e] / n);
    for (size_t e = 0; e < N_GROWING; e++)
        printf(" %.4f |", pooled[e] / n);
    (void)puts("");
    (void)fflush(stdout);
}

static void print_growing_head(void)
{
    static const char *const methods[] = {"dedpul", "pooled"};
    printf("\n| positives and negatives | alpha | alpha\\* |");
    for (size_t m = 0; m < 2; m++)
        for (size_t e = 0; e < N_GROWING; e++)
            printf(" %s, %zu |", methods[m], growing[e].sizes.unlabeled);
    printf("\n|---|---|---|");
    for (size_t e = 0; e < N_GROWING; e++)
        printf("---|---|");
    (void)puts("");
}

static void print_more_rows(struct context *context, double sets)
{
    double dedpul_sum[N_GROWING] = {0}, pooled_sum[N_GROWING] = {0}, n = 0;
    print_growing_head();
    for (size_t k = 0; k < n_kinds; k++)
        for (size_t a = 0; a < N_GROWING_ALPHAS && kinds[k].has_more_rows; a++) {
            const double alpha = growing_alpha[a];
            double dedpul[N_GROWING], pooled[N_GROWING];
            for (size_t e = 0; e < N_GROWING; e++) {
                const struct line line = {&kinds[k], alpha, growing[e].sizes,
                                          at_least_one(sets * growing[e].sets), 0};
                const struct summary summary = measure(context, &line);
                dedpul_sum[e] += dedpul[e] = summary.dedpul_error;
                pooled_sum[e] += pooled[e] = summary.pooled_error;
            }
            n++;
            printf("| %s | %g | %.3f |", kinds[k].name, alpha, alpha_star(&kinds[k], alpha));
            print_errors(dedpul, pooled, 1);
        }
    printf("| **mean** | | |");
    print_errors(dedpul_sum, pooled_sum, n);
}

int main(int argc, char **argv)
{
    const double sets = argc > 1 ? strtod(argv[1], NULL) : 100;
    struct arena arena;
    dedpul_error error;
    arena_init(&arena, NULL);
    struct context context = context_of(&arena, NULL, &error);
    context.threads = threads_or_default(0);
    print_all_kinds(&context, sets);
    print_more_rows(&context, sets);
    arena_free(&arena);
    return 0;
}
