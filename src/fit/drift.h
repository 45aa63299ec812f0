/* Columns of new rows that differ from those of the fit by more than chance. */
#ifndef DEDPUL_FIT_DRIFT_H
#define DEDPUL_FIT_DRIFT_H

#include "column_profile.h"

/* A share of the rows at the fit, and now. */
struct moved_share {
    double before, now;
};

struct drift {
    const char *column;       /* the encoding's */
    const char *change;       /* the values whose share rose most, in words; or those that are missing */
    struct moved_share share; /* of these values */
    struct moved_share missing;
    struct moved_share mean; /* of numbers; NaN for texts, or if there are none */
    double out_of_range;     /* share of new rows whose number is below or above all of the fit's */
    double unseen;           /* share of new rows whose level the encoding does not know */
    double distance;         /* total variation: the share of the rows that would have to change */
    double chance; /* an upper bound of the probability that a batch like the fit's rows has a column that */
                   /* differs as much */
};

/* A column is named if its chance is below this: so many batches have a false alarm, at most. */
#define DRIFT_CHANCE 0.01

/* Fewer new rows are not compared. */
enum { DRIFT_ROWS_FEWEST = 20 };

struct drift_table {
    size_t n_compared; /* columns that were compared; 0 if there are too few rows */
    size_t n;
    struct drift *column; /* (n) those that moved, the farthest first */
};

/*
 * Finds the columns that moved. Differences that do not matter are not named, however certain they are: the
 * distance must be 0.05, or the share of values that the fit had none of 0.01. Array and texts are in
 * `memory`.
 */
dedpul_status find_drift(struct context *context, const struct encoding *encoding,
                         const struct column_profiles *profiles, size_t rows,
                         const struct column_counts *counts /* (n_columns) */, struct arena *memory,
                         struct drift_table *table);

#endif
