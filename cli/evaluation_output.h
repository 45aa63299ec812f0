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
    bool has_labels_of_fit; /* the labeled rows are those of a model's fit; weights count them */
};

/* One measure: its estimate, its range, the truth if it is known, and what it means. */
struct measure_line {
    const char *name;
    const dedpul_range *range;
    double truth;
    const char *meaning;
};

/* Measures of the whole order, and of the threshold in force. */
enum { N_ORDER_LINES = 3, N_CUT_LINES = 4 };
void order_lines(const dedpul_evaluation *evaluation, struct measure_line line[N_ORDER_LINES]);
void cut_lines(const dedpul_evaluation *evaluation, struct measure_line line[N_CUT_LINES]);

/* Whether the truth, as it is printed, is out of the range. */
bool truth_is_outside(const struct measure_line *line);

/* The threshold in force, and what it achieves. */
void print_threshold(const dedpul_evaluation *evaluation);
json_t *threshold_object(const dedpul_threshold *at);

/* False after a message. */
bool print_evaluation(const struct evaluated *evaluated);
bool print_evaluation_json(const struct evaluated *evaluated);

#endif
