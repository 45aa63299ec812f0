/* An evaluation, for people and for programs. */
#ifndef DEDPUL_CLI_EVALUATION_OUTPUT_H
#define DEDPUL_CLI_EVALUATION_OUTPUT_H

#include <dedpul.h>

#include <stdbool.h>

/* An evaluation, and the estimate that it is about. */
struct evaluated {
    const char *file; /* of the input */
    const dedpul_result *result;
    const dedpul_evaluation *evaluation;
};

/* False after a message. */
bool print_evaluation(const struct evaluated *evaluated);
bool print_evaluation_json(const struct evaluated *evaluated);

#endif
