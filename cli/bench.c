/* dedpul bench: the paper's experiments. */
#include "bench_report.h"
#include "command.h"
#include "experiments.h"
#include "message.h"
#include "progress.h"
#include "selected.h"

#include <stddef.h>
#include <string.h>

enum { MOST_GIVEN = 64 };

struct request {
    struct invocation call;
    bool quiet;
    const char *out, *data, *scores, *sets, *alphas, *methods, *repeats, *threads, *preset;
    unsigned n_repeats, n_threads;
    size_t n_given;
    const char *given[MOST_GIVEN][2]; /* options of the fit, in the order of their names */
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"out", 0, "DIR", NULL, "Directory of results.csv.", FIELD(out)},
    {"data", 0, "DIR", NULL, "Directory of the data sets.", FIELD(data)},
    {"scores", 0, "DIR", NULL,
     "Keep the cross-fitted scores of each run in DIR; a run whose scores are there trains no classifier.",
     FIELD(scores)},
    {"sets", 0, "NAME,NAME", "all", "Sets; 'uci' for those that are not images.", FIELD(sets)},
    {"alphas", 0, "X,X", "all", "Shares of positives.", FIELD(alphas)},
    {"methods", 0, "NAME,NAME", "scores", "Methods; 'scores' for those on scores, 'all' for all.",
     FIELD(methods)},
    {"repeats", 0, "N", "10", "Samples of each set and share.", FIELD(repeats)},
    {"preset", 0, "default|paper", "default",
     "How classifiers are trained: as 'dedpul fit' does, or as published.", FIELD(preset)},
    {"threads", 0, "N", "0", "Number of runs at a time; 0 means one per processor.", FIELD(threads)},
    {"quiet", 'q', NULL, NULL, "Show no progress bar.", FIELD(quiet)},
    {.name = NULL},
};

/* All but those of single methods and those above. */
static const dedpul_option_info *library(size_t index)
{
    static const char *const left_out[] = {"method",    "alpha", "pn",     "check-labels",
                                           "pca",       "loss",  "preset", "threads",
                                           "resamples", "level", "bands",  "interval"};
    return library_option_except(index, sizeof left_out / sizeof left_out[0], left_out);
}

/* Checked here, and kept for the runs. */
static dedpul_status set(void *argument, const char *name, const char *value, dedpul_error *error)
{
    struct request *request = argument;
    dedpul_options options;
    size_t at = 0;
    dedpul_options_init(&options);
    const dedpul_status status = dedpul_options_set(&options, name, value, error);
    if (status != DEDPUL_OK)
        return status;
    while (at < request->n_given && strcmp(request->given[at][0], name) < 0)
        at++;
    if (at == request->n_given || strcmp(request->given[at][0], name) != 0) {
        if (request->n_given == MOST_GIVEN) {
            *error = (dedpul_error){DEDPUL_INVALID_ARGUMENT, "there are too many options of the fit"};
            return DEDPUL_INVALID_ARGUMENT;
        }
        memmove(&request->given[at + 1], &request->given[at],
                (request->n_given - at) * sizeof request->given[0]);
        request->n_given++;
    }
    request->given[at][0] = name;
    request->given[at][1] = value;
    return DEDPUL_OK;
}

static const char *name_at(const char *option, size_t index)
{
    const struct variant *variant = strcmp(option, "methods") == 0 ? variant_at((unsigned)index) : NULL;
    return variant != NULL ? variant->name : NULL;
}

static const struct option_group run_groups[] = {{own, 0}, {.options = NULL}};

static const struct command_line run_line = {
    .command = "bench",
    .groups = run_groups,
    .library = library,
    .set = set,
    .n_files = 0,
    .files = "no file but that of --out",
    .name_at = name_at,
};

static const struct command_option selected_own[] = {
    {"out", 0, "DIR", NULL, "Directory of selected.csv.", FIELD(out)},
    {"data", 0, "DIR", NULL, "Directory of the data sets.", FIELD(data)},
    {"sets", 0, "NAME,NAME", "all", "Of landsat, pageblock, mnist and shuttle.", FIELD(sets)},
    {"repeats", 0, "N", "10", "Samples of each set, share and selection.", FIELD(repeats)},
    {"threads", 0, "N", "0", "Number of runs at a time; 0 means one per processor.", FIELD(threads)},
    {"quiet", 'q', NULL, NULL, "Show no progress bar.", FIELD(quiet)},
    {.name = NULL},
};

