/* dedpul evaluate: how good scores or a model are, and from which score on to act, without known negatives.
 */
#include "answer.h"
#include "column_options.h"
#include "evaluation_plot.h"
#include "goal_options.h"
#include "interrupt.h"
#include "message.h"
#include "plot.h"
#include "report.h"
#include "score_input.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct request {
    struct score_input input;
    struct goal_options goal;
    const char *curve, *report, *plot;
    const char *estimate_option; /* the first one given that is about an estimate; NULL: none */
    bool json;
    dedpul_evaluate_options evaluate;
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"truth", 0, "COL", NULL,
     "Column of the true classes of some unlabeled rows, to check the estimates; an empty cell is not known.",
     FIELD(input.columns.truth)},
    {"kind", 0, "COL", NULL,
     "Column of the kinds of labeled rows of FILE, if MODEL was fitted with kinds: they may have been "
     "labeled "
     "at different rates.",
     FIELD(input.columns.kind)},
    {"curve", 0, "FILE", NULL, "Write precision, recall, lift and F1 by threshold to this CSV file.",
     FIELD(curve)},
    {"report", 0, "FILE.html", NULL, "Write a page with the answer, tables and charts, for a browser.",
     FIELD(report)},
    {"json", 0, NULL, NULL, "Print the answer as one JSON object.", FIELD(json)},
    {"plot", 0, "[FILE.svg|FILE.png|FILE.pdf]", NULL,
     "Draw the answer to this file with gnuplot; without a file, draw precision and recall in the terminal.",
     FIELD(plot)},
    {.name = NULL},
};

static const struct option_group groups[] = {{column_option_table, FIELD(input.columns)},
                                             {score_input_option_table, FIELD(input)},
                                             {own, 0},
                                             {goal_option_table, FIELD(goal)},
                                             {.options = NULL}};

/* All but those of alpha's own interval. */
static const dedpul_option_info *library(size_t index)
{
    static const char *const left_out[] = {"interval", "resamples", "bands"};
    return score_option_except(index, sizeof left_out / sizeof left_out[0], left_out);
}

/* Remembers an option that makes no sense for a model, whose estimate is there. */
static dedpul_status set(void *argument, const char *name, const char *value, dedpul_error *error)
{
    struct request *request = argument;
    const bool is_common = strcmp(name, "level") == 0 || strcmp(name, "threads") == 0;
    if (request->estimate_option == NULL && !is_common)
        request->estimate_option = name;
    return score_input_set(request, name, value, error);
}

static const struct command_line line = {
    .command = "evaluate",
    .groups = groups,
    .library = library,
    .set = set,
    .n_files = 2,
    .n_optional = 1,
    .files = "SCORES, MODEL, or MODEL FILE",
};

static void print_help(void)
{
    (void)puts("Usage: dedpul evaluate [OPTION...] SCORES\n"
               "       dedpul evaluate [OPTION...] MODEL [FILE]\n"
               "\n"
               "How good is a classifier, and from which score on should one act? Estimates the AUC of\n"
               "positives against negatives, and precision, recall, lift and F1 at a threshold, each with\n"
               "a range, though no negative is known. All are about the unlabeled rows. The labeled rows\n"
               "must be a random draw of the positives.\n"
               "\n"
               "SCORES has a header line and columns label and score, as for 'dedpul scores'. Each row\n"
               "should be scored by a model that has not seen it (cross-validation).\n"
               "MODEL, of 'dedpul fit --model', is evaluated by the cross-fitted scores of its fit.\n"
               "FILE has labeled and unlabeled rows that the model has not seen, with the columns of the\n"
               "fit. With --truth it needs no labels: unless --label names their column, all its rows are\n"
               "unlabeled, and the labeled rows are those of the fit.\n"
               "\n"
               "The threshold is that of the model, if it has one, or else that of --cost 1:1: rows are\n"
               "flagged that are more likely positive than not.\n"
               "\n"
               "Options [default]:");
    print_options(&line);
    (void)puts("\nMethods and densities are those of 'dedpul scores'.\n"
               "\nExamples:\n"
               "  dedpul evaluate table.model\n"
               "  dedpul evaluate table.model checked.csv --truth checked_by_hand --report checked.html\n"
               "  dedpul evaluate scores.csv --plot\n"
               "  dedpul evaluate scores.csv --precision 0.9 --curve curve.csv\n"
               "  dedpul evaluate scores.csv --cost 1:10 --json");
}

