/* The answer of one estimate, for people and for programs. */
#ifndef DEDPUL_CLI_ANSWER_H
#define DEDPUL_CLI_ANSWER_H

#include <dedpul.h>

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* Whether alpha has an interval; if one was asked for, it may still be missing. */
static inline bool has_interval(const dedpul_result *result)
{
    return result->interval != NULL && !isnan(result->interval->low);
}

/* The summary for people; model is NULL if the scores were given. False after a message. */
bool print_summary(const char *file, const dedpul_result *result, const dedpul_model_info *model);

/* The same as one JSON object, with the evaluation's threshold, and with `top`, unless these are NULL. */
bool print_answer_json(const dedpul_result *result, const dedpul_model_info *model,
                       const dedpul_evaluation *evaluation, json_t *top);

/* How many rows there are, labeled and unlabeled, and what they weigh. */
void print_rows(FILE *stream, size_t n_positive, size_t n_unlabeled, double weight_positive,
                double weight_unlabeled);

/* Numbers that others report instead of alpha: shares of all rows, not of the unlabeled ones. */
double share_of_all(const dedpul_result *result);
double label_frequency(const dedpul_result *result);

const char *explain_rule(dedpul_rule rule);

/* On standard error. */
void print_warnings(size_t n, const dedpul_warning *warnings);

#endif
