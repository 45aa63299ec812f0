/* Rows of cells from a file of any format. */
#ifndef DEDPUL_TABLE_ROW_SOURCE_H
#define DEDPUL_TABLE_ROW_SOURCE_H

#include "cell.h"
#include "dialect.h"
#include "image_shape.h"
#include "number.h"
#include "stream.h"
#include "texts.h"

/* Column limit for files without names: a tiny hostile header must not trigger a huge allocation. */
enum { MOST_NUMBERED_COLUMNS = 1000000 };

struct row_source;

struct row_format {
    /* Reads the next row into the source's number and cells; *has_row is false at the end. */
    dedpul_status (*next)(struct row_source *source, bool *has_row);
    void (*free)(struct row_source *source);
    const struct column_format *columns; /* of a source that has its values by columns; `next` is NULL then */
};

/* Rows come several at a time. */
struct column_format {
    /* Tells that a column will be read, before the first row. The source may refuse it. */
    dedpul_status (*want)(struct row_source *source, size_t column);
    /* Goes on to the next rows, at most `most`; *n = 0 means the end. The source's number is not changed. */
    dedpul_status (*advance)(struct row_source *source, size_t most, size_t *n);
    /* Fills the column's numbers in these rows, NaN if missing. False: not all are, or one is not finite. */
    bool (*fill)(const struct row_source *source, size_t column, double *number /* (n) */);
    /* Sets one value, of row 0 to n-1. It belongs to the row of the source's number, for messages. */
    dedpul_status (*get)(struct row_source *source, size_t column, size_t row, struct cell *cell);
};

struct row_source {
    const struct row_format *format;
    struct stream *stream; /* borrowed */
    dedpul_allocator allocator;
    dedpul_error *error;     /* may be NULL */
    const char *unit;        /* how messages count rows: "line" or "row" */
    struct text_format text; /* the format of delimited text, as far as it was said */
    char decimal;            /* how numbers in texts are written */
    bool is_comma_guess;     /* as in struct dialect */
    bool is_header_data;     /* the line of names looks like data */

    /*
     * Columns have names, or are called by their numbers from 1. If rows begin with a label, column 0 is
     * called "label" and the columns after it "1", "2", ... Rows of a sparse source begin with a label and
     * have no cells for zeros; how many columns it has is known only at its end.
     */
    bool has_names, begins_with_label, is_sparse;
    struct texts names;
    size_t n_columns;         /* 0 if the source is sparse */
    const bool *is_category;  /* (n_columns) whether the column's values are levels, even if they are */
                              /* numbers; NULL: the source does not know */
    struct image_shape image; /* the shape of a row without its label, if the format has images */

    size_t number; /* the current line or row, from 1 */
    size_t n_cells;
    struct cell *cell; /* (n_cells) each of another column; valid until the next row */
};

/* Finds the format and opens it. *source is to be freed whatever the outcome. */
dedpul_status row_source_open(struct stream *stream, const struct text_format *format,
                              const dedpul_allocator *allocator, dedpul_error *error,
                              struct row_source **source);
void row_source_free(struct row_source *source); /* NULL is fine */

/* The column's name. If that is a number, it is written to the buffer. */
const char *row_source_name(const struct row_source *source, size_t column, char buffer[NUMBER_SIZE]);

/*
 * Adds the name of the next column; one without a name is called "column N". The message about a name that
 * occurs twice says `where`, and ends with or_else.
 */
dedpul_status row_source_add_name(struct row_source *source, const char *name, size_t length,
                                  const char *where, const char *or_else);

/* How many columns are called by numbers; 0 if columns have names or the source is sparse. */
size_t row_source_numbered(const struct row_source *source);

/* Finds a column. False: there is no column of that name. */
bool row_source_find(const struct row_source *source, const char *name, size_t *column);

dedpul_status row_source_no_memory(const struct row_source *source);

/* ---- the formats ---- */

/* Fills a source whose first members are set; *source is to be freed whatever the outcome. */
typedef dedpul_status row_source_opener(const struct row_source *common, struct row_source **source);
row_source_opener csv_rows_open, npy_rows_open, idx_rows_open, cifar_rows_open, libsvm_rows_open,
    arrow_rows_open;

/* Whether a file that begins with these bytes looks like one of the format; is_whole: there are no others. */
typedef bool row_format_detector(const char *bytes, size_t n, bool is_whole);

/*
 * libsvm: the first line that is neither empty nor a comment is a number with index:value pairs behind it.
 * Lines of labels alone, which say nothing, are passed over.
 */
row_format_detector libsvm_is_likely;

/* IDX: the file begins with its magic. */
row_format_detector idx_is_likely;

/* CIFAR-10, which has no magic: labels stand in their places, and there are bytes that no text has. */
row_format_detector cifar_is_likely;

/* Allocates a source of that size: a copy of the common members, and zeros behind them. NULL: no memory. */
void *row_source_allocate(const struct row_source *common, size_t size);

#endif
