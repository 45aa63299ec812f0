/* Random partitions of rows into folds that keep groups of rows together. */
#ifndef DEDPUL_MATH_GROUP_FOLDS_H
#define DEDPUL_MATH_GROUP_FOLDS_H

#include "folds.h"
#include "row_groups.h"

/*
 * Deals whole groups out to folds 0 .. n_folds-1 at random, so that the folds' shares of rows of either label
 * differ as little as the groups allow. Neither the codes of groups nor rows without weight change the folds
 * of rows that have one. It is an error if a fold gets all rows of a label: nothing would be left to learn
 * from.
 */
dedpul_status group_folds_deal(struct context *context, size_t n, const unsigned char *stratum /* (n) */,
                               const struct row_groups *groups, unsigned n_folds, uint64_t stream,
                               unsigned char *fold /* (n) */);

#endif
