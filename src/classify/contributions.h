/*
 * What each feature adds to the score of labeled against unlabeled rows, by boosted trees that have not seen
 * the row. Rows that are labeled for the same reason have similar contributions, whatever else they have.
 */
#ifndef DEDPUL_CLASSIFY_CONTRIBUTIONS_H
#define DEDPUL_CLASSIFY_CONTRIBUTIONS_H

#include "classifier.h"

struct contributor;

/*
 * Trains the trees: a few small ones for each half of the rows, several times. They learn from at most
 * 20,000 rows of each label. Close the contributor, also after a failure.
 */
dedpul_status contributor_train(struct context *context, const struct examples *examples /* row is NULL */,
                                const unsigned char *stratum /* (n_rows) as in folds.h */,
                                const struct training_settings *settings, struct contributor **contributor);
void contributor_close(struct contributor *contributor); /* NULL is fine */

/* Finds the contributions of some rows of the examples. */
dedpul_status contributions_find(struct context *context, const struct contributor *contributor, size_t n,
                                 const uint32_t *row /* (n) */, float *contribution /* (n, width) */);

#endif
