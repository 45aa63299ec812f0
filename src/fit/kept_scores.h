/*
 * The cross-fitted scores of a fit, thinned to a bounded size, so that a model can be evaluated without its
 * table, and new rows can be held against those of the fit.
 */
#ifndef DEDPUL_FIT_KEPT_SCORES_H
#define DEDPUL_FIT_KEPT_SCORES_H

#include "bytes.h"

enum { MOST_KEPT_SCORES = 2048 };

/* Neighbours that were merged share one logit, the mean of theirs. */
struct kept_scores {
    size_t n;                    /* 0: the model is of a format without scores */
    double *logit;               /* (n) ascending */
    double *labeled, *unlabeled; /* (n) weight of the rows */
};

/*
 * Keeps every distinct logit if there are at most MOST_KEPT_SCORES. Otherwise it merges logits that are
 * nearer than a distance, which is the smallest that makes them few enough (up to a factor of 2). So the
 * tails, where rows are rare and thresholds lie, stay as they are.
 */
dedpul_status kept_scores_make(struct context *context, size_t n, const double *logit /* (n) */,
                               const double *weight /* (n) or NULL */, const unsigned char *label /* (n) */,
                               struct arena *memory, struct kept_scores *kept);

/* Adds rows to the counts at the kept logits that are nearest to theirs. */
void kept_scores_count(const struct kept_scores *kept, size_t n, const double *logit /* (n) */,
                       double *count /* (kept->n) */);

void kept_scores_save(const struct kept_scores *kept, struct bytes *bytes);

/* Marks the bytes as failed if their content is not valid. */
dedpul_status kept_scores_load(struct context *context, struct bytes_reader *bytes, struct arena *memory,
                               struct kept_scores *kept);

#endif
