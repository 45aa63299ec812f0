/* Tables as typed columns, and their reading in pieces from files of any of the formats. */
#ifndef DEDPUL_TABLE_TABLE_H
#define DEDPUL_TABLE_TABLE_H

#include "image_shape.h"
#include "stream.h"

#include <stdbool.h>

enum column_kind { COLUMN_NUMBER, COLUMN_TEXT };

/* Codes of a text column that stand for no level. */
#define LEVEL_MISSING UINT32_MAX
#define LEVEL_UNSEEN (UINT32_MAX - 1) /* not among the levels of the schema */

/*
 * What is known of a column before its rows. Levels are in byte order. A number in a text column is
 * written in its shortest form, so that "1", "1.0" and " 1" are one level.
 */
struct column_schema {
    char *name;
    enum column_kind kind;
    size_t n_levels;
    char **level; /* (n_levels) of a text column */
};

struct column {
    struct column_schema schema;
    double *number; /* (n_rows) finite, or NaN where missing; of a column of numbers */
    uint32_t *code; /* (n_rows) index of the level, or one of the above; of a text column */
};

struct table {
    size_t n_rows, n_columns;
    struct column *column; /* (n_columns) without those of label and weight and those to ignore */
    unsigned char *label;  /* (n_rows) 1 = labeled positive, 0 = unlabeled; NULL where none was asked for */
    double *weight;        /* (n_rows); NULL where none was asked for */
    struct image_shape image; /* where rows are images; columns are their values, and none is missing */
};

/* What to make of a file's columns. The strings are borrowed while the reader lives. */
struct table_request {
    const char *label;        /* column of labels; NULL: none */
    struct stream *labels;    /* a file of its own that has them, one to a row; NULL: they are in the table */
    const char *positive;     /* label of the positives, or several separated by commas; NULL: by words */
    const char *weight;       /* column of weights; NULL: none */
    const char *ignore;       /* names of columns to leave out, separated by commas; NULL: none */
    size_t most_levels;       /* a text column with more is an error */
    struct image_shape image; /* of rows that are images, where the file does not say so itself; with a */
                              /* schema, those of a file that does must agree */

    /* The columns wanted, in this order, as they were when a model was fitted; NULL: all, kinds by content.
     */
    size_t n_schema;
    const struct column_schema *schema; /* (n_schema) */
    /*
     * How many columns the file had then, where its columns have no names but numbers. A file with as
     * many must match by number; one with n_schema columns is taken in order. 0: columns have names.
     */
    size_t n_numbered;
};

/*
 * A file being read. The format is found from the first bytes: the magic of NumPy and of IDX; labels and
 * pixels of CIFAR-10; "label index:value ..." lines for libsvm; else delimited text with a header. Columns of
 * binary files are called "1", "2", ...; those of libsvm files too, by their index, and absent entries are 0.
 * Of these only indices that occur become columns, or all pixels of images. The label of libsvm and CIFAR-10
 * is called "label" and is never one of the table's columns. A file of labels whose rows are one number needs
 * no column of that name.
 */
struct table_reader;

dedpul_status table_reader_open(struct stream *stream, const struct table_request *request,
                                const dedpul_allocator *allocator, dedpul_error *error,
                                struct table_reader **reader);

/*
 * Reads up to most_rows further rows into the reader's table, which replaces its rows from the last call; 0
 * rows mean the end. Without a schema, all rows must be read in one call, and there must be some. After a
 * failure the reader can only be freed.
 */
dedpul_status table_reader_next(struct table_reader *reader, size_t most_rows, struct table **table);

/* How many columns of a binary file have numbers; 0 for files with names, and for libsvm files. */
size_t table_reader_numbered(const struct table_reader *reader);

/* Frees the reader and its table; NULL is fine. */
void table_reader_free(struct table_reader *reader);

#endif
