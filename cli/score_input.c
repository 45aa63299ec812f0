#include "score_input.h"

#include "column_options.h"
#include "message.h"

#include <stddef.h>

const struct command_option score_input_option_table[] = {
    {"score", 0, "COL", "score", "Column of scores in [0, 1], high for positives.",
     offsetof(struct score_input, columns.score)},
    {"scale", 0, "probability|percent|logit", "probability",
     "What the scores are: in [0, 1], in [0, 100], or logits (or margins), from -700 to 700.",
     offsetof(struct score_input, columns.score_scale)},
    {"squares", 0, "COL", NULL,
     "Column of sums of squares of weights, if rows stand for several: those of 'dedpul sql --weight'.",
     offsetof(struct score_input, columns.squares)},
    {"no-header", 0, NULL, NULL, NO_HEADER_HELP, offsetof(struct score_input, no_header)},
    {"quiet", 'q', NULL, NULL, "Show no progress bar.", offsetof(struct score_input, quiet)},
    {.name = NULL},
};

const dedpul_option_info *score_option_except(size_t index, size_t n, const char *const *left_out)
{
    const dedpul_option_info *info;
    size_t kept = 0;
    for (size_t i = 0; (info = library_option_except(i, n, left_out)) != NULL; i++)
        if (!info->needs_table && kept++ == index)
            break;
    return info;
}

dedpul_status score_input_set(void *request, const char *name, const char *value, dedpul_error *error)
{
    return dedpul_options_set(&((struct score_input *)request)->options, name, value, error);
}

void score_input_init(void *request)
{
    struct score_input *input = request;
    dedpul_columns_init(&input->columns);
    dedpul_options_init(&input->options);
}

bool score_input_estimate(struct score_input *input, const char *file, const dedpul_score_table *table,
                          score_work *work)
{
    dedpul_error error;
    dedpul_result *result;
    input->options.squares = table->squares;
    if (dedpul_estimate(&table->rows, table->label, &input->options, &result, &error) != DEDPUL_OK) {
        complain("%s: %s", file, error.message);
        return false;
    }
    const bool done = work(input, table, result);
    dedpul_result_free(result);
    return done;
}

void score_input_watch(struct score_input *input)
{
    progress_init(&input->progress, input->quiet, false);
    input->columns.progress = progress_show;
    input->columns.progress_context = &input->progress;
}

bool score_input_run(struct score_input *input, score_work *work)
{
    const char *file = input->call.file[0];
    dedpul_error error;
    dedpul_score_table *table;
    if (input->no_header)
        input->columns.header = "no";
    score_input_watch(input);
    const dedpul_status status = dedpul_score_table_read(file, &input->columns, NULL, &table, &error);
    progress_end(&input->progress);
    if (status != DEDPUL_OK) {
        complain("%s", error.message);
        return false;
    }
    const bool done = score_input_estimate(input, input_name(file), table, work);
    dedpul_score_table_free(table);
    return done;
}
