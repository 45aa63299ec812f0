/* Rows of cells, from a file of any of the formats. */
#ifndef DEDPUL_TABLE_ROW_SOURCE_H
#define DEDPUL_TABLE_ROW_SOURCE_H

#include "cell.h"
#include "image_shape.h"
#include "number.h"
#include "stream.h"
#include "texts.h"

/* Of files whose columns have numbers, so that a few bytes cannot ask for any amount of memory. */
enum { MOST_NUMBERED_COLUMNS = 1000000 };

struct row_source;

struct row_format {
    /* Reads the next row into the source's number and cells; *has_row is false at the end. */
    dedpul_status (*next)(struct row_source *source, bool *has_row);
    void (*free)(struct row_source *source);
};

struct row_source {
    const struct row_format *format;
    struct stream *stream; /* borrowed */
    dedpul_allocator allocator;
    dedpul_error *error; /* may be NULL */
    const char *unit;    /* what messages count rows by: "line" or "row" */

    /*
     * Columns have names, or are called by their numbers from 1; where rows begin with a label, column 0 is
     * "label" and those after it are "1", "2", ... Rows of a sparse source have cells only where they are not
     * 0; they begin with a label, and how many columns there are shows at the end.
     */
    bool has_names, begins_with_label, is_sparse;
    struct texts names;
    size_t n_columns;         /* of a source that is not sparse */
    struct image_shape image; /* of the columns with numbers, where the format says so */

    size_t number; /* of the current row's line, or of the row */
    size_t n_cells;
    struct cell *cell; /* (n_cells) of different columns; valid until the next row */
};

/* Finds the format and opens it. */
dedpul_status row_source_open(struct stream *stream, const dedpul_allocator *allocator, dedpul_error *error,
                              struct row_source **source);
void row_source_free(struct row_source *source); /* NULL is fine */

/* The column's name; numbers are written to the buffer. */
const char *row_source_name(const struct row_source *source, size_t column, char buffer[NUMBER_SIZE]);

/* How many columns are called by numbers; 0 where columns have names, or the source is sparse. */
size_t row_source_numbered(const struct row_source *source);

/* False where there is no column of that name. */
bool row_source_find(const struct row_source *source, const char *name, size_t *column);

dedpul_status row_source_no_memory(const struct row_source *source);

/* ---- the formats ---- */

/* Fills a source whose first members are set; *source is to be freed whatever the outcome. */
typedef dedpul_status row_source_opener(const struct row_source *common, struct row_source **source);
row_source_opener csv_rows_open, npy_rows_open, idx_rows_open, cifar_rows_open, libsvm_rows_open;

/* Whether a file that begins with these bytes looks like one of the format; is_whole: there are no others. */
typedef bool row_format_detector(const char *bytes, size_t n, bool is_whole);

/*
 * libsvm: the first line that is neither empty nor a comment is a number with index:value pairs behind it.
 * Lines of labels alone, which say nothing, are passed over.
 */
row_format_detector libsvm_is_likely;

/* IDX: its magic. */
row_format_detector idx_is_likely;

/* CIFAR-10, which has no magic: labels where labels are to be, and bytes that no text has. */
row_format_detector cifar_is_likely;

/* Memory for a source of that size that begins with a copy of the common members, and else is zero. */
void *row_source_allocate(const struct row_source *common, size_t size);

#endif
