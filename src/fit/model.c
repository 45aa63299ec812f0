#include "model.h"

#include <math.h>

void model_init(struct model *model, const dedpul_allocator *allocator)
{
    *model = (struct model){.n_positive = 0};
    arena_init(&model->memory, allocator);
}

void scorer_close(struct scorer *scorer)
{
    for (size_t k = 0; k < MOST_PARTS; k++)
        ensemble_close(&scorer->part[k]);
    scorer->n_parts = 0;
}

void model_close(struct model *model)
{
    scorer_close(&model->ntc);
    scorer_close(&model->pn.scorer);
    arena_free(&model->memory);
}

dedpul_status model_check_kept(const struct model *model, const char *advice, dedpul_error *error)
{
    return model->kept.n > 0 ? DEDPUL_OK
                             : error_set(error, DEDPUL_INVALID_DATA,
                                         "the model was fitted by dedpul %s, whose models keep no scores: %s",
                                         model->version, advice);
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

/*
 * From each point kept, goes as far as one straight line passes within the tolerance of all points between.
 * For this it keeps the range of slopes with which a line from the kept point does so: the slope to the next
 * point must lie inside, and then narrows the range.
 */
dedpul_status curve_thin(struct context *context, size_t n, const double *logit, const double *ratio,
                         double scale, double tolerance, struct arena *memory, struct curve *curve)
{
    struct block *mark = context_mark(context);
    uint32_t *point = context_allocate(context, n, sizeof *point);
    if (point == NULL)
        return DEDPUL_NO_MEMORY;
    *curve = (struct curve){.n = 0};
    for (size_t kept = 0, next; kept < n; kept = next) {
        double lowest = -INFINITY, highest = INFINITY;
        point[curve->n++] = (uint32_t)kept;
        next = kept + 1;
        for (size_t i = kept + 1; i < n; i++) {
            const double run = logit[i] - logit[kept], rise = scale * (ratio[i] - ratio[kept]);
            if (rise / run < lowest || rise / run > highest)
                break;
            next = i;
            lowest = fmax(lowest, (rise - tolerance) / run);
            highest = fmin(highest, (rise + tolerance) / run);
        }
    }
    curve->logit = context_allocate_in(context, memory, curve->n, sizeof *curve->logit);
    curve->ratio = context_allocate_in(context, memory, curve->n, sizeof *curve->ratio);
    if (curve->logit == NULL || curve->ratio == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < curve->n; i++) {
        curve->logit[i] = logit[point[i]];
        curve->ratio[i] = ratio[point[i]];
    }
    context_release(context, mark);
    return DEDPUL_OK;
}
