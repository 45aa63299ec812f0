/* dedpul scores: alpha and posteriors from any classifier's scores. */
#include "answer_options.h"
#include "column_options.h"
#include "message.h"

#include <stddef.h>
#include <stdio.h>

struct request {
    struct invocation call;
    dedpul_columns columns;
    dedpul_options options;
    struct answer_options answer;
};

#define FIELD(field) offsetof(struct request, field)

static const struct command_option own[] = {
    {"score", 0, "COL", "score", "Column of scores in [0, 1], high for positives.", FIELD(columns.score)},
    {.name = NULL},
};

static const struct option_group groups[] = {
    {column_option_table, FIELD(columns)}, {own, 0}, {answer_option_table, FIELD(answer)}, {.options = NULL}};

/* The options of the library that do not need a table. */
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
    .groups = groups,
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

static void init(void *argument)
{
    struct request *request = argument;
    dedpul_columns_init(&request->columns);
    dedpul_options_init(&request->options);
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

static bool estimate(const struct request *request, const dedpul_score_table *table)
{
    dedpul_error error;
    dedpul_result *result;
    if (dedpul_estimate(&table->rows, table->label, &request->options, &result, &error) != DEDPUL_OK) {
        complain("%s: %s", input_name(request->call.file[0]), error.message);
        return false;
    }
    const struct answer answer = {
        .call = &request->call, .result = result, .rows = table->rows, .label = table->label};
    const bool done = give_answer(&request->answer, &answer);
    dedpul_result_free(result);
    return done;
}

static bool run(void *argument)
{
    const struct request *request = argument;
    dedpul_error error;
    dedpul_score_table *table;
    if (dedpul_score_table_read(request->call.file[0], &request->columns, NULL, &table, &error) !=
        DEDPUL_OK) {
        complain("%s", error.message);
        return false;
    }
    const bool done = estimate(request, table);
    dedpul_score_table_free(table);
    return done;
}

const struct command command_scores = {
    .name = "scores",
    .summary = "alpha and posteriors from any classifier's scores",
    .print_help = print_help,
    .line = &line,
    .request_size = sizeof(struct request),
    .init = init,
    .check = check,
    .name_files = name_files,
    .run = run,
};