static void init(void *argument)
{
    struct request *request = argument;
    score_input_init(request);
    request->input.columns.label = NULL; /* run chooses, unless it is given */
    dedpul_evaluate_options_init(&request->evaluate);
}

static int check(void *argument)
{
    struct request *request = argument;
    if (request->json && plot_is_for_terminal(request->plot)) {
        complain("--json and --plot exclude each other; name a file for --plot");
        return EXIT_USAGE;
    }
    return goal_options_read(&request->goal, &request->evaluate);
}

static void name_files(const void *argument, struct files *files)
{
    const struct request *request = argument;
    add_output(files, "curve", request->curve);
    add_output(files, "report", request->report);
    add_output(files, "plot", plot_file(request->plot));
}

static bool write_curve(const struct request *request, const dedpul_evaluation *evaluation)
{
    dedpul_error error;
    if (request->curve == NULL)
        return true;
    interrupt_hold();
    const dedpul_status status = dedpul_evaluation_write(evaluation, request->curve, &error);
    interrupt_release();
    if (status != DEDPUL_OK)
        complain("%s", error.message);
    return status == DEDPUL_OK;
}

static bool give_evaluation(const struct request *request, const struct evaluated *evaluated)
{
    const dedpul_result *result = evaluated->result;
    const dedpul_evaluation *evaluation = evaluated->evaluation;
    if (!write_curve(request, evaluation))
        return false;
    if (request->json)
        return print_evaluation_json(evaluated) && plot_evaluation(request->plot, evaluated);
    if (!print_evaluation(evaluated))
        return false;
    if (result != NULL)
        print_warnings(result->n_warnings, result->warnings);
    print_warnings(evaluation->n_warnings, evaluation->warnings);
    return plot_evaluation(request->plot, evaluated);
}

static dedpul_evaluate_options options_of(const struct request *request)
{
    dedpul_evaluate_options options = request->evaluate;
    options.level = request->input.options.level;
    options.threads = request->input.options.threads;
    return options;
}

/* Writes the page that was asked for; the report lacks what the command line says. */
static bool write_report(const struct request *request, struct report report)
{
    const dedpul_evaluate_options options = options_of(request);
    const struct invocation *call = &request->input.call;
    dedpul_error error;
    report.file = call->file[call->file[1] != NULL];
    report.argc = call->argc;
    report.argv = call->argv;
    report.evaluate = &options;
    if (request->report == NULL || report_write(request->report, &report, &error) == DEDPUL_OK)
        return true;
    complain("%s", error.message);
    return false;
}

static bool evaluate(void *argument, const dedpul_score_table *table, const dedpul_result *result)
{
    const struct request *request = argument;
    const dedpul_evaluate_options options = options_of(request);
    const bool has_labels_of_fit = request->input.columns.label == NULL;
    const char *given = request->input.call.file[1];
    const char *file = input_name(given != NULL ? given : request->input.call.file[0]);
    dedpul_evaluation *evaluation;
    dedpul_error error;
    if (dedpul_evaluate(result, &table->rows, table->label, table->truth, &options, &evaluation, &error) !=
        DEDPUL_OK) {
        complain("%s: %s", file, error.message);
        return false;
    }
    const bool done =
        write_report(request, (struct report){.result = result,
                                              .rows = table->rows,
                                              .label = table->label,
                                              .ids = table->ids,
                                              .truth = table->truth,
                                              .has_labels_of_fit = has_labels_of_fit}) &&
        give_evaluation(request, &(struct evaluated){file, result, evaluation, has_labels_of_fit});
    dedpul_evaluation_free(evaluation);
    return done;
}

/* ---- models ---- */

/* A model's own threshold is in force unless another is asked for. */
static void take_threshold(struct request *request, const dedpul_model_info *model)
{
    const bool flags_rows = !isnan(model->threshold);
    if (!model->has_threshold || goal_is_given(&request->goal))
        return;
    request->evaluate.goal = flags_rows ? DEDPUL_GOAL_SCORE : model->goal;
    request->evaluate.value = flags_rows ? model->threshold : model->goal_value;
}

