/* Rows of numbers in binary, all of one type and length: what NumPy, IDX and CIFAR-10 files share. */
#ifndef DEDPUL_TABLE_ARRAY_ROWS_H
#define DEDPUL_TABLE_ARRAY_ROWS_H

#include "row_source.h"

enum value_kind { VALUE_UNSIGNED, VALUE_SIGNED, VALUE_FLOAT };

/* What a file's header says. */
struct array_layout {
    enum value_kind kind;
    size_t value_size; /* 1, 2, 4 or 8 bytes; VALUE_FLOAT has 4 or 8 */
    bool is_big_endian;
    bool has_any_rows; /* rows go on to the end of the file; n_rows is not known */
    size_t n_rows;
    size_t n_columns;
    struct image_shape image; /* the shape of a row, if rows are images */
};

struct array_rows {
    struct row_source source; /* first: a struct row_source * is a struct array_rows * */
    struct array_layout layout;
    char *bytes;
    size_t capacity, begin, end; /* bytes begin .. end-1 are not used yet */
};

/* Reads until `wanted` bytes are there; *has_them is false if the file ends before that. */
dedpul_status array_rows_need(struct array_rows *rows, size_t wanted, bool *has_them);

/* Fails with "... is cut off in its header ...". */
dedpul_status array_rows_cut_header(const struct array_rows *rows);

/* Reads an unsigned number of up to 8 bytes. */
uint64_t array_load(const char *bytes, size_t size, bool is_big_endian);

/*
 * Sets rows and columns from the dimensions of an array, the first of which counts the rows. An array of 3 or
 * 4 dimensions holds images and sets their shape, too. False: there are fewer than 1 or more than 4.
 */
bool array_layout_set_dimensions(struct array_layout *layout, size_t n, const size_t *dimension /* (n) */);

/* The format of a source whose cells are the values of a row, in their order. */
extern const struct row_format array_rows_format;

/* A row_source_opener for which `read_header` fills the layout and steps over the header's bytes. */
dedpul_status array_rows_open(const struct row_source *common,
                              dedpul_status (*read_header)(struct array_rows *rows),
                              struct row_source **source);

#endif
