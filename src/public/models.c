#include "models.h"

#include "handle.h"
#include "logistic.h"
#include "model_bytes.h"
#include "model_file.h"
#include "plugin.h"
#include "stream.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

dedpul_model *model_create(const dedpul_allocator *allocator, dedpul_error *error)
{
    dedpul_model *model = handle_allocate(allocator, sizeof *model, error);
    if (model == NULL)
        return NULL;
    model->only_described = false;
    model_init(&model->model, allocator);
    return model;
}

void dedpul_model_free(dedpul_model *model)
{
    if (model == NULL)
        return;
    const dedpul_allocator allocator = model->model.memory.allocator;
    model_close(&model->model);
    handle_free(allocator, model);
}

/* ---- descriptions ---- */

const dedpul_model_info *dedpul_model_describe(const dedpul_model *model)
{
    return model != NULL ? &model->info : NULL;
}

static const char *part_name(const struct ensemble *part)
{
    const struct classifier *kind = part->classifier;
    return kind->model_name != NULL ? kind->model_name(part->member[0]) : kind->name;
}

const char *scorer_name(struct context *context, const struct scorer *scorer, struct arena *memory)
{
    const char *first = part_name(&scorer->part[0]);
    const char *second = scorer->n_parts > 1 ? part_name(&scorer->part[1]) : "";
    const size_t size = strlen(first) + strlen(second) + sizeof " + ";
    char *name = context_allocate_in(context, memory, size, 1);
    if (name != NULL)
        (void)snprintf(name, size, "%s%s%s", first, scorer->n_parts > 1 ? " + " : "", second);
    return name;
}

static dedpul_status describe_columns(struct context *context, struct model *model, dedpul_model_info *info)
{
    const struct encoding *encoding = &model->encoding;
    const size_t n = encoding->n_columns;
    dedpul_column_info *column = context_allocate_in(context, &model->memory, n, sizeof *column);
    const dedpul_column_info **columns =
        context_allocate_in(context, &model->memory, n, sizeof(dedpul_column_info *));
    if (column == NULL || columns == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < n; c++) {
        const struct feature *feature = &encoding->column[c];
        column[c] = (dedpul_column_info){feature->schema.name, feature_use_name(feature),
                                         feature->schema.n_levels, feature->width};
        columns[c] = &column[c];
    }
    info->n_columns = n;
    info->columns = columns;
    return DEDPUL_OK;
}

void model_describe_threshold(dedpul_model *described)
{
    const struct model_threshold *threshold = &described->model.threshold;
    dedpul_model_info *info = &described->info;
    info->has_threshold = threshold->is_set;
    info->threshold = threshold->is_set ? threshold->score : NAN;
    info->goal = (dedpul_goal)threshold->request.rule;
    info->goal_value = threshold->request.value;
}

dedpul_status model_describe(struct context *context, dedpul_model *described)
{
    struct model *model = &described->model;
    const struct solution *solution = &model->solution;
    dedpul_model_info *info = &described->info;
    *info = (dedpul_model_info){
        .size = sizeof *info,
        .version = model->version,
        .classifier = scorer_name(context, &model->ntc, &model->memory),
        .has_pn = model->pn.scorer.n_parts > 0,
        .trained = estimator_trains(model->method) ? part_name(&model->pn.scorer.part[0]) : NULL,
        .height = model->image.height,
        .width = model->image.width,
        .channels = model->image.channels,
        .alpha = solution->proportion.alpha,
        .alpha_c = solution->proportion.alpha_c,
        .alpha_n = solution->proportion.alpha_n,
        .scale = solution->scale,
        .auc = model->auc,
        .mean_ratio = solution->mean_ratio,
        .rule = (dedpul_rule)solution->proportion.rule,
        .method = model->method->name,
        .n_positive = model->n_positive,
        .n_unlabeled = model->n_unlabeled,
        .n_features = model->encoding.width,
        .n_points = model->curve.n,
        .settings = model->settings,
        .n_quantiles = solution->has_quantiles ? N_QUANTILES : 0,
        .quantiles = described->quantile,
        .n_kept = model->kept.n,
    };
    model_describe_threshold(described);
    for (size_t k = 0; k < info->n_quantiles; k++)
        described->quantile[k] = sigmoid(solution->quantiles.logit[k]);
    if (info->classifier == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < model->ntc.n_parts; k++)
        info->n_members += model->ntc.part[k].n_members;
    return describe_columns(context, model, info);
}

