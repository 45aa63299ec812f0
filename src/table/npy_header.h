/* What the header of a NumPy file says. */
#ifndef DEDPUL_TABLE_NPY_HEADER_H
#define DEDPUL_TABLE_NPY_HEADER_H

#include "array_rows.h"

/*
 * Parses the header's text, a Python dict: "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }".
 * An array that is neither a table nor images of real numbers is an error that says what to do. `file` is the
 * file's name in messages.
 */
dedpul_status npy_header_parse(const char *text, size_t length, const char *file, dedpul_error *error,
                               struct array_layout *layout);

#endif