static const struct option_group selected_groups[] = {{selected_own, 0}, {.options = NULL}};

static const struct command_line selected_line = {
    .command = "bench",
    .groups = selected_groups,
    .n_files = 0,
    .files = "no file but that of --out",
};

static const struct option_group no_groups[] = {{.options = NULL}};

static const struct command_line report_line = {
    .command = "bench",
    .groups = no_groups,
    .n_files = 1,
    .files = "DIR",
};

static void print_sets(enum kind kind)
{
    const struct set *each;
    const char *separator = " ";
    printf("  %-10s", kind_name(kind));
    for (unsigned i = 0; (each = set_at(i)) != NULL; i++)
        if (each->kind == kind) {
            printf("%s%s", separator, each->name);
            separator = ", ";
        }
    (void)putchar('\n');
}

static void print_help(void)
{
    const struct variant *variant;
    (void)puts("Usage: dedpul bench synthetic --out DIR [OPTION...]\n"
               "       dedpul bench datasets --data DATA --out DIR [OPTION...]\n"
               "       dedpul bench selected --data DATA --out DIR [OPTION...]\n"
               "       dedpul bench report DIR\n"
               "\n"
               "Runs the experiments of the paper: draws samples whose share of positives is known, runs\n"
               "methods on each of them, and measures how far off they are. Each run of a method adds a\n"
               "row to DIR/results.csv as it finishes; if the command was stopped, the same command goes\n"
               "on from there. 'report' makes tables and figures of it, beside the published results.\n"
               "'selected' draws labels that are no random draw of the positives, from sets whose kinds of\n"
               "positives are known, or with chances that depend on columns, and prints how far off\n"
               "estimates are by each approach: without and with 'fit --kind' or 'fit --propensity'. Its\n"
               "rows are in DIR/selected.csv, and it takes the options --out, --data, --sets, --repeats,\n"
               "--threads and --quiet. A run takes some 8 seconds of one core for landsat, pageblock, wine\n"
               "and mushroom, 15 for mnist (networks on 6000 of the images) and 90 for shuttle.\n"
               "\n"
               "Options [default]:");
    print_options(&run_line);
    (void)puts("\nSets:");
    print_sets(KIND_SYNTHETIC);
    print_sets(KIND_DATASETS);
    (void)puts("\nMethods:");
    for (unsigned i = 0; (variant = variant_at(i)) != NULL; i++)
        printf("  %-18s %s\n", variant->name, variant->title);
    print_classifiers();
    (void)puts("\nExamples:\n"
               "  dedpul bench synthetic --out results --preset paper\n"
               "  dedpul bench datasets --data data --sets uci --out results --preset paper --repeats 3\n"
               "  dedpul bench datasets --data data --sets uci --out results --classifier gbdt\n"
               "  dedpul bench selected --data data --out results --repeats 3\n"
               "  dedpul bench report results");
}

static void init(void *argument)
{
    struct request *request = argument;
    request->sets = "all";
    request->alphas = "all";
    request->methods = "scores";
    request->repeats = "10";
    request->threads = "0";
    request->preset = "default";
}

static enum kind kind_of(const struct request *request)
{
    enum kind kind = 0;
    while (strcmp(kind_name(kind), request->call.command->name) != 0)
        kind++;
    return kind;
}

static int check_any(struct request *request, bool needs_data)
{
    if (request->out == NULL || (needs_data && request->data == NULL)) {
        complain("'dedpul bench %s' needs --%s DIR; see 'dedpul bench --help'", request->call.command->name,
                 request->out == NULL ? "out" : "data");
        return EXIT_USAGE;
    }
    return read_count("repeats", request->repeats, 1, 1000, &request->n_repeats) &&
                   read_count("threads", request->threads, 0, 256, &request->n_threads)
               ? EXIT_OK
               : EXIT_FAILED;
}

