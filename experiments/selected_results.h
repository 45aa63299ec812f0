/* selected.csv: a row for each run, method and approach of the experiment with selected labels. */
#ifndef DEDPUL_EXPERIMENTS_SELECTED_RESULTS_H
#define DEDPUL_EXPERIMENTS_SELECTED_RESULTS_H

#include "dedpul_common.h"

#include <stdio.h>

enum { SELECTED_NAME_SIZE = 16 };

struct selected_row {
    char set[SELECTED_NAME_SIZE], method[SELECTED_NAME_SIZE], approach[SELECTED_NAME_SIZE];
    unsigned strength, repeat; /* as in struct selected_set */
    double alpha;              /* as planned */
    double target;             /* as drawn */
    double estimate;
    double low, high;  /* interval; this and what follows is NaN, and empty in the file, if there is none */
    double kind_error; /* mean |error| of the shares of the kinds */
    double kinds_held; /* share of the kinds whose interval holds the truth */
    double p_value;    /* of the labels being a random draw */
    double seconds;    /* of a fit by this approach */
};

struct selected_rows {
    size_t n;
    struct selected_row *row; /* (n) */
};

void selected_row_print(FILE *stream, const struct selected_row *row);
void selected_header_print(FILE *stream);

/* A file that is not there has no rows. Free the rows. */
dedpul_status selected_rows_read(const char *path, struct selected_rows *rows, dedpul_error *error);

#endif
