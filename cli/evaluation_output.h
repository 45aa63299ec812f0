/* An evaluation, for people and for programs. */
#ifndef DEDPUL_CLI_EVALUATION_OUTPUT_H
#define DEDPUL_CLI_EVALUATION_OUTPUT_H

#include "json_output.h"

#include <stdbool.h>

/* An evaluation, and the estimate that it is about. */
struct evaluated {
    const char *file;            /* of the input */
    const dedpul_result *result; /* NULL: the estimate is that of a model's fit */
    const dedpul_evaluation *evaluation;
};

/* The threshold in force, and what it achieves. */
void print_threshold(const dedpul_evaluation *evaluation);
json_t *threshold_object(const dedpul_threshold *at);

/* False after a message. */
bool print_evaluation(const struct evaluated *evaluated);
bool print_evaluation_json(const struct evaluated *evaluated);

#endif
