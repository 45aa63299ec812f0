/* Whether one score tells labeled from unlabeled rows better than another. */
#ifndef DEDPUL_MATH_AUC_DIFFERENCE_H
#define DEDPUL_MATH_AUC_DIFFERENCE_H

#include "context.h"

/* Rows with two scores. */
struct scored_twice {
    size_t n;
    const unsigned char *label; /* (n) 1 or 0 */
    const double *weight;       /* (n) counts of rows; NULL: each counts once */
    const double *a, *b;        /* (n) finite */
};

struct auc_difference {
    double value;  /* the AUC of label 1 against label 0 by a, minus that by b */
    double chance; /* the probability that chance alone makes them differ so much */
};

/* The test of DeLong, DeLong and Clarke-Pearson (1988). */
dedpul_status auc_difference(struct context *context, const struct scored_twice *rows,
                             struct auc_difference *difference);

#endif
