/* The rows that scores belong to. */
#ifndef DEDPUL_ESTIMATORS_FEATURE_ROWS_H
#define DEDPUL_ESTIMATORS_FEATURE_ROWS_H

#include <stddef.h>

struct feature_rows {
    size_t n, width;
    const float *x;             /* (n, width) */
    const unsigned char *label; /* (n) 1 = labeled positive, 0 = unlabeled */
    const double *weight;       /* (n), with the meaning of counts; NULL: each counts once */
};

#endif
