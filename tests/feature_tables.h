/* Tables in memory, and their features: for tests of encodings. */
#ifndef DEDPUL_TESTS_FEATURE_TABLES_H
#define DEDPUL_TESTS_FEATURE_TABLES_H

#include "encoding.h"
#include "support.h"

enum { MOST_COLUMNS = 40 };

struct test_table {
    struct table table;
    struct column column[MOST_COLUMNS];
};

/* The columns follow; their arrays are the caller's. */
void table_init(struct test_table *table, size_t n_rows);
void add_numbers(struct test_table *table, char *name, double *number);
void add_texts(struct test_table *table, char *name, size_t n_levels, char **level, uint32_t *code);

extern char *colors[4];
extern char *sides[2];
enum { MIXED_ROWS = 3000 };

/* Columns of every use. */
struct mixed {
    struct test_table table;
    double rank[MIXED_ROWS], ties[MIXED_ROWS], few[MIXED_ROWS], offset[MIXED_ROWS], constant[MIXED_ROWS],
        absent[MIXED_ROWS], present[MIXED_ROWS], weight[MIXED_ROWS];
    uint32_t color[MIXED_ROWS], side[MIXED_ROWS];
};

struct mixed *mixed_make(void);

struct encoded {
    struct context context, memory;
    struct encoding encoding;
    float *x; /* (n_rows, width) of the table that it was learned from */
};

/* Features of another table. */
float *apply(struct context *context, const struct encoding *encoding, const struct table *table);

/* As by default. */
extern const struct encoding_plan ranked;

void encode_by(struct encoded *encoded, const struct table *table, enum text_encoding encode,
               enum number_scale scale, unsigned threads);
void encode(struct encoded *encoded, const struct test_table *table);
void encoded_free(struct encoded *encoded);

void assert_use(const struct encoded *encoded, size_t column, enum feature_use use, size_t width);
void assert_feature(const struct encoded *encoded, size_t n, size_t feature, const double *expected);

/* Mean 0 and standard deviation 1 of the values there are; 0 in place of those that are not. */
void standardise(size_t n, double *value);

void assert_same_encoding(const struct encoding *a, const struct encoding *b, double tolerance);

#endif
