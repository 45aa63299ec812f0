/*
 * How many positives of each kind are among the unlabeled rows, if kinds were found and not told of. Some of
 * these are of rows that are hard to tell from negatives, and the largest shares that fit (kind_shares.h)
 * would count the negatives there. So kinds are taken to be labeled at one rate as far as the rows allow it.
 */
#ifndef DEDPUL_SCORES_KIND_RATES_H
#define DEDPUL_SCORES_KIND_RATES_H

#include "label_check.h"

/*
 * By the ranges of label_check.h: of a kind whose range has the rate that fits all kinds best, this rate is
 * taken, and else the nearest end of its range. Shares are those of the rows as they are: in resamples, kinds
 * differ by chance, too, so their mean would be further from one rate. The arrays are temporaries of the
 * context.
 */
dedpul_status kind_rates_find(struct context *context, const struct kind_rows *rows, unsigned resamples,
                              struct kind_shares *shares);

#endif
