/* Sets of rows by the value of one column, within which labels are taken as a random draw of the positives.
 */
#ifndef DEDPUL_FIT_STRATA_H
#define DEDPUL_FIT_STRATA_H

#include "context.h"
#include "table.h"

struct strata {
    const struct column *column;
    size_t n;
    uint32_t *of_row; /* (n_rows) below n */
    char **name;      /* (n) the values in it, for people */
    size_t *labeled;  /* (n) rows that have a weight */
    /*
     * Of a column of numbers: the median of the labeled rows of the first n_bins strata, ascending; between
     * these, what strata differ in is interpolated. Rows whose number is missing are the stratum after them.
     */
    size_t n_bins;  /* 0: strata are values */
    double *center; /* (n_bins) */
};

/*
 * Numbers of at least 10 distinct values become up to 8 bins with equally many labeled rows, about 25 or
 * more. Other columns have a stratum for each value that enough labeled rows have; the other values are one
 * stratum together, the last. It is an error if there are not two strata with labeled rows. Arrays and names
 * are temporaries of the context.
 */
dedpul_status strata_make(struct context *context, const struct table *table, size_t column,
                          struct strata *strata);

#endif
