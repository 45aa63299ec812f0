/* Trained models whose logits are averaged. */
#ifndef DEDPUL_CLASSIFY_ENSEMBLE_H
#define DEDPUL_CLASSIFY_ENSEMBLE_H

#include "classifier.h"
#include "parallel.h"

struct ensemble {
    const struct classifier *classifier;
    size_t width;
    size_t n_members;
    void **member;
};

/* Computes the mean over the sets for each of n values. */
void average(size_t n_sets, size_t n, const double *value /* (n_sets, n) */, double *mean /* (n) */);

/* Computes the mean logit of the members for each row, with other work beside it; NULL: none. */
dedpul_status ensemble_score(struct context *context, const struct ensemble *ensemble, size_t n,
                             const float *x /* (n, width) */, const struct beside *beside,
                             double *logit /* (n) */);

dedpul_status ensemble_save(struct context *context, const struct ensemble *ensemble, struct bytes *bytes);

/* Marks the bytes as failed if their content is not valid. */
dedpul_status ensemble_load(struct context *context, const struct loading *loading,
                            struct bytes_reader *bytes, struct arena *memory, struct ensemble *ensemble);

/* Closes the members. The arena that holds them belongs to the caller. */
void ensemble_close(struct ensemble *ensemble);

#endif
