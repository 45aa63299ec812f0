/* Turns typed columns into a matrix of features, the same way at fit and at predict. */
#ifndef DEDPUL_FEATURES_ENCODING_H
#define DEDPUL_FEATURES_ENCODING_H

#include "bytes.h"
#include "table.h"

enum text_encoding {
    ENCODE_ONEHOT,  /* a feature per level, if there are more than 2 */
    ENCODE_ORDINAL, /* the level's number in sorted order */
};

enum number_scale {
    SCALE_RANK,     /* ranks to normal quantiles, if there are at least 10 distinct values */
    SCALE_STANDARD, /* mean 0, standard deviation 1 */
    SCALE_NONE,
};

/* How to encode. */
struct encoding_plan {
    enum text_encoding text;
    enum number_scale scale;
};

enum feature_use {
    USE_NONE_CONSTANT, /* dropped: all rows have the same value */
    USE_NONE_MISSING,  /* dropped: no row has a value */
    USE_MISSING_ONLY,  /* all values are the same, so only whether there is one matters */
    USE_NUMBER,        /* as it is */
    USE_RANK,          /* by the quantile map */
    USE_CODE,          /* the level's number */
    USE_ONE_HOT,       /* a feature per level */
    N_USES
};

/* How one column becomes features: those of its value, then perhaps one that tells whether it is missing. */
struct feature {
    struct column_schema schema;
    enum feature_use use;
    bool has_indicator;
    size_t n_knots; /* of the quantile map, linear between the knots and constant beyond them */
    double *knot_value, *knot_normal;
    size_t first, width; /* its features in the matrix */
};

struct encoding {
    size_t n_columns;
    struct feature *column; /* (n_columns) */
    size_t n_numbered;      /* as in struct table_request */
    size_t width;
    double *center, *spread; /* (width) a feature becomes (value - center) / spread; spread 0: not scaled */
};

/*
 * Learns the encoding of a table. Everything it holds is copied to `memory`. Columns without information are
 * dropped with a warning. Images keep all their pixels, on one scale.
 */
dedpul_status encoding_learn(struct context *context, const struct table *table, size_t n_numbered,
                             const struct encoding_plan *plan, struct arena *memory,
                             struct encoding *encoding);

/* Encodes the table's rows. The table must have the columns of the encoding. */
dedpul_status encoding_apply(struct context *context, const struct encoding *encoding,
                             const struct table *table, float *x /* (n_rows, width) */);

/*
 * Finds the encoding's code for each level of a table; LEVEL_UNSEEN if there is none, as for a level that
 * only rows of weight 0 had at fit.
 */
dedpul_status encoding_match_levels(struct context *context, const struct column_schema *known,
                                    const struct column_schema *in_table,
                                    uint32_t **known_as /* (in_table->n_levels), a temporary */);

/* Warns about columns that are dropped, and about text columns that were probably meant as numbers. */
void encoding_warn(struct context *context, const struct encoding *encoding);

/* Gives each column its place among the features. Returns the number of features. */
size_t encoding_place_features(struct encoding *encoding);

/* Returns the column that a feature comes from. */
const struct feature *encoding_column(const struct encoding *encoding, size_t feature);

/* "rank", "one-hot", "dropped: constant", ... */
const char *feature_use_name(const struct feature *feature);

void encoding_save(const struct encoding *encoding, struct bytes *bytes);

/* Marks the bytes as failed if their content is not valid. */
dedpul_status encoding_load(struct context *context, struct bytes_reader *bytes, struct arena *memory,
                            struct encoding *encoding);

#endif
