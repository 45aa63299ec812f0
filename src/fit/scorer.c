#include "scorer.h"

#include <math.h>

void scorer_close(struct scorer *scorer)
{
    for (size_t k = 0; k < MOST_PARTS; k++)
        ensemble_close(&scorer->part[k]);
    scorer->n_parts = 0;
}

dedpul_status scorer_score(struct context *context, const struct scorer *scorer, size_t n, const float *x,
                           const struct beside *beside, double *logit)
{
    struct block *mark = context_mark(context);
    double *of_part = context_allocate(context, n, sizeof *of_part);
    if (of_part == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        logit[i] = 0;
    for (size_t k = 0; k < scorer->n_parts; k++) {
        TRY(ensemble_score(context, &scorer->part[k], n, x, k == 0 ? beside : NULL, of_part));
        for (size_t i = 0; i < n; i++)
            logit[i] += (of_part[i] - scorer->part_center[k]) / scorer->part_spread[k];
    }
    for (size_t i = 0; i < n; i++) {
        logit[i] = scorer->center + scorer->spread * (logit[i] / (double)scorer->n_parts);
        if (!isfinite(logit[i]))
            return error_set(
                context->error, DEDPUL_INVALID_DATA,
                "the model's score of row %zu is not finite: the model is corrupt, or a value is "
                "far out of the range of the fit",
                i + 1);
    }
    context_release(context, mark);
    return DEDPUL_OK;
}
