/* One sample of the experiment with selected labels, estimated by each method and approach. */
#ifndef DEDPUL_EXPERIMENTS_SELECTED_RUN_H
#define DEDPUL_EXPERIMENTS_SELECTED_RUN_H

#include "selected_approach.h"
#include "selected_draw.h"
#include "selected_results.h"

enum { N_SELECTED_METHODS = 2 };

/* The methods that estimate alpha, by each approach. */
extern const char *const selected_methods[N_SELECTED_METHODS];

struct selected_cell {
    size_t set, share, strength; /* places in the table of sets, and in a set's lists */
    unsigned repeat;
    bool is_wanted[N_APPROACHES][N_SELECTED_METHODS];
};

/* Draws the sample and fills the rows that are wanted. */
dedpul_status selected_run_cell(const struct selected_data *data, const struct selected_cell *cell,
                                dedpul_progress_function *progress, void *progress_context,
                                struct selected_row row[N_APPROACHES][N_SELECTED_METHODS],
                                dedpul_error *error);

#endif
