/* What the commands on a file of scores, scores and evaluate, have in common. */
#ifndef DEDPUL_CLI_SCORE_INPUT_H
#define DEDPUL_CLI_SCORE_INPUT_H

#include "command.h"
#include "progress.h"

/* What they are told about the scores and the estimate: the first member of their request. */
struct score_input {
    struct invocation call;
    dedpul_columns columns;
    dedpul_options options;
    bool no_header, quiet;
    struct progress progress;
};

/* Options beside those of column_options.h. Fields are in a struct score_input. */
extern const struct command_option score_input_option_table[];

/* Returns the option of the library at this place among those that need no table, but the names left out. */
const dedpul_option_info *score_option_except(size_t index, size_t n, const char *const *left_out /* (n) */);

/* Sets an option of the library. */
dedpul_status score_input_set(void *request, const char *name, const char *value, dedpul_error *error);

/* The defaults. */
void score_input_init(void *request);

/* What a command does with the scores and their estimate. False after a message. */
typedef bool score_work(void *request, const dedpul_score_table *table, const dedpul_result *result);

/* Reads the scores of the first file, estimates, and does the work on both. False after a message. */
bool score_input_run(struct score_input *input, score_work *work);

/* From now on, progress of reading is shown. */
void score_input_watch(struct score_input *input);

/* The same for scores that are there. Messages call them `file`. */
bool score_input_estimate(struct score_input *input, const char *file, const dedpul_score_table *table,
                          score_work *work);

#endif
