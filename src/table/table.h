/* Tables as typed columns, read in pieces from files of any format. */
#ifndef DEDPUL_TABLE_TABLE_H
#define DEDPUL_TABLE_TABLE_H

#include "dialect.h"
#include "image_shape.h"
#include "row_texts.h"
#include "stream.h"

#include <stdbool.h>

enum column_kind { COLUMN_NUMBER, COLUMN_TEXT };

/* Codes of a text column that are not levels. */
#define LEVEL_MISSING UINT32_MAX
#define LEVEL_UNSEEN (UINT32_MAX - 1) /* not among the levels of the schema */

/*
 * What is known about a column before its rows are read. Levels are in byte order. A number in a text column
 * is written in its shortest form, so that "1", "1.0" and " 1" are one level.
 */
struct column_schema {
    char *name;
    enum column_kind kind;
    size_t n_levels;
    char **level; /* (n_levels) of a text column */
};

struct column {
    struct column_schema schema;
    double *number; /* (n_rows) finite, or NaN if missing; NULL for a text column */
    uint32_t *code; /* (n_rows) index of the level, or one of the codes above; NULL for numbers */
};

/* The code of a row without a kind. */
#define KIND_NONE UINT32_MAX

struct table {
    size_t n_rows, n_columns;
    struct column *column; /* (n_columns) those that have no other role */
    unsigned char *label;  /* (n_rows) 1 = labeled positive, 0 = unlabeled; NULL: not requested */
    double *weight;        /* (n_rows); NULL: not requested */
    unsigned char *truth;  /* (n_rows) 1, 0 or TRUTH_NOT_KNOWN; NULL: not requested */
    struct row_texts id;   /* (n_rows) as in the file; no offsets: not requested */
    size_t n_groups;       /* 0: not requested */
    uint32_t *group; /* (n_rows) codes below n_groups, equal in rows of one group; NULL: not requested */
    size_t n_kinds;
    uint32_t *kind;           /* (n_rows) codes below n_kinds, or KIND_NONE; NULL: not requested */
    char *const *kind_name;   /* (n_kinds) */
    bool finds_kinds;         /* kinds are not known: a fit looks for them among the labeled rows */
    struct image_shape image; /* if set, rows are images: columns are pixels, and none is missing */
    bool is_comma_guess;      /* as in struct dialect */
};

/* What a file's columns become. The strings are borrowed while the reader lives. */
struct table_request {
    const char *label;       /* column of labels; NULL: none */
    struct stream *labels;   /* a file with one label per row; NULL: labels are in the table */
    const char *positive;    /* label of the positives, or several separated by commas; NULL: by words */
    const char *weight;      /* column of weights; NULL: none */
    const char *truth;       /* column of true classes; NULL: none */
    const char *id;          /* column of identifiers; NULL: none */
    const char *group;       /* column of groups; NULL: none. Not for a schema: groups are for a fit */
    const char *kind;        /* column of kinds of labeled rows; NULL: none. Not for a schema either */
    const char *categorical; /* names of columns whose numbers are levels, separated by commas; NULL: none */
    const char *ignore;      /* names of columns to leave out, separated by commas; NULL: none */
    size_t most_levels;      /* a text column with more is an error */
    struct text_format format; /* of delimited text; those of a file of labels are the same */
    struct image_shape image;  /* the shape of images, if the file does not have it; with a schema, a */
                               /* file that has one must agree */

    /* The wanted columns, in this order, as when the model was fitted; NULL: all columns, kinds by content */
    size_t n_schema;
    const struct column_schema *schema; /* (n_schema) */
    /*
     * How many columns the file of the fit had, if these had numbers instead of names; 0: they had names. A
     * file with this many columns matches by number. One with n_schema columns is taken in order.
     */
    size_t n_numbered;
};

/*
 * A file being read. Its first bytes tell the format: the magic of NumPy and of IDX; labels and pixels of
 * CIFAR-10; "label index:value ..." lines of libsvm; all else is delimited text with a header, if the request
 * does not say that there is none.
 *
 * Columns of files without names are called "1", "2", ... Columns of libsvm files are called by their index,
 * and absent entries are 0; only indices that occur become columns, or all pixels of images. The label of
 * libsvm and CIFAR-10 is called "label" and is never one of the table's columns. A file of labels without
 * names that has one value per row needs no column of that name.
 */
struct table_reader;

dedpul_status table_reader_open(struct stream *stream, const struct table_request *request,
                                const dedpul_allocator *allocator, dedpul_error *error,
                                struct table_reader **reader);

/*
 * Reads up to most_rows further rows into the reader's table, where they replace the rows of the last call. 0
 * rows mean the end. Without a schema, all rows must be read in one call, and there must be some. After a
 * failure the reader can only be freed.
 */
dedpul_status table_reader_next(struct table_reader *reader, size_t most_rows, struct table **table);

/* How many columns are called by numbers; 0 for files with names and for libsvm files. */
size_t table_reader_numbered(const struct table_reader *reader);

/* Frees the reader and its table; NULL is fine. */
void table_reader_free(struct table_reader *reader);

#endif