static int check(void *argument)
{
    return check_any(argument, kind_of(argument) == KIND_DATASETS);
}

static int check_selected(void *argument)
{
    return check_any(argument, true);
}

static int show(void *context, const struct standing *standing)
{
    return progress_show_runs(context, standing->done, standing->runs, standing->seconds_left);
}

static bool finish(const struct request *request, dedpul_status status, const struct experiment_end *end,
                   const dedpul_error *error)
{
    if (status == DEDPUL_CANCELLED)
        complain("stopped after %zu runs, which are in %s/results.csv; the same command goes on from there",
                 end->done, request->out);
    else if (status != DEDPUL_OK)
        complain("%s", error->message);
    if (status != DEDPUL_OK)
        return false;
    printf("%zu runs done, %zu were done before; see ", end->done, end->skipped);
    print_text(request->out);
    (void)fputs("/results.csv, and 'dedpul bench report ", stdout);
    print_text(request->out);
    (void)puts("'");
    if (end->failed > 0)
        complain("%zu methods of these runs failed, and have no row. The first failure: %s", end->failed,
                 end->failure);
    return end->failed == 0;
}

static bool run_experiment(void *argument)
{
    const struct request *request = argument;
    struct progress progress;
    struct experiment_end end;
    dedpul_error error;
    const struct experiment experiment = {.kind = kind_of(request),
                                          .directory = request->out,
                                          .data = request->data,
                                          .scores = request->scores,
                                          .sets = request->sets,
                                          .alphas = request->alphas,
                                          .methods = request->methods,
                                          .preset = request->preset,
                                          .repeats = request->n_repeats,
                                          .threads = request->n_threads,
                                          .n_options = request->n_given,
                                          .option = (const char *const(*)[2])request->given,
                                          .tell = show,
                                          .tell_context = &progress};
    progress_init(&progress, request->quiet, false);
    const dedpul_status status = experiment_run(&experiment, &end, &error);
    progress_end(&progress);
    return finish(request, status, &end, &error);
}

static bool run_selected(void *argument)
{
    const struct request *request = argument;
    struct progress progress;
    struct experiment_end end;
    dedpul_error error;
    const struct selected selected = {.directory = request->out,
                                      .data = request->data,
                                      .sets = request->sets,
                                      .repeats = request->n_repeats,
                                      .threads = request->n_threads,
                                      .tell = show,
                                      .tell_context = &progress};
    progress_init(&progress, request->quiet, false);
    dedpul_status status = selected_run(&selected, &end, &error);
    progress_end(&progress);
    if (status == DEDPUL_CANCELLED)
        complain("stopped after %zu runs, which are in %s/selected.csv; the same command goes on from there",
                 end.done, request->out);
    if (status == DEDPUL_OK)
        status = selected_report(request->out, stdout, &error);
    if (status != DEDPUL_OK && status != DEDPUL_CANCELLED)
        complain("%s", error.message);
    return status == DEDPUL_OK;
}

static bool run_report(void *request)
{
    return bench_report(((const struct invocation *)request)->file[0]);
}

#define EXPERIMENT(kind)                                                                                   \
    {                                                                                                      \
        .name = kind, .print_help = print_help, .line = &run_line, .request_size = sizeof(struct request), \
        .init = init, .check = check, .catches_interrupts = true, .run = run_experiment,                   \
    }

static const struct command synthetic = EXPERIMENT("synthetic");
static const struct command datasets = EXPERIMENT("datasets");

static const struct command selected = {
    .name = "selected",
    .print_help = print_help,
    .line = &selected_line,
    .request_size = sizeof(struct request),
    .init = init,
    .check = check_selected,
    .catches_interrupts = true,
    .run = run_selected,
};

static const struct command report = {
    .name = "report",
    .print_help = print_help,
    .line = &report_line,
    .request_size = sizeof(struct invocation),
    .run = run_report,
};

static const struct command *const parts[] = {&synthetic, &datasets, &selected, &report, NULL};

const struct command command_bench = {
    .name = "bench",
    .summary = "the paper's experiments: results, tables, figures",
    .print_help = print_help,
    .parts = parts,
};
