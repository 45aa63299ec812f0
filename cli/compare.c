/* dedpul compare: several methods on the same rows and scores, or several classifiers. */
#include "answer.h"
#include "column_options.h"
#include "comparison.h"
#include "fit_input.h"
#include "message.h"
#include "report.h"

#include <stddef.h>
#include <string.h>

struct request {
    struct fit_input input;
    const char *methods, *classifiers, *method, *report;
    bool json;
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"methods", 0, "all|fast|NAME,NAME", "all",
     "Methods to compare; see the list. fast leaves out those that train networks of their own.",
     FIELD(methods)},
    {"classifiers", 0, "all|NAME,NAME", NULL,
     "Compare classifiers instead, by one method: each is cross-fitted on the same folds. all leaves out "
     "auto, "
     "and conv unless rows are images.",
     FIELD(classifiers)},
    {"method", 0, "NAME", "pooled", "The method by which classifiers are compared.", FIELD(method)},
    {"kind", 0, "COL", NULL,
     "Column of the kinds of labeled rows, as for 'dedpul fit'; scores are corrected for them. Not with "
     "--classifiers.",
     FIELD(input.columns.kind)},
    {"report", 0, "FILE.html", NULL, "Write a page with tables and charts, for a browser.", FIELD(report)},
    {"json", 0, NULL, NULL, "Print an array of JSON objects, one per method or classifier.", FIELD(json)},
    {.name = NULL},
};

static const struct option_group groups[] = {{own, 0},
                                             {column_option_table, FIELD(input.columns)},
                                             {fit_input_option_table, FIELD(input)},
                                             {.options = NULL}};

/* All but those that are for one method, for a model, and for a share that is known. */
static const dedpul_option_info *library(size_t index)
{
    static const char *const left_out[] = {"method", "pn", "alpha", "bands", "interval", "posterior"};
    return library_option_except(index, sizeof left_out / sizeof left_out[0], left_out);
}

static const char *name_at(const char *option, size_t index)
{
    if (strcmp(option, "classifiers") == 0)
        return dedpul_classifier_name(index);
    return strcmp(option, "methods") == 0 ? dedpul_method_name(index) : NULL;
}

static const struct command_line line = {
    .command = "compare",
    .groups = groups,
    .library = library,
    .set = fit_input_set,
    .n_files = 1,
    .files = "FILE",
    .name_at = name_at,
};

static void print_help(void)
{
    (void)puts("Usage: dedpul compare [OPTION...] FILE\n"
               "\n"
               "Estimates alpha, the share of positives among the unlabeled rows, by several methods, and\n"
               "says which of them differ from the default by more than their uncertainty. Methods on\n"
               "scores share those of one classifier, which is trained as 'dedpul fit' does; the others\n"
               "look at the same features. A method that fails does not stop the others.\n"
               "\n"
               "With --classifiers, it compares classifiers by one method: how well they tell positives\n"
               "from negatives, although no negatives are known, and which is best.\n");
    print_table_formats();
    (void)puts("Options [default]:");
    print_options(&line);
    print_classifiers();
    print_methods_and_densities(true);
    (void)puts("\nExamples:\n"
               "  dedpul compare table.csv\n"
               "  dedpul compare table.csv --methods dedpul,km2,tice --json\n"
               "  dedpul compare table.csv --methods fast --classifier gbdt --pca 50\n"
               "  dedpul compare table.csv --classifiers mlp,gbdt,logistic,blend\n"
               "  dedpul compare table.csv --report methods.html");
}

/* Options of one kind of comparison do not go with the other. */
static int check_kind(const struct request *request)
{
    const char *wrong = NULL;
    if (request->classifiers == NULL)
        wrong = request->method != NULL ? "--method goes with --classifiers; --methods names those to compare"
                                        : NULL;
    else if (request->methods != NULL)
        wrong = "--methods does not go with --classifiers, which are compared by one: --method";
    else if (request->input.options.classifier != NULL)
        wrong = "--classifier does not go with --classifiers: leave it out";
    if (wrong == NULL)
        return EXIT_OK;
    complain("%s", wrong);
    return EXIT_USAGE;
}

static int check(void *argument)
{
    struct request *request = argument;
    dedpul_error error;
    const int code = check_kind(request);
    if (code != EXIT_OK)
        return code;
    if (request->method != NULL &&
        dedpul_options_set(&request->input.options, "method", request->method, &error) != DEDPUL_OK) {
        complain("%s", error.message);
        return EXIT_FAILED;
    }
    return fit_input_check(&request->input);
}

static void name_files(const void *argument, struct files *files)
{
    const struct request *request = argument;
    fit_input_name_files(&request->input, files);
    add_output(files, "report", request->report);
}

static bool write_report(const struct request *request, const dedpul_comparison *comparison)
{
    const struct invocation *call = &request->input.call;
    const struct report report = {.file = call->file[0],
                                  .argc = call->argc,
                                  .argv = call->argv,
                                  .comparison = comparison,
                                  .level = request->input.options.level};
    dedpul_error error;
    if (request->report == NULL || report_write(request->report, &report, &error) == DEDPUL_OK)
        return true;
    complain("%s", error.message);
    return false;
}

static bool compare(void *argument, const dedpul_table *table)
{
    struct request *request = argument;
    const char *name = input_name(request->input.call.file[0]);
    dedpul_error error;
    dedpul_comparison *comparison;
    const dedpul_options *options = &request->input.options;
    const dedpul_status status =
        request->classifiers != NULL
            ? dedpul_compare_classifiers(table, options, request->classifiers, &comparison, &error)
            : dedpul_compare(table, options, request->methods != NULL ? request->methods : "all", &comparison,
                             &error);
    progress_end(&request->input.progress);
    if (status != DEDPUL_OK) {
        complain("%s: %s", name, error.message);
        return false;
    }
    const bool done = write_report(request, comparison) &&
                      (request->json ? print_comparison_json(comparison)
                                     : print_comparison(name, request->input.options.level, comparison));
    if (done)
        print_warnings(comparison->n_warnings, comparison->warnings);
    dedpul_comparison_free(comparison);
    return done;
}

static bool run(void *request)
{
    return fit_input_run(request, compare);
}

const struct command command_compare = {
    .name = "compare",
    .summary = "several methods, or several classifiers, side by side",
    .print_help = print_help,
    .line = &line,
    .request_size = sizeof(struct request),
    .init = fit_input_init,
    .check = check,
    .name_files = name_files,
    .run = run,
};
