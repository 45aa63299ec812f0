/* The unlabeled rows that are most likely positive. */
#ifndef DEDPUL_CLI_TOP_ROWS_H
#define DEDPUL_CLI_TOP_ROWS_H

#include <dedpul.h>

#include <jansson.h>

/* This many are shown. */
enum { MOST_TOP_ROWS = 50 };

struct top_row {
    size_t number; /* in the file, from 1 */
    size_t index;  /* among the unlabeled */
    double score;
};

/* Finds the rows with the highest posterior, and the highest score if that is the same. Returns how many. */
size_t find_top_rows(const dedpul_result *result, const dedpul_sample *rows, const unsigned char *label,
                     struct top_row top[MOST_TOP_ROWS]);

/* A copy of a row's identifier; the caller frees it. NULL: no memory. */
char *copy_id(const dedpul_ids *ids, size_t row);

/* A text of JSON, which is UTF-8: one in another encoding has a ? for each byte that is not. */
json_t *json_text(const char *text);

/* The same rows for programs: an array of objects with id, row, score and posterior. */
json_t *top_rows_array(const dedpul_result *result, const dedpul_sample *rows, const unsigned char *label,
                       const dedpul_ids *ids);

#endif
