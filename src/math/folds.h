/* Random partitions of rows. Rows belong to strata: 0 and 1 by label, 2 if they have no weight. */
#ifndef DEDPUL_MATH_FOLDS_H
#define DEDPUL_MATH_FOLDS_H

#include "context.h"

enum { N_STRATA = 3, STRATUM_WEIGHTLESS = 2 };

/*
 * Deals the rows of each stratum out to folds 0 .. n_folds-1 at random, so that the folds' shares of a
 * stratum differ by at most one row.
 */
dedpul_status folds_deal(struct context *context, size_t n, const unsigned char *stratum /* (n) */,
                         unsigned n_folds, uint64_t stream, unsigned char *fold /* (n) */);

/* Chooses at most `most` random rows of each label, ascending. Rows without weight are never chosen. */
dedpul_status folds_choose(struct context *context, size_t n, const unsigned char *stratum /* (n) */,
                           size_t most, uint64_t stream, size_t *n_chosen, uint32_t **chosen);

#endif
