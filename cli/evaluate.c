/* dedpul evaluate: how good scores are, and from which one on to act, without known negatives. */
#include "answer.h"
#include "column_options.h"
#include "evaluation_plot.h"
#include "interrupt.h"
#include "message.h"
#include "plot.h"
#include "report.h"
#include "score_input.h"

#include <stddef.h>
#include <stdio.h>

/* The goals, of which one may be given. */
enum { N_GOALS = 6 };

struct request {
    struct score_input input;
    const char *goal[N_GOALS]; /* their values; NULL: not given */
    const char *curve, *report, *plot;
    bool json;
    dedpul_evaluate_options evaluate;
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"truth", 0, "COL", NULL,
     "Column of the true classes of some unlabeled rows, to check the estimates; an empty cell is not known.",
     FIELD(input.columns.truth)},
    {"curve", 0, "FILE", NULL, "Write precision, recall, lift and F1 by threshold to this CSV file.",
     FIELD(curve)},
    {"report", 0, "FILE.html", NULL, "Write a page with the answer, tables and charts, for a browser.",
     FIELD(report)},
    {"json", 0, NULL, NULL, "Print the answer as one JSON object.", FIELD(json)},
    {"plot", 0, "[FILE.svg|FILE.png]", NULL,
     "Draw the answer to this file with gnuplot; without a file, draw precision and recall in the terminal.",
     FIELD(plot)},
    {.name = NULL},
};

static const struct command_option goals[N_GOALS + 1] = {
    {"precision", 0, "X", NULL,
     "Threshold: flag as many rows as have this precision with a probability of 85%.", FIELD(goal[0])},
    {"recall", 0, "X", NULL, "Threshold: flag as few rows as have this recall with a probability of 85%.",
     FIELD(goal[1])},
    {"top", 0, "N", NULL, "Threshold: flag N rows, fewer if scores tie.", FIELD(goal[2])},
    {"share", 0, "X", NULL, "Threshold: flag this share of the unlabeled rows.", FIELD(goal[3])},
    {"cost", 0, "FP:FN", "1:1",
     "Threshold: the lowest expected cost, if a false positive and a false negative cost so much.",
     FIELD(goal[4])},
    {"max", 0, "f1", NULL, "Threshold: the highest F1.", FIELD(goal[5])},
    {.name = NULL},
};

static const struct option_group groups[] = {{column_option_table, FIELD(input.columns)},
                                             {score_input_option_table, FIELD(input)},
                                             {own, 0},
                                             {goals, 0},
                                             {.options = NULL}};

/* All but those of alpha's own interval. */
static const dedpul_option_info *library(size_t index)
{
    static const char *const left_out[] = {"interval", "resamples", "bands"};
    return score_option_except(index, sizeof left_out / sizeof left_out[0], left_out);
}

static const struct command_line line = {
    .command = "evaluate",
    .groups = groups,
    .library = library,
    .set = score_input_set,
    .n_files = 1,
    .files = "FILE",
};

static void print_help(void)
{
    (void)puts("Usage: dedpul evaluate [OPTION...] FILE\n"
               "\n"
               "How good is a classifier, and from which score on should one act? Estimates the AUC of\n"
               "positives against negatives, and precision, recall, lift and F1 at a threshold, each with\n"
               "a range, though no negative is known. All are about the unlabeled rows. The labeled rows\n"
               "must be a random draw of the positives, and each row should be scored by a model that has\n"
               "not seen it (cross-validation).\n"
               "\n"
               "FILE has a header line and columns label and score, as for 'dedpul scores'.\n"
               "\n"
               "Options [default]:");
    print_options(&line);
    (void)puts("\nMethods and densities are those of 'dedpul scores'.\n"
               "\nExamples:\n"
               "  dedpul evaluate scores.csv --plot\n"
               "  dedpul evaluate scores.csv --precision 0.9 --curve curve.csv\n"
               "  dedpul evaluate scores.csv --cost 1:10 --json\n"
               "  dedpul evaluate scores.csv --truth checked_by_hand --report scores.html");
}

static void init(void *argument)
{
    struct request *request = argument;
    score_input_init(request);
    dedpul_evaluate_options_init(&request->evaluate);
}

static int read_goal(struct request *request)
{
    dedpul_error error;
    const char *given = NULL;
    for (size_t i = 0; i < N_GOALS; i++) {
        const char *name = goals[i].name, *value = request->goal[i];
        if (value == NULL)
            continue;
        if (given != NULL) {
            complain("--%s and --%s exclude each other: there is one threshold", given, name);
            return EXIT_USAGE;
        }
        given = name;
        if (dedpul_evaluate_options_set(&request->evaluate, name, value, &error) != DEDPUL_OK) {
            complain("%s", error.message);
            return EXIT_FAILED;
        }
    }
    return EXIT_OK;
}

static int check(void *argument)
{
    struct request *request = argument;
    if (request->json && plot_is_for_terminal(request->plot)) {
        complain("--json and --plot exclude each other; name a file for --plot");
        return EXIT_USAGE;
    }
    return read_goal(request);
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

static bool write_report(const struct request *request, const dedpul_score_table *table,
                         const dedpul_result *result, const dedpul_evaluate_options *options)
{
    const struct invocation *call = &request->input.call;
    const struct report report = {.file = call->file[0],
                                  .argc = call->argc,
                                  .argv = call->argv,
                                  .result = result,
                                  .rows = table->rows,
                                  .label = table->label,
                                  .truth = table->truth,
                                  .evaluate = options};
    dedpul_error error;
    if (request->report == NULL || report_write(request->report, &report, &error) == DEDPUL_OK)
        return true;
    complain("%s", error.message);
    return false;
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
    print_warnings(result->n_warnings, result->warnings);
    print_warnings(evaluation->n_warnings, evaluation->warnings);
    return plot_evaluation(request->plot, evaluated);
}

static bool evaluate(void *argument, const dedpul_score_table *table, const dedpul_result *result)
{
    const struct request *request = argument;
    dedpul_evaluate_options options = request->evaluate;
    const char *file = input_name(request->input.call.file[0]);
    dedpul_evaluation *evaluation;
    dedpul_error error;
    options.level = request->input.options.level;
    options.threads = request->input.options.threads;
    if (dedpul_evaluate(result, &table->rows, table->label, table->truth, &options, &evaluation, &error) !=
        DEDPUL_OK) {
        complain("%s: %s", file, error.message);
        return false;
    }
    const bool done = write_report(request, table, result, &options) &&
                      give_evaluation(request, &(struct evaluated){file, result, evaluation});
    dedpul_evaluation_free(evaluation);
    return done;
}

static bool run(void *request)
{
    return score_input_run(request, evaluate);
}

const struct command command_evaluate = {
    .name = "evaluate",
    .summary = "how good scores are, and from which one on to act",
    .print_help = print_help,
    .line = &line,
    .request_size = sizeof(struct request),
    .init = init,
    .check = check,
    .name_files = name_files,
    .run = run,
};
