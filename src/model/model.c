#include "train.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double sigmoid(double logit)
{
    return 1 / (1 + exp(-logit));
}

dedpul_model *model_create(const dedpul_allocator *allocator, dedpul_error *error)
{
    const dedpul_allocator used = allocator_or_default(allocator);
    dedpul_model *model = used.resize(used.context, NULL, sizeof *model);
    if (model == NULL) {
        (void)error_set(error, DEDPUL_NO_MEMORY, "out of memory: %zu bytes", sizeof *model);
        return NULL;
    }
    memset(model, 0, sizeof *model);
    context_init(&model->memory, &used, error);
    return model;
}

static void scorer_close(struct scorer *scorer)
{
    for (size_t k = 0; k < MOST_PARTS; k++)
        ensemble_close(&scorer->part[k]);
}

void dedpul_model_free(dedpul_model *model)
{
    if (model == NULL)
        return;
    const dedpul_allocator allocator = model->memory.allocator;
    scorer_close(&model->ntc);
    scorer_close(&model->pn);
    context_free(&model->memory);
    (void)allocator.resize(allocator.context, model, 0);
}

dedpul_status scorer_score(struct context *context, const struct scorer *scorer, size_t n, const float *x,
                           double *logit)
{
    struct block *mark = context_mark(context);
    double *of_part = context_allocate(context, n, sizeof *of_part);
    if (of_part == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        logit[i] = 0;
    for (size_t k = 0; k < scorer->n_parts; k++) {
        TRY(ensemble_score(context, &scorer->part[k], n, x, of_part));
        for (size_t i = 0; i < n; i++)
            logit[i] += (of_part[i] - scorer->part_center[k]) / scorer->part_spread[k];
    }
    for (size_t i = 0; i < n; i++)
        logit[i] = scorer->center + scorer->spread * (logit[i] / (double)scorer->n_parts);
    context_release(context, mark);
    return DEDPUL_OK;
}

/*
 * From each point kept, goes as far as one straight line passes within the tolerance of all points between
 * (the cone of slopes that do so is not empty).
 */
dedpul_status curve_thin(struct context *context, size_t n, const double *logit, const double *ratio,
                         double scale, double tolerance, struct context *memory, struct curve *curve)
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
    curve->logit = context_allocate(memory, curve->n, sizeof *curve->logit);
    curve->ratio = context_allocate(memory, curve->n, sizeof *curve->ratio);
    if (curve->logit == NULL || curve->ratio == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < curve->n; i++) {
        curve->logit[i] = logit[point[i]];
        curve->ratio[i] = ratio[point[i]];
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- what a model says of itself ---- */

const dedpul_model_info *dedpul_model_describe(const dedpul_model *model)
{
    return model != NULL ? &model->info : NULL;
}

dedpul_status model_describe_parts(dedpul_model *model, const dedpul_classifier *plugin)
{
    const struct encoding *encoding = &model->encoding;
    dedpul_column_info *columns = context_allocate(&model->memory, encoding->n_columns, sizeof *columns);
    const size_t size = 64;
    char *name = context_allocate(&model->memory, size, 1);
    if (columns == NULL || name == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < encoding->n_columns; c++) {
        const struct feature *feature = &encoding->column[c];
        columns[c] = (dedpul_column_info){feature->schema.name, feature_use_name(feature),
                                          feature->schema.n_levels, feature->width};
    }
    const struct scorer *ntc = &model->ntc;
    if (ntc->n_parts > 1)
        (void)snprintf(name, size, "%s + %s", ntc->part[0].classifier->name, ntc->part[1].classifier->name);
    else
        (void)snprintf(name, size, "%s",
                       ntc->part[0].classifier == &classifier_plugin ? plugin->name
                                                                     : ntc->part[0].classifier->name);
    model->info.classifier = name;
    model->info.columns = columns;
    model->info.n_columns = encoding->n_columns;
    model->info.n_features = encoding->width;
    model->info.n_points = model->curve.n;
    model->info.has_pn = model->pn.n_parts > 0;
    model->info.trained = method_trains(model->info.method) ? model->pn.part[0].classifier->name : NULL;
    model->info.height = model->image.height;
    model->info.width = model->image.width;
    model->info.channels = model->image.channels;
    for (size_t k = 0; k < ntc->n_parts; k++)
        model->info.n_members += ntc->part[k].n_members;
    return DEDPUL_OK;
}
