#include "model.h"

#include <math.h>

void model_init(struct model *model, const dedpul_allocator *allocator)
{
    *model = (struct model){.n_positive = 0};
    arena_init(&model->memory, allocator);
}

void model_close(struct model *model)
{
    scorer_close(&model->ntc);
    scorer_close(&model->pn.scorer);
    model_kinds_close(&model->kinds);
    arena_free(&model->memory);
}

dedpul_status model_check_kept(const struct model *model, const char *advice, dedpul_error *error)
{
    return model->kept.n > 0 ? DEDPUL_OK
                             : error_set(error, DEDPUL_INVALID_DATA,
                                         "the model was fitted by dedpul %s, whose models keep no scores: %s",
                                         model->version, advice);
}

dedpul_status model_score(struct context *context, const struct model *model, size_t n, const float *x,
                          const struct beside *beside, double *logit)
{
    TRY(scorer_score(context, &model->ntc, n, x, beside, logit));
    return model_kinds_correct(context, &model->kinds, n, x, logit);
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
