/* dedpul compare: several methods on the same rows and scores. */
#include "command.h"
#include "report.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

struct request {
    struct fit_input input;
    const char *methods, *report;
    bool interval, json, help;
    int argc;
    char **argv;
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"help", 0, NULL, NULL, "Show this help.", FIELD(help)},
    {"methods", 0, "all|NAME,NAME", "all", "Methods to compare; see the list.", FIELD(methods)},
    {"interval", 0, NULL, NULL, "Intervals of methods on scores; they are there without it, too.",
     FIELD(interval)},
    {"report", 0, "FILE.html", NULL, "Write a page with tables and charts, for a browser.", FIELD(report)},
    {"json", 0, NULL, NULL, "Print an array of JSON objects, one per method.", FIELD(json)},
};

/* All but those that are for one method, for a model, and for a share that is known. */
static const dedpul_option_info *library(size_t index)
{
    static const char *const left_out[] = {"method", "pn", "alpha", "bands"};
    return fit_option_except(index, sizeof left_out / sizeof left_out[0], left_out);
}

static const struct command_line line = {
    .command = "compare",
    .n_own = sizeof own / sizeof own[0],
    .own = own,
    .fits = true,
    .library = library,
    .set = fit_input_set,
    .n_files = 1,
    .files = "FILE",
};

static void print_help(void)
{
    (void)puts("Usage: dedpul compare [OPTION...] FILE\n"
               "\n"
               "Estimates alpha, the share of positives among the unlabeled rows, by several methods, and\n"
               "says which of them differ from dedpul by more than their uncertainty. Methods on scores\n"
               "share those of one classifier, trained as by 'dedpul fit'; the others look at the same\n"
               "features. A method that fails does not stop the others.\n");
    print_table_formats();
    (void)puts("Options [default]:");
    command_line_print_options(&line);
    print_classifiers();
    print_methods_and_densities(true);
    (void)puts("\nExamples:\n"
               "  dedpul compare table.csv\n"
               "  dedpul compare table.csv --methods dedpul,km2,tice --json\n"
               "  dedpul compare table.csv --classifier gbdt --pca 50\n"
               "  dedpul compare table.csv --report methods.html");
}

static void print_row(const dedpul_compared *compared)
{
    printf("  %-13s ", compared->method);
    if (compared->status != DEDPUL_OK)
        printf("%-7s", "failed");
    else
        printf("%.4f ", compared->alpha);
    if (isnan(compared->low))
        printf(" %-16s", "");
    else
        printf(" %.4f to %.4f", compared->low, compared->high);
    printf("%10.2f", compared->seconds);
    if (compared->note[0] != '\0') {
        (void)fputs("  ", stdout);
        print_text(compared->note);
    }
    (void)putchar('\n');
}

void print_verdict(FILE *stream, const dedpul_comparison *comparison)
{
    size_t n_differing = 0;
    const dedpul_compared *reference = NULL;
    for (size_t i = 0; i < comparison->n_methods; i++) {
        if (comparison->methods[i]->is_reference)
            reference = comparison->methods[i];
        n_differing += comparison->methods[i]->differs != 0;
    }
    if (reference == NULL || comparison->n_methods < 2)
        return;
    if (isnan(reference->low)) {
        (void)fputs("\nThere are too few rows, or resamples, to tell how uncertain these are.\n", stream);
        return;
    }
    if (n_differing == 0) {
        (void)fprintf(stream, "\nNone differs from %s by more than their uncertainty.\n", reference->method);
        return;
    }
    (void)fprintf(stream, "\nDiffer from %s (%.4f) by more than their uncertainty:", reference->method,
                  reference->alpha);
    const char *separator = " ";
    for (size_t i = 0; i < comparison->n_methods; i++)
        if (comparison->methods[i]->differs) {
            (void)fprintf(stream, "%s%s (%.4f)", separator, comparison->methods[i]->method,
                          comparison->methods[i]->alpha);
            separator = ", ";
        }
    (void)fputs(".\n", stream);
}

static void print_table(const char *file, double level, const dedpul_comparison *comparison)
{
    printf("%s: %zu labeled positive and %zu unlabeled rows\n", file, comparison->n_positive,
           comparison->n_unlabeled);
    printf("Scores by %s in %.1f s; AUC %.4f, labeled against unlabeled\n\n", comparison->classifier,
           comparison->seconds, comparison->auc);
    printf("  method        alpha   %2.3g%% interval       seconds  note\n", 100 * level);
    for (size_t i = 0; i < comparison->n_methods; i++)
        print_row(comparison->methods[i]);
    print_verdict(stdout, comparison);
}

static int check_request(struct request *request)
{
    const struct output output = {"report", request->report};
    const char *const inputs[] = {request->input.file, request->input.columns.labels};
    if (!outputs_are_apart(request->input.columns.labels != NULL ? 2 : 1, inputs, 1, &output))
        return EXIT_USAGE;
    if (!outputs_can_be_written(1, &output))
        return EXIT_FAILED;
    return fit_input_check(&request->input) ? EXIT_OK : EXIT_FAILED;
}

static bool write_report(const struct request *request, const dedpul_comparison *comparison)
{
    const struct report report = {.file = request->input.file,
                                  .argc = request->argc,
                                  .argv = request->argv,
                                  .comparison = comparison,
                                  .level = request->input.options.level};
    dedpul_error error;
    interrupt_hold();
    const bool done = report_write(request->report, &report, &error) == DEDPUL_OK;
    interrupt_release();
    if (!done)
        complain("%s", error.message);
    return done;
}

static bool compare(void *argument, const dedpul_table *table)
{
    struct request *request = argument;
    dedpul_error error;
    dedpul_comparison *comparison;
    const dedpul_status status =
        dedpul_compare(table, &request->input.options, request->methods, &comparison, &error);
    progress_end(&request->input.progress);
    if (status != DEDPUL_OK) {
        complain("%s: %s", input_name(request->input.file), error.message);
        return false;
    }
    bool done = request->report == NULL || write_report(request, comparison);
    if (done && request->json)
        done = print_comparison_json(comparison);
    else if (done)
        print_table(input_name(request->input.file), request->input.options.level, comparison);
    print_warnings(comparison->n_warnings, comparison->warnings);
    dedpul_comparison_free(comparison);
    return done;
}

static int run(int argc, char **argv)
{
    struct request request = {.methods = "all", .argc = argc, .argv = argv};
    bool go;
    fit_input_init(&request.input);
    int code = command_line_read(&line, &request, argc, argv, print_help, &request.input.file, &go);
    if (go)
        code = check_request(&request);
    return go && code == EXIT_OK ? fit_input_run(&request.input, compare) : code;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "alpha by several methods, side by side",
    .run = run,
};
