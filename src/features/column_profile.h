/* What the columns of the unlabeled rows of a fit were like, and counts of new rows to compare with that. */
#ifndef DEDPUL_FEATURES_COLUMN_PROFILE_H
#define DEDPUL_FEATURES_COLUMN_PROFILE_H

#include "encoding.h"

enum { PROFILE_BINS_MOST = 10 };

/*
 * One column. Bins of numbers have about as many rows each, but equal numbers are in one bin. A bin of
 * numbers ends where the next one begins. A text column has a bin for each level of the encoding.
 */
struct column_profile {
    double missing;     /* share of the rows */
    double mean;        /* of the numbers; 0 if there are none */
    size_t n_bins;      /* of numbers: at most PROFILE_BINS_MOST, 0 if all are missing */
    double *low, *high; /* (n_bins) smallest and largest number of each bin, ascending; NULL for texts */
    double *share;      /* (n_bins) of the rows that are not missing; all 0 if there are none */
};

/*
 * Columns that the encoding drops have empty profiles. `rows` is the weight of the rows divided by the
 * largest weight, so that no row counts for more than one. Shares then vary less from sample to sample than
 * those of so many rows without weights, however uneven weights are.
 */
struct column_profiles {
    double rows;                   /* 0: nothing is known, and there are no profiles */
    struct column_profile *column; /* (n_columns of the encoding) */
};

/*
 * Learns the profiles of the unlabeled rows of the table that the encoding was learned from, in `memory`.
 * There are none for images, whose pixels mean little one by one.
 */
dedpul_status column_profiles_learn(struct context *context, const struct encoding *encoding,
                                    const struct table *table, struct arena *memory,
                                    struct column_profiles *profiles);

/* New rows, counted into the bins of the profile. */
struct column_counts {
    size_t missing;
    size_t unseen;       /* levels that the encoding does not know */
    size_t below, above; /* numbers beyond the smallest and the largest of the fit; no bin holds them */
    double sum;          /* of numbers */
    size_t *bin;         /* (n_bins) */
};

/* Makes counts of 0, one for each column, as temporaries. The profiles must not be empty. */
dedpul_status column_counts_make(struct context *context, const struct encoding *encoding,
                                 const struct column_profiles *profiles, struct column_counts **counts);

/* Adds the rows of a table to the counts. Its text columns must have the encoding's levels. */
dedpul_status column_counts_add(struct context *context, const struct encoding *encoding,
                                const struct column_profiles *profiles, const struct table *table,
                                struct column_counts *counts /* (n_columns) */);

void column_profiles_save(const struct column_profiles *profiles, const struct encoding *encoding,
                          struct bytes *bytes);

/* Marks the bytes as failed if their content is not valid. */
dedpul_status column_profiles_load(struct context *context, struct bytes_reader *bytes,
                                   const struct encoding *encoding, struct arena *memory,
                                   struct column_profiles *profiles);

#endif
