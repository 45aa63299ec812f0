/* What the commands that estimate, fit and scores, have in common: options of the answer, and giving it. */
#ifndef DEDPUL_CLI_ANSWER_OPTIONS_H
#define DEDPUL_CLI_ANSWER_OPTIONS_H

#include "command.h"

/* --posteriors, --curve, --report, --json and --plot. */
struct answer_options {
    const char *posteriors, *curve, *report, *plot;
    bool json;
};

/* Fields are in a struct answer_options. */
extern const struct command_option answer_option_table[];

/* Returns an exit code. */
int answer_options_check(const struct answer_options *wanted);

void answer_options_name_files(const struct answer_options *wanted, struct files *files);

/* An estimate, and what it was made from. */
struct answer {
    const struct invocation *call;
    const dedpul_result *result;
    dedpul_sample rows;
    const unsigned char *label;          /* (rows.n) */
    const dedpul_ids *ids;               /* of the rows; NULL: there are none */
    const dedpul_model_info *model;      /* NULL: the scores were given */
    const dedpul_evaluation *evaluation; /* NULL: no threshold was asked for */
    const dedpul_table *table;           /* of the model */
    const dedpul_options *options;
};

/* Writes the files, prints the answer and draws it. False after a message. */
bool give_answer(const struct answer_options *wanted, const struct answer *answer);

#endif
