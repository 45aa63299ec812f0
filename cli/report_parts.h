/* What a report's page is made of. */
#ifndef DEDPUL_CLI_REPORT_PARTS_H
#define DEDPUL_CLI_REPORT_PARTS_H

#include "report.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Whether posteriors are those of networks, which follow from no ratio. */
static inline bool report_is_trained(const struct report *report)
{
    return report->model != NULL && report->model->trained != NULL;
}

/* Whether posteriors are means over alpha's distribution. */
static inline bool has_mean_posteriors(const struct report *report)
{
    return !report_is_trained(report) && report->result->n_scales > 1;
}

/* What the script draws; NULL if there is no memory. */
json_t *estimate_data(const struct report *report);
json_t *comparison_data(const dedpul_comparison *comparison);

/* Whether the points that posteriors are drawn from stand for several ratios each. */
bool data_is_summarised(const json_t *data);

/* Lists of names and values: beside alpha, and how it was computed. */
void print_headline_facts(FILE *stream, const struct report *report);
void print_origin_facts(FILE *stream, const struct report *report);

/* A list of warnings. */
void print_warning_items(FILE *stream, size_t n, const dedpul_warning *warning /* (n) */);

/* A section about a check of the labels; nothing if there is none. */
void print_label_check_section(FILE *stream, const dedpul_label_check *check);

/* Rows of tables. */
void print_kind_rows(FILE *stream, const dedpul_result *result);
void print_top_rows(FILE *stream, const struct report *report);
void print_comparison_rows(FILE *stream, const struct report *report);

/* The section about columns and settings. Rows that are images have no summary. */
void print_model(FILE *stream, const dedpul_model_info *model, const dedpul_table_summary *summary);

#endif
