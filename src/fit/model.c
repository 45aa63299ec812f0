#include "model.h"

#include <math.h>
#include <string.h>

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
                          const struct beside *beside, double *logit, double *part)
{
    TRY(scorer_score(context, &model->ntc, n, x, beside, logit));
    return model_kinds_apply(context, &model->kinds, n, x, logit, part);
}

/* Picks the members that left out this fold: there is one in each partition. */
static dedpul_status pick_members(struct context *context, const struct ensemble *all, size_t folds,
                                  size_t fold, struct ensemble *picked)
{
    *picked = *all;
    picked->n_members = all->n_members / folds;
    picked->member = context_allocate(context, picked->n_members, sizeof *picked->member);
    if (picked->member == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t m = 0; m < picked->n_members; m++)
        picked->member[m] = all->member[m * folds + fold];
    return DEDPUL_OK;
}

/* Neighbours are alike in some files, so the fold is not the place alone. */
static size_t fold_of_place(size_t place, size_t folds)
{
    uint64_t bits = (place + 1) * 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 32)) * 0xd6e8feb86659fd93;
    return (size_t)(bits >> 32) % folds;
}

static dedpul_status score_fold(struct context *context, const struct scorer *scorer, size_t n,
                                const uint32_t *row, const float *x, const struct beside *beside,
                                double *logit)
{
    const size_t width = scorer->part[0].width;
    float *own_x = context_allocate(context, n, width * sizeof *own_x);
    double *own_logit = context_allocate(context, n, sizeof *own_logit);
    if (own_x == NULL || own_logit == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        memcpy(own_x + i * width, x + row[i] * width, width * sizeof *x);
    TRY(scorer_score(context, scorer, n, own_x, beside, own_logit));
    for (size_t i = 0; i < n; i++)
        logit[row[i]] = own_logit[i];
    return DEDPUL_OK;
}

dedpul_status scorer_score_as_fit(struct context *context, const struct scorer *scorer, size_t folds,
                                  size_t first, size_t n, const float *x, const struct beside *beside,
                                  double *logit)
{
    struct block *mark = context_mark(context);
    uint32_t *row = context_allocate(context, n, sizeof *row);
    if (row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t fold = 0; fold < folds; fold++) {
        struct block *mark_of_fold = context_mark(context);
        struct scorer picked = *scorer;
        size_t count = 0;
        for (size_t k = 0; k < scorer->n_parts; k++)
            TRY(pick_members(context, &scorer->part[k], folds, fold, &picked.part[k]));
        for (size_t i = 0; i < n; i++)
            if (fold_of_place(first + i, folds) == fold)
                row[count++] = (uint32_t)i;
        if (count > 0) {
            TRY(score_fold(context, &picked, count, row, x, beside, logit));
            beside = NULL; /* it is done */
        }
        context_release(context, mark_of_fold);
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
