/*
 * Is it plausible that the labeled rows are a random draw of the positives? Then positives of all kinds are
 * labeled at the same rate.
 */
#ifndef DEDPUL_SCORES_LABEL_CHECK_H
#define DEDPUL_SCORES_LABEL_CHECK_H

#include "kind_shares.h"

/* A kind needs this many labeled rows. */
enum { FEWEST_CHECKED = 8 };

/* A smaller p-value is an alarm. */
#define LABEL_CHECK_LEVEL 0.05

/* What the rows say about one kind, if they are enough. */
struct checked_kind {
    size_t rows; /* labeled rows that look most like this kind */
    /*
     * The share of its positives that is labeled is at least `low`, and it is `high` if its negatives are as
     * many as they can be; both are NaN if there are too few rows.
     */
    double low, high;
    /* By how many standard deviations this is above (below, if negative) the rate that fits all kinds best.
     */
    double deviation;
};

struct label_check {
    double p_value; /* NaN: there are fewer than two kinds with enough rows */
    double rate;    /* the share of the positives that is labeled, of all kinds, if there is one for all */
    size_t n_kinds;
    struct checked_kind *kind; /* (n_kinds) */
};

/*
 * Counts unlabeled rows beside the labeled ones of each kind, in the cell of rows that look most like it.
 * Above the median logit of the labeled rows there, few negatives are left, so the counts tell the rate of
 * labels. Where more unlabeled rows come to a labeled one as logits get lower, negatives overlap with the
 * kind, and may do so above the median, too: then the rate may be higher, up to what the decline continued
 * says. The test is of whether one rate is within the ranges of all kinds, give or take chance, and a factor
 * that overlap everywhere and kinds that were found in the same rows may make up: a chi-square statistic. The
 * array is in `memory`; all else is a temporary of the context.
 */
dedpul_status label_check(struct context *context, const struct kind_rows *rows, struct arena *memory,
                          struct label_check *check);

#endif
