/* The walk over thresholds that best bin and ROC estimates share. */
#ifndef DEDPUL_ESTIMATORS_THRESHOLDS_H
#define DEDPUL_ESTIMATORS_THRESHOLDS_H

#include "sample.h"
#include "weighted.h"

#include <stdbool.h>

struct thresholds {
    const struct sample *p, *u;
    size_t end_p, end_u;     /* rows not yet at or above the threshold */
    double above_p, above_u; /* weight of the rows at or above it */
};

static inline struct thresholds thresholds_of(const struct sample *p, const struct sample *u)
{
    return (struct thresholds){p, u, p->n, u->n, 0, 0};
}

/* Takes the rows at or above a score off the end of a sample. */
static inline void take_from(const struct sample *sample, double score, size_t *end, double *taken)
{
    while (*end > 0 && sample->score[*end - 1] >= score)
        *taken += weight_at(sample->weight, --*end);
}

/* Goes to the next lower one of the distinct unlabeled scores; false where there is none. */
static inline bool thresholds_next(struct thresholds *at)
{
    if (at->end_u == 0)
        return false;
    const double threshold = at->u->score[at->end_u - 1];
    take_from(at->u, threshold, &at->end_u, &at->above_u);
    take_from(at->p, threshold, &at->end_p, &at->above_p);
    return true;
}

#endif
