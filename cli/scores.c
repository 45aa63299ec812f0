/* dedpul scores: alpha and posteriors from any classifier's scores. */
#include "command.h"
#include "report.h"

#include <stddef.h>

struct request {
    dedpul_columns columns;
    dedpul_options options;
    const char *file, *posteriors, *curve, *report, *plot;
    bool interval, json, help;
    int argc;
    char **argv;
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"help", 0, NULL, NULL, "Show this help.", FIELD(help)},
    {"label", 0, "COL", "label", "Column that tells labeled positives from unlabeled.", FIELD(columns.label)},
    {"score", 0, "COL", "score", "Column of scores in [0, 1], high for positives.", FIELD(columns.score)},
    {"weight", 0, "COL", NULL, "Column of weights, which have the meaning of counts of rows.",
     FIELD(columns.weight)},
    {"positive", 0, "VALUE,VALUE", NULL,
     "Label of the positives, or several; every other value then means unlabeled. Without it, labels are "
     "1/0, 1/-1, true/false or p/u.",
     FIELD(columns.positive)},
    {"posteriors", 0, "FILE", NULL, "Write row,score,ratio,posterior of each unlabeled row to this CSV file.",
     FIELD(posteriors)},
    {"curve", 0, "FILE", NULL, "Write alpha,d of the curve D(alpha) to this CSV file.", FIELD(curve)},
    {"interval", 0, NULL, NULL, "Give alpha an interval, by 200 resamples of the rows (or --resamples).",
     FIELD(interval)},
    {"report", 0, "FILE.html", NULL, "Write a page with the answer, tables and charts, for a browser.",
     FIELD(report)},
    {"json", 0, NULL, NULL, "Print the answer as one JSON object.", FIELD(json)},
    {"plot", 0, "[FILE.svg|FILE.png]", NULL,
     "Draw the answer to this file, or without one D(alpha) in the terminal (with gnuplot).", FIELD(plot)},
};

/* Those that need no table. */
static const dedpul_option_info *score_option_at(size_t index)
{
    const dedpul_option_info *info;
    size_t kept = 0;
    for (size_t i = 0; (info = dedpul_option_at(i)) != NULL; i++)
        if (!info->needs_table && kept++ == index)
            break;
    return info;
}

static dedpul_status set(void *request, const char *name, const char *value, dedpul_error *error)
{
    return dedpul_options_set(&((struct request *)request)->options, name, value, error);
}

static const struct command_line line = {
    .command = "scores",
    .n_own = sizeof own / sizeof own[0],
    .own = own,
    .library = score_option_at,
    .set = set,
    .n_files = 1,
    .files = "FILE",
};

static void print_help(void)
{
    (void)puts("Usage: dedpul scores [OPTION...] FILE\n"
               "\n"
               "Estimates alpha, the share of positives among the unlabeled rows, and each unlabeled\n"
               "row's probability of being positive, from the scores of a classifier that was trained to\n"
               "tell labeled from unlabeled rows (cross-validated scores, please: each row scored by a\n"
               "model that has not seen it).\n"
               "\n"
               "FILE has a header line and columns label and score, separated by comma, semicolon or\n"
               "tab; it may be gzipped; - is standard input.\n"
               "\n"
               "Options [default]:");
    command_line_print_options(&line);
    print_methods_and_densities(false);
    (void)puts("\nExamples:\n"
               "  dedpul scores scores.csv --plot\n"
               "  dedpul scores scores.csv --posteriors posteriors.csv\n"
               "  dedpul scores scores.csv --report scores.html --plot scores.png\n"
               "  zcat big.tsv.gz | dedpul scores - --label y --positive fraud --json\n"
               "  dedpul scores counts.csv --weight n --method dedpul_bbe");
}

static bool is_consistent(const struct request *request)
{
    const struct output outputs[] = {{"posteriors", request->posteriors},
                                     {"curve", request->curve},
                                     {"report", request->report},
                                     {"plot", plot_file(request->plot)}};
    if (request->json && plot_is_for_terminal(request->plot)) {
        complain("--json and --plot exclude each other; name a file for --plot");
        return false;
    }
    return outputs_are_apart(1, &request->file, sizeof outputs / sizeof outputs[0], outputs);
}

static bool write_files(const struct request *request, const dedpul_score_table *table,
                        const dedpul_result *result)
{
    dedpul_error error;
    const struct report report = {.file = request->file,
                                  .argc = request->argc,
                                  .argv = request->argv,
                                  .result = result,
                                  .rows = table->rows,
                                  .label = table->label};
    const bool done =
        dedpul_result_write(result, &table->rows, table->label, request->posteriors, request->curve,
                            &error) == DEDPUL_OK &&
        (request->report == NULL || report_write(request->report, &report, &error) == DEDPUL_OK);
    if (!done)
        complain("%s", error.message);
    return done;
}

static bool estimate(const struct request *request)
{
    dedpul_error error;
    dedpul_score_table *table;
    dedpul_result *result;
    if (dedpul_score_table_read(request->file, &request->columns, NULL, &table, &error) != DEDPUL_OK) {
        complain("%s", error.message);
        return false;
    }
    if (dedpul_estimate(&table->rows, table->label, &request->options, &result, &error) != DEDPUL_OK) {
        complain("%s: %s", input_name(request->file), error.message);
        dedpul_score_table_free(table);
        return false;
    }
    bool done = write_files(request, table, result);
    if (done && request->json)
        done = print_json(result, NULL);
    else if (done)
        print_summary(input_name(request->file), result, NULL);
    if (done && !request->json)
        print_warnings(result->n_warnings, result->warnings);
    done = done && plot_answer(&(struct plot){request->plot, input_name(request->file), result, &table->rows,
                                              table->label});
    dedpul_result_free(result);
    dedpul_score_table_free(table);
    return done;
}

static int run(int argc, char **argv)
{
    struct request request = {.argc = argc, .argv = argv};
    bool go;
    dedpul_columns_init(&request.columns);
    dedpul_options_init(&request.options);
    const int code = command_line_read(&line, &request, argc, argv, print_help, &request.file, &go);
    if (!go)
        return code;
    if (!is_consistent(&request))
        return EXIT_USAGE;
    if (request.interval || request.options.bands)
        ask_for_interval(&request.options);
    return estimate(&request) ? EXIT_OK : EXIT_FAILED;
}

const struct command command_scores = {
    .name = "scores",
    .summary = "alpha and posteriors from any classifier's scores",
    .run = run,
};
