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

/* What the script draws; NULL if there is no memory. */
json_t *estimate_data(const struct report *report);
json_t *comparison_data(const dedpul_comparison *comparison);

/* Whether the points that posteriors are drawn from stand for several ratios each. */
bool data_is_summarised(const json_t *data);

/* Rows of tables. */
void print_top_rows(FILE *stream, const struct report *report);
void print_comparison_rows(FILE *stream, const struct report *report);

/* The section about columns and settings. */
void print_model(FILE *stream, const dedpul_model_info *model);

#endif
