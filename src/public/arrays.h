/* Checks of arrays that a program hands over. */
#ifndef DEDPUL_PUBLIC_ARRAYS_H
#define DEDPUL_PUBLIC_ARRAYS_H

#include "error.h"

/* Labels are 1 or 0. */
dedpul_status check_labels(size_t n, const unsigned char *label /* (n) */, dedpul_error *error);

/* Weights are counts; NULL is fine. Messages put `owner` before the name of the array: "positive." or "". */
dedpul_status check_weights(const char *owner, size_t n, const double *weight /* (n) or NULL */,
                            dedpul_error *error);

#endif
