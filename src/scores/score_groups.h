/*
 * Rows by their distinct scores, from the highest down. No threshold can tell rows that tie apart, so an
 * evaluation works on such groups.
 */
#ifndef DEDPUL_SCORES_SCORE_GROUPS_H
#define DEDPUL_SCORES_SCORE_GROUPS_H

#include "sample.h"

/* What is known of the unlabeled rows, in the order of the input. */
struct row_values {
    const double *ratio, *posterior; /* (n_unlabeled) */
    const unsigned char *truth;      /* (n_unlabeled) enum truth; NULL: nothing is known */
};

enum truth { TRUTH_NEGATIVE = 0, TRUTH_POSITIVE = 1, TRUTH_UNKNOWN = 2 };

struct score_groups {
    size_t n;
    double total_labeled, total_unlabeled;
    double *score;               /* (n) descending; logits if the samples have logits */
    double *labeled, *unlabeled; /* (n) weight of the rows */
    double *ratio, *posterior;   /* (n) means over the unlabeled rows; 0 if there are none */
    double *positive, *negative; /* (n) weight of unlabeled rows known to be positive, and negative */
};

/* Both samples are sorted as by sample_sort. */
dedpul_status score_groups_make(struct context *context, const struct sample *p, const struct sample *u,
                                const struct row_values *values, struct score_groups *groups);

#endif