/* Evaluates what the fit kept. */
static bool evaluate_model(const struct request *request, const dedpul_model *model)
{
    const dedpul_evaluate_options options = options_of(request);
    const char *file = input_name(request->input.call.file[0]);
    dedpul_evaluation *evaluation;
    dedpul_error error;
    if (dedpul_model_evaluate(model, &options, &evaluation, &error) != DEDPUL_OK) {
        complain("%s: %s", file, error.message);
        return false;
    }
    const bool done =
        write_report(request, (struct report){.fitted = model, .model = dedpul_model_describe(model)}) &&
        give_evaluation(request, &(struct evaluated){.file = file, .evaluation = evaluation});
    dedpul_evaluation_free(evaluation);
    return done;
}

static bool evaluate_new_rows(struct request *request, const dedpul_model *model)
{
    const char *file = request->input.call.file[1];
    dedpul_score_table *table;
    dedpul_error error;
    score_input_watch(&request->input);
    const dedpul_status status = dedpul_model_score_file(model, file, &request->input.columns,
                                                         request->input.options.threads, &table, &error);
    progress_end(&request->input.progress);
    if (status != DEDPUL_OK) {
        complain("%s", error.message);
        return false;
    }
    const bool done = score_input_estimate(&request->input, input_name(file), table, evaluate);
    dedpul_score_table_free(table);
    return done;
}

static bool run_model(struct request *request)
{
    const char *const *file = request->input.call.file;
    const bool is_alone = file[1] == NULL;
    dedpul_error error;
    dedpul_model *model;
    if ((is_alone ? dedpul_model_load_description(file[0], NULL, &model, &error)
                  : dedpul_model_load(file[0], NULL, NULL, &model, &error)) != DEDPUL_OK) {
        complain("%s", error.message);
        return false;
    }
    take_threshold(request, dedpul_model_describe(model));
    const bool done = is_alone ? evaluate_model(request, model) : evaluate_new_rows(request, model);
    dedpul_model_free(model);
    return done;
}

/* Refuses what is about scores or rows if there is only a model. */
static bool is_about_model(const struct request *request)
{
    const dedpul_columns *columns = &request->input.columns;
    const char *const option = request->estimate_option != NULL ? request->estimate_option
                               : columns->truth != NULL         ? "truth"
                               : columns->label != NULL         ? "label"
                               : columns->positive != NULL      ? "positive"
                               : columns->weight != NULL        ? "weight"
                               : columns->id != NULL            ? "id"
                               : columns->kind != NULL          ? "kind"
                               : columns->score_scale != NULL   ? "scale"
                               : columns->decimal != NULL       ? "decimal"
                               : request->input.no_header       ? "no-header"
                                                                : NULL;
    if (option != NULL)
        complain("--%s is about rows or scores, but %s is a model: its estimate is that of its fit. Name a "
                 "file of rows behind it, or leave the option out",
                 option, input_name(request->input.call.file[0]));
    return option == NULL;
}

/* Two files are a model and rows, which the model scores. */
static bool is_model_with_rows(const struct request *request)
{
    const char *const *file = request->input.call.file;
    if (!dedpul_is_model(file[0]))
        complain("%s is not a model, so %s cannot be rows for it; names of figures end in .svg, .png or .pdf",
                 input_name(file[0]), input_name(file[1]));
    else if (request->input.columns.score_scale != NULL)
        complain("--scale is about scores, but %s scores the rows", input_name(file[0]));
    else
        return true;
    return false;
}

static bool run(void *argument)
{
    struct request *request = argument;
    dedpul_columns *columns = &request->input.columns;
    const char *const *file = request->input.call.file;
    if (file[1] == NULL && dedpul_is_model(file[0]))
        return is_about_model(request) && run_model(request);
    if (file[1] != NULL && !is_model_with_rows(request))
        return false;
    if (file[1] == NULL && columns->kind != NULL) {
        complain(
            "--kind is about rows that a model scores: scores of 'dedpul fit --kind --scores' have weights "
            "(--weight weight)");
        return false;
    }
    if (request->input.no_header)
        columns->header = "no";
    if (columns->label == NULL && (file[1] == NULL || columns->truth == NULL))
        columns->label = "label";
    return file[1] != NULL ? run_model(request) : score_input_run(&request->input, evaluate);
}

const struct command command_evaluate = {
    .name = "evaluate",
    .summary = "how good scores or a model are, and from which score on to act",
    .print_help = print_help,
    .line = &line,
    .request_size = sizeof(struct request),
    .init = init,
    .check = check,
    .name_files = name_files,
    .run = run,
};
