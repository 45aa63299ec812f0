/* What the header of a NumPy file says. */
#ifndef DEDPUL_TABLE_NPY_HEADER_H
#define DEDPUL_TABLE_NPY_HEADER_H

#include "error.h"

#include <stdbool.h>

struct npy_header {
    size_t n_rows, n_columns; /* one column where the array has one dimension */
    size_t value_size;        /* 4 or 8 bytes */
    bool is_big_endian;
};

/*
 * From the header's text, a Python dict: "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }".
 * Arrays that are not a table of floating-point numbers are an error that says what to do; `file` is for
 * messages.
 */
dedpul_status npy_header_parse(const char *text, size_t length, const char *file, dedpul_error *error,
                               struct npy_header *header);

#endif