dedpul_status model_check_complete(const dedpul_model *model, dedpul_error *error)
{
    return model->only_described
               ? error_set(error, DEDPUL_INVALID_ARGUMENT,
                           "the model is only a description, which cannot score rows or be saved; load it "
                           "with dedpul_model_load")
               : DEDPUL_OK;
}

/* ---- files ---- */

dedpul_status dedpul_model_save(const dedpul_model *model, const char *path, dedpul_error *error)
{
    struct arena arena;
    if (model == NULL || path == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "model and path must not be NULL");
    TRY(model_check_complete(model, error));
    arena_init(&arena, &model->model.memory.allocator);
    struct context context = context_of(&arena, NULL, error);
    const dedpul_status status = model_save(&context, &model->model, path);
    arena_free(&arena);
    return status;
}

/* A model while it is loaded. At the end it is handed out or freed. */
struct load {
    struct arena arena;
    struct context context;
    dedpul_model *model;
};

static dedpul_status load_begin(struct load *load, const dedpul_allocator *allocator, dedpul_error *error)
{
    load->model = model_create(allocator, error);
    arena_init(&load->arena, allocator);
    load->context = context_of(&load->arena, NULL, error);
    return load->model != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

static dedpul_status load_end(struct load *load, dedpul_status status, dedpul_model **result)
{
    if (status == DEDPUL_OK)
        status = model_describe(&load->context, load->model);
    arena_free(&load->arena);
    if (status != DEDPUL_OK)
        dedpul_model_free(load->model);
    else
        *result = load->model;
    return status;
}

dedpul_status model_of_bytes(const char *name, size_t size, const unsigned char *data,
                             const dedpul_allocator *allocator, dedpul_model **result, dedpul_error *error)
{
    const struct loading loading = {.own = &classifier_plugin};
    struct load load;
    TRY(load_begin(&load, allocator, error));
    return load_end(&load, model_from_bytes(&load.context, name, size, data, &loading, &load.model->model),
                    result);
}

static dedpul_status load_file(const char *path, const struct loading *loading,
                               const dedpul_allocator *allocator, dedpul_model **result, dedpul_error *error)
{
    struct load load;
    if (path == NULL || result == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "path and model must not be NULL");
    TRY(load_begin(&load, allocator, error));
    load.model->only_described = loading->only_described;
    return load_end(&load, model_load(&load.context, path, loading, &load.model->model), result);
}

dedpul_status dedpul_model_load(const char *path, const dedpul_classifier *plugin,
                                const dedpul_allocator *allocator, dedpul_model **model, dedpul_error *error)
{
    dedpul_classifier own;
    struct loading loading = {.own = &classifier_plugin};
    if (plugin != NULL) {
        TRY(plugin_read(plugin, &own, error));
        loading.plugin = plugin_of(&own);
    }
    return load_file(path, &loading, allocator, model, error);
}

int dedpul_is_model(const char *path)
{
    struct stream stream;
    const char *begin;
    size_t n;
    struct stat info;
    /* A pipe would lose what is read here. */
    if (path == NULL || stat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
        stream_open(&stream, path, NULL) != DEDPUL_OK)
        return 0;
    const bool is_model = stream_peek(&stream, &begin, &n, NULL) == DEDPUL_OK &&
                          model_bytes_begin(n, (const unsigned char *)begin);
    stream_close(&stream);
    return is_model;
}

dedpul_status dedpul_model_load_description(const char *path, const dedpul_allocator *allocator,
                                            dedpul_model **model, dedpul_error *error)
{
    const struct loading loading = {.only_described = true, .own = &classifier_plugin};
    return load_file(path, &loading, allocator, model, error);
}
