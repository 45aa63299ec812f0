/* Kinds of labeled rows, as a fit counts them: those with too few rows are one kind together. */
#ifndef DEDPUL_FIT_KINDS_H
#define DEDPUL_FIT_KINDS_H

#include "model_kinds.h"
#include "table.h"

/* A kind needs this many labeled rows. */
enum { FEWEST_OF_KIND = 10 };

struct kinds {
    size_t n;
    const char **name; /* (n) kinds that were joined have plus signs between their names */
    size_t *rows;      /* (n) labeled rows that have a weight */
    double *weight;    /* (n) of these rows */
    uint32_t *of_row;  /* (n_rows) n: the row is unlabeled */
};

/*
 * Reads the kinds of a table that has a column of them. The arrays are temporaries of the context; names are
 * its or the table's. It is an error if an unlabeled row has a kind, if a labeled row has none, and if there
 * are not at least two kinds.
 */
dedpul_status kinds_read(struct context *context, const struct table *table, struct kinds *kinds);

#endif
