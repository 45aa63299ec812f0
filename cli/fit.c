/* dedpul fit: from a table to alpha, posteriors and a model. */
#include "command.h"
#include "report.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct request {
    struct fit_input input;
    const char *model, *posteriors, *scores, *curve, *report, *plot;
    bool interval, json, help;
    int argc;
    char **argv;
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"help", 0, NULL, NULL, "Show this help.", FIELD(help)},
    {"model", 0, "FILE", NULL, "Write the model to this file, for 'dedpul predict'.", FIELD(model)},
    {"posteriors", 0, "FILE", NULL, "Write row,score,ratio,posterior of each unlabeled row to this CSV file.",
     FIELD(posteriors)},
    {"scores", 0, "FILE", NULL,
     "Write row,label,score (and weight) of each row to this CSV file, for 'dedpul scores'.", FIELD(scores)},
    {"curve", 0, "FILE", NULL, "Write alpha,d of the curve D(alpha) to this CSV file.", FIELD(curve)},
    {"interval", 0, NULL, NULL, "Give alpha an interval, by 200 resamples of the rows (or --resamples).",
     FIELD(interval)},
    {"report", 0, "FILE.html", NULL, "Write a page with the answer, tables and charts, for a browser.",
     FIELD(report)},
    {"json", 0, NULL, NULL, "Print the answer as one JSON object.", FIELD(json)},
    {"plot", 0, "[FILE.svg|FILE.png]", NULL,
     "Draw the answer to this file, or without one D(alpha) in the terminal (with gnuplot).", FIELD(plot)},
};

static const struct command_line line = {
    .command = "fit",
    .n_own = sizeof own / sizeof own[0],
    .own = own,
    .fits = true,
    .library = dedpul_option_at,
    .set = fit_input_set,
    .n_files = 1,
    .files = "FILE",
};

static void print_help(void)
{
    (void)puts("Usage: dedpul fit [OPTION...] FILE\n"
               "\n"
               "Trains a classifier to tell labeled from unlabeled rows, with cross-fitting, and\n"
               "estimates alpha, the share of positives among the unlabeled rows, and each unlabeled\n"
               "row's probability of being positive. The model scores new rows with 'dedpul predict'.\n");
    print_table_formats();
    (void)puts("Options [default]:");
    command_line_print_options(&line);
    print_classifiers();
    print_methods_and_densities(true);
    (void)puts("\nExamples:\n"
               "  dedpul fit table.csv --model table.model --posteriors posteriors.csv\n"
               "  dedpul fit cases.tsv.gz --label diagnosis --positive yes --ignore patient_id\n"
               "  dedpul fit table.csv --classifier gbdt --json\n"
               "  dedpul fit table.csv --report table.html --plot table.png\n"
               "  dedpul fit features.npy --label 1 --preset paper -v\n"
               "  dedpul fit images-idx3-ubyte.gz --labels labels-idx1-ubyte.gz --positive 3");
}

static int check_request(struct request *request)
{
    const struct output outputs[] = {{"model", request->model},   {"posteriors", request->posteriors},
                                     {"scores", request->scores}, {"curve", request->curve},
                                     {"report", request->report}, {"plot", plot_file(request->plot)}};
    if (request->json && plot_is_for_terminal(request->plot)) {
        complain("--json and --plot exclude each other; name a file for --plot");
        return EXIT_USAGE;
    }
    const size_t n_outputs = sizeof outputs / sizeof outputs[0];
    const char *const inputs[] = {request->input.file, request->input.columns.labels};
    if (!outputs_are_apart(request->input.columns.labels != NULL ? 2 : 1, inputs, n_outputs, outputs))
        return EXIT_USAGE;
    if (!outputs_can_be_written(n_outputs, outputs))
        return EXIT_FAILED;
    return fit_input_check(&request->input) ? EXIT_OK : EXIT_FAILED;
}

/* Each file appears whole or not at all. */
static bool write_files(const struct request *request, const dedpul_table *table, const dedpul_model *model,
                        const dedpul_result *result, const dedpul_sample *rows)
{
    dedpul_error error;
    const unsigned char *label = dedpul_table_labels(table);
    const struct report report = {.file = request->input.file,
                                  .argc = request->argc,
                                  .argv = request->argv,
                                  .result = result,
                                  .rows = *rows,
                                  .label = label,
                                  .model = dedpul_model_describe(model)};
    interrupt_hold();
    const bool done =
        dedpul_result_write(result, rows, label, request->posteriors, request->curve, &error) == DEDPUL_OK &&
        (request->scores == NULL || dedpul_scores_write(request->scores, rows, label, &error) == DEDPUL_OK) &&
        (request->model == NULL || dedpul_model_save(model, request->model, &error) == DEDPUL_OK) &&
        (request->report == NULL || report_write(request->report, &report, &error) == DEDPUL_OK);
    interrupt_release();
    if (!done)
        complain("%s", error.message);
    return done;
}

static bool answer(const struct request *request, const dedpul_table *table, const dedpul_model *model,
                   const dedpul_result *result, const double *score)
{
    const dedpul_model_info *info = dedpul_model_describe(model);
    const dedpul_sample rows = {dedpul_table_rows(table), score, dedpul_table_weights(table)};
    if (!write_files(request, table, model, result, &rows))
        return false;
    if (request->json && !print_json(result, info))
        return false;
    if (!request->json) {
        print_summary(input_name(request->input.file), result, info);
        print_warnings(result->n_warnings, result->warnings);
    }
    return plot_answer(&(struct plot){request->plot, input_name(request->input.file), result, &rows,
                                      dedpul_table_labels(table)});
}

static bool fit(void *argument, const dedpul_table *table)
{
    struct request *request = argument;
    dedpul_error error;
    dedpul_model *model;
    dedpul_result *result;
    double *score = calloc(dedpul_table_rows(table), sizeof *score);
    if (score == NULL) {
        complain("out of memory");
        return false;
    }
    const dedpul_status status = dedpul_fit(table, &request->input.options, &model, &result, score, &error);
    progress_end(&request->input.progress);
    bool done = status == DEDPUL_OK;
    if (done) {
        done = answer(request, table, model, result, score);
        dedpul_result_free(result);
        dedpul_model_free(model);
    } else {
        complain("%s: %s", input_name(request->input.file), error.message);
    }
    free(score);
    return done;
}

static int run(int argc, char **argv)
{
    struct request request = {.argc = argc, .argv = argv};
    bool go;
    fit_input_init(&request.input);
    int code = command_line_read(&line, &request, argc, argv, print_help, &request.input.file, &go);
    if (go)
        code = check_request(&request);
    if (request.interval || request.input.options.bands)
        ask_for_interval(&request.input.options);
    return go && code == EXIT_OK ? fit_input_run(&request.input, fit) : code;
}

const struct command command_fit = {
    .name = "fit",
    .summary = "alpha, posteriors and a model from a table",
    .run = run,
};
