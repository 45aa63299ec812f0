/* dedpul bench: the paper's experiments. */
#include "bench_report.h"
#include "command.h"
#include "experiments.h"

#include <stddef.h>
#include <string.h>

enum { MOST_GIVEN = 64 };

struct request {
    bool help, quiet;
    const char *out, *data, *sets, *alphas, *methods, *repeats, *threads, *preset;
    size_t n_given;
    const char *given[MOST_GIVEN][2]; /* options of the fit, in the order of their names */
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"help", 0, NULL, NULL, "Show this help.", FIELD(help)},
    {"out", 0, "DIR", NULL, "Directory of results.csv.", FIELD(out)},
    {"data", 0, "DIR", NULL, "Directory of the data sets.", FIELD(data)},
    {"sets", 0, "NAME,NAME", "all", "Sets; 'uci' for those that are no images.", FIELD(sets)},
    {"alphas", 0, "X,X", "all", "Shares of positives.", FIELD(alphas)},
    {"methods", 0, "NAME,NAME", "scores", "Methods; 'scores' for those on scores, 'all' for all.",
     FIELD(methods)},
    {"repeats", 0, "N", "10", "Samples of each set and share.", FIELD(repeats)},
    {"preset", 0, "default|paper", "default",
     "How classifiers are trained: as by 'dedpul fit', or as published.", FIELD(preset)},
    {"threads", 0, "N", "0", "Runs at a time; 0: one per processor.", FIELD(threads)},
    {"quiet", 'q', NULL, NULL, "No progress bar.", FIELD(quiet)},
};

/* All but those of single methods and those above. */
static const dedpul_option_info *library(size_t index)
{
    static const char *const left_out[] = {"method", "alpha",   "pn",        "pca",   "loss",
                                           "preset", "threads", "resamples", "level", "bands"};
    return fit_option_except(index, sizeof left_out / sizeof left_out[0], left_out);
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
        memmove(&request->given[at + 1], &request->given[at],
                (request->n_given - at) * sizeof request->given[0]);
        request->n_given++;
    }
    request->given[at][0] = name;
    request->given[at][1] = value;
    return DEDPUL_OK;
}

static const struct command_line runs_line = {
    .command = "bench",
    .n_own = sizeof own / sizeof own[0],
    .own = own,
    .library = library,
    .set = set,
    .n_files = 0,
    .files = "no file but that of --out",
};

static const struct command_line report_line = {
    .command = "bench",
    .n_own = 1,
    .own = own,
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
               "       dedpul bench report DIR\n"
               "\n"
               "The experiments of the paper: samples whose share of positives is known, all methods on\n"
               "each, and how far off they are. Each run of a method adds a row to DIR/results.csv as it\n"
               "finishes; the same command again goes on where it was stopped. 'report' makes tables and\n"
               "figures of it, with the published results beside.\n"
               "\n"
               "Options [default]:");
    command_line_print_options(&runs_line);
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
               "  dedpul bench report results");
}

static int show(void *context, const struct standing *standing)
{
    return progress_show_runs(context, standing->done, standing->runs, standing->seconds_left);
}

static int finish(const struct request *request, dedpul_status status, const struct experiment_end *end,
                  const dedpul_error *error)
{
    if (status == DEDPUL_CANCELLED) {
        complain("stopped after %zu runs, which are in %s/results.csv; the same command goes on from there",
                 end->done, request->out);
        return EXIT_INTERRUPTED;
    }
    if (status != DEDPUL_OK) {
        complain("%s", error->message);
        return EXIT_FAILED;
    }
    printf("%zu runs done, %zu were done before; see %s/results.csv, and 'dedpul bench report %s'\n",
           end->done, end->skipped, request->out, request->out);
    if (end->failed > 0)
        complain("%zu methods of these runs failed, and have no row; the first: %s", end->failed,
                 end->failure);
    return end->failed > 0 ? EXIT_FAILED : EXIT_OK;
}

static int run_experiment(enum kind kind, int argc, char **argv)
{
    struct request request = {.sets = "all",
                              .alphas = "all",
                              .methods = "scores",
                              .repeats = "10",
                              .threads = "0",
                              .preset = "default"};
    struct experiment experiment = {.kind = kind};
    struct experiment_end end;
    struct progress progress;
    dedpul_error error;
    bool go;
    const int code = command_line_read(&runs_line, &request, argc, argv, print_help, NULL, &go);
    if (!go)
        return code;
    if (request.out == NULL || (kind == KIND_DATASETS && request.data == NULL)) {
        complain("'dedpul bench %s' needs --%s DIR; see 'dedpul bench --help'", kind_name(kind),
                 request.out == NULL ? "out" : "data");
        return EXIT_USAGE;
    }
    if (!read_count("repeats", request.repeats, 1, 1000, &experiment.repeats) ||
        !read_count("threads", request.threads, 0, 256, &experiment.threads))
        return EXIT_FAILED;
    experiment.directory = request.out;
    experiment.data = request.data;
    experiment.sets = request.sets;
    experiment.alphas = request.alphas;
    experiment.methods = request.methods;
    experiment.preset = request.preset;
    experiment.n_options = request.n_given;
    experiment.option = (const char *const(*)[2])request.given;
    experiment.tell = show;
    experiment.tell_context = &progress;
    progress_init(&progress, request.quiet, false);
    interrupt_catch();
    const dedpul_status status = experiment_run(&experiment, &end, &error);
    progress_end(&progress);
    return finish(&request, status, &end, &error);
}

static int run_report(int argc, char **argv)
{
    struct request request = {.help = false};
    const char *directory;
    bool go;
    const int code = command_line_read(&report_line, &request, argc, argv, print_help, &directory, &go);
    return go ? bench_report(directory) : code;
}

static int run(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "--help") == 0) {
        print_help();
        return EXIT_OK;
    }
    if (strcmp(what, "report") == 0)
        return run_report(argc - 1, argv + 1);
    for (enum kind kind = 0; kind < N_KINDS; kind++)
        if (strcmp(what, kind_name(kind)) == 0)
            return run_experiment(kind, argc - 1, argv + 1);
    complain("say which: 'dedpul bench synthetic', 'datasets' or 'report'; see 'dedpul bench --help'");
    return EXIT_USAGE;
}

const struct command command_bench = {
    .name = "bench",
    .summary = "the paper's experiments: results, tables, figures",
    .run = run,
};
