/* dedpul scores: alpha and posteriors from any classifier's scores. */
#include "answer_options.h"
#include "column_options.h"
#include "score_input.h"

#include <stddef.h>
#include <stdio.h>

struct request {
    struct score_input input;
    struct answer_options answer;
};

#define FIELD(field) offsetof(struct request, field)

static const struct option_group groups[] = {{column_option_table, FIELD(input.columns)},
                                             {score_input_option_table, FIELD(input)},
                                             {answer_option_table, FIELD(answer)},
                                             {.options = NULL}};

static const dedpul_option_info *library(size_t index)
{
    return score_option_except(index, 0, NULL);
}

static const struct command_line line = {
    .command = "scores",
    .groups = groups,
    .library = library,
    .set = score_input_set,
    .n_files = 1,
    .files = "FILE",
};

static void print_help(void)
{
    (void)puts("Usage: dedpul scores [OPTION...] FILE\n"
               "\n"
               "Estimates alpha, the share of positives among the unlabeled rows, and each unlabeled\n"
               "row's probability of being positive, from the scores of a classifier that was trained to\n"
               "tell labeled from unlabeled rows. Each row should be scored by a model that has not seen\n"
               "it (cross-validation).\n"
               "\n"
               "FILE has a header line and columns label and score, separated by comma, semicolon or\n"
               "tab; it may be gzipped; - is standard input.\n"
               "\n"
               "Options [default]:");
    print_options(&line);
    print_methods_and_densities(false);
    (void)puts("\nExamples:\n"
               "  dedpul scores scores.csv --plot\n"
               "  dedpul scores scores.csv --posteriors posteriors.csv\n"
               "  dedpul scores scores.csv --report scores.html --plot scores.png\n"
               "  zcat big.tsv.gz | dedpul scores - --label y --positive fraud --json\n"
               "  dedpul scores counts.csv --weight n --method dedpul_bbe");
}

static int check(void *argument)
{
    struct request *request = argument;
    return answer_options_check(&request->answer);
}

static void name_files(const void *argument, struct files *files)
{
    answer_options_name_files(&((const struct request *)argument)->answer, files);
}

static bool give(void *argument, const dedpul_score_table *table, const dedpul_result *result)
{
    const struct request *request = argument;
    const struct answer answer = {.call = &request->input.call,
                                  .result = result,
                                  .rows = table->rows,
                                  .label = table->label,
                                  .ids = table->ids,
                                  .options = &request->input.options};
    return give_answer(&request->answer, &answer);
}

static bool run(void *request)
{
    return score_input_run(request, give);
}

const struct command command_scores = {
    .name = "scores",
    .summary = "alpha and posteriors from any classifier's scores",
    .print_help = print_help,
    .line = &line,
    .request_size = sizeof(struct request),
    .init = score_input_init,
    .check = check,
    .name_files = name_files,
    .run = run,
};
