/* dedpul fit: from a table to alpha, posteriors and a model. */
#include "answer_options.h"
#include "column_options.h"
#include "evaluation_output.h"
#include "fit_input.h"
#include "goal_options.h"
#include "interrupt.h"
#include "message.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct request {
    struct fit_input input;
    dedpul_evaluate_options evaluate;
    struct answer_options answer;
    struct goal_options goal;
    const char *model, *scores, *row_kinds;
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"model", 0, "FILE", NULL, "Write the model to this file, for 'dedpul predict'.", FIELD(model)},
    {"kind", 0, "COL", NULL,
     "Column of the kinds of labeled rows (subtype, source, site), empty for the others: kinds may have been "
     "labeled at different rates. It is never a feature. 'auto' finds kinds, if the labels are no random "
     "draw.",
     FIELD(input.columns.kind)},
    {"row-kinds", 0, "FILE", NULL, "Write row,kind of each labeled row to this CSV file.", FIELD(row_kinds)},
    {"propensity", 0, "COL,COL", NULL,
     "Columns on which the chance of a positive to be labeled depends (region, year): it is estimated. They "
     "stay features.",
     FIELD(input.columns.propensity)},
    {"propensity-value", 0, "COL", NULL,
     "Column of that chance, if it is known (rates of inspection): above 0 and at most 1 in labeled rows, "
     "may be empty in the others. It is never a feature.",
     FIELD(input.columns.propensity_value)},
    {"scores", 0, "FILE", NULL,
     "Write row,label,score (and weight) of each row to this CSV file, for 'dedpul scores'.", FIELD(scores)},
    {.name = NULL},
};

static const struct option_group groups[] = {{own, 0},
                                             {answer_option_table, FIELD(answer)},
                                             {column_option_table, FIELD(input.columns)},
                                             {fit_input_option_table, FIELD(input)},
                                             {goal_option_table, FIELD(goal)},
                                             {.options = NULL}};

static const struct command_line line = {
    .command = "fit",
    .groups = groups,
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
    print_options(&line);
    print_classifiers();
    print_methods_and_densities(true);
    (void)puts("\nExamples:\n"
               "  dedpul fit table.csv --model table.model --posteriors posteriors.csv\n"
               "  dedpul fit cases.tsv.gz --label diagnosis --positive yes --id patient\n"
               "  dedpul fit table.csv --model table.model --precision 0.9\n"
               "  dedpul fit table.csv --classifier gbdt --json\n"
               "  dedpul fit table.csv --report table.html --plot table.png\n"
               "  dedpul fit features.npy --label 1 --preset paper -v\n"
               "  dedpul fit images-idx3-ubyte.gz --labels labels-idx1-ubyte.gz --positive 3");
}

static void init(void *argument)
{
    struct request *request = argument;
    fit_input_init(request);
    dedpul_evaluate_options_init(&request->evaluate);
}

static int check(void *argument)
{
    struct request *request = argument;
    int code = answer_options_check(&request->answer);
    if (request->row_kinds != NULL && request->input.columns.kind == NULL) {
        complain("--row-kinds writes the kinds of labeled rows, and there are none: name their column "
                 "(--kind COL), or "
                 "let kinds be found (--kind auto)");
        return EXIT_USAGE;
    }
    if (code == EXIT_OK)
        code = goal_options_read(&request->goal, &request->evaluate);
    return code == EXIT_OK ? fit_input_check(&request->input) : code;
}

static void name_files(const void *argument, struct files *files)
{
    const struct request *request = argument;
    fit_input_name_files(&request->input, files);
    add_output(files, "model", request->model);
    add_output(files, "scores", request->scores);
    add_output(files, "row-kinds", request->row_kinds);
    answer_options_name_files(&request->answer, files);
}

/* Each file appears whole or not at all. */
static bool write_files(const struct request *request, const dedpul_model *model, const struct answer *answer)
{
    dedpul_error error;
    interrupt_hold();
    const bool done =
        (request->scores == NULL || dedpul_scores_write(request->scores, &answer->rows, answer->label,
                                                        answer->ids, &error) == DEDPUL_OK) &&
        (request->row_kinds == NULL ||
         dedpul_row_kinds_write(request->row_kinds, answer->result, answer->rows.n, answer->label,
                                answer->ids, &error) == DEDPUL_OK) &&
        (request->model == NULL || dedpul_model_save(model, request->model, &error) == DEDPUL_OK);
    interrupt_release();
    if (!done)
        complain("%s", error.message);
    return done;
}

/*
 * Finds the threshold that was asked for and makes it the model's. If it cannot be had, the fit is still
 * good: false after a message, but all else goes on.
 */
static bool choose_threshold(const struct request *request, dedpul_model *model, struct answer *answer,
                             dedpul_evaluation **evaluation)
{
    dedpul_evaluate_options options = request->evaluate;
    dedpul_error error;
    if (!goal_is_given(&request->goal))
        return true;
    options.level = request->input.options.level;
    options.threads = request->input.options.threads;
    if (dedpul_evaluate(answer->result, &answer->rows, answer->label, NULL, &options, evaluation, &error) !=
            DEDPUL_OK ||
        dedpul_model_set_threshold(model, *evaluation, &error) != DEDPUL_OK) {
        complain("%s. No threshold was chosen; the rest of the answer is complete", error.message);
        return false;
    }
    answer->evaluation = *evaluation;
    return true;
}

static bool give_fit(struct request *request, dedpul_model *model, struct answer *answer)
{
    dedpul_evaluation *evaluation = NULL;
    const bool has_threshold = choose_threshold(request, model, answer, &evaluation);
    const bool done = write_files(request, model, answer) && give_answer(&request->answer, answer);
    dedpul_evaluation_free(evaluation);
    return done && has_threshold;
}

static bool fit_with_scores(struct request *request, const dedpul_table *table, double *score)
{
    dedpul_error error;
    dedpul_model *model;
    dedpul_result *result;
    const dedpul_status status = dedpul_fit(table, &request->input.options, &model, &result, score, &error);
    progress_end(&request->input.progress);
    if (status != DEDPUL_OK) {
        complain("%s: %s", input_name(request->input.call.file[0]), error.message);
        return false;
    }
    struct answer answer = {
        .call = &request->input.call,
        .result = result,
        .rows = {dedpul_table_rows(table), score,
                 result->row_weights != NULL ? result->row_weights : dedpul_table_weights(table)},
        .label = dedpul_table_labels(table),
        .ids = dedpul_table_ids(table),
        .model = dedpul_model_describe(model),
        .table = table,
        .options = &request->input.options};
    const bool done = give_fit(request, model, &answer);
    dedpul_result_free(result);
    dedpul_model_free(model);
    return done;
}

static bool fit(void *request, const dedpul_table *table)
{
    double *score = calloc(dedpul_table_rows(table), sizeof *score);
    if (score == NULL) {
        complain("out of memory");
        return false;
    }
    const bool done = fit_with_scores(request, table, score);
    free(score);
    return done;
}

static bool run(void *request)
{
    return fit_input_run(request, fit);
}

const struct command command_fit = {
    .name = "fit",
    .summary = "alpha, posteriors and a model from a table",
    .print_help = print_help,
    .line = &line,
    .request_size = sizeof(struct request),
    .init = init,
    .check = check,
    .name_files = name_files,
    .run = run,
};
