#include "plugin.h"

#include "balance.h"
#include "parallel.h"
#include "rng.h"
#include "sized.h"

#include <math.h>
#include <string.h>

struct plugin_set {
    const struct training *training;
    const dedpul_classifier *plugin;
    void **model;       /* (n_members) */
    bool *has_model;    /* (n_members) */
    const bool *active; /* (n_members) in the present call */
};

struct plugin_model {
    dedpul_classifier plugin; /* copied, with its name: the model outlives the options of the fit */
    size_t width;
    void *model;
};

static dedpul_status call_failed(struct context *context, const dedpul_classifier *plugin,
                                 const char *function, int code)
{
    char name[QUOTE_SIZE];
    return error_set(context->error, DEDPUL_INVALID_DATA, "classifier %s: %s failed with code %d",
                     quote_text(name, plugin->name, strlen(plugin->name)), function, code);
}

static dedpul_status score_rows(struct context *context, const dedpul_classifier *plugin, const void *model,
                                size_t n, size_t width, const float *x, double *logit)
{
    char name[QUOTE_SIZE];
    const int code = plugin->score(plugin->context, model, n, width, x, logit);
    if (code != 0)
        return call_failed(context, plugin, "score", code);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(logit[i]))
            return error_set(context->error, DEDPUL_INVALID_DATA, "classifier %s: score gave the logit %g",
                             quote_text(name, plugin->name, strlen(plugin->name)), logit[i]);
    return DEDPUL_OK;
}

/* ---- training ---- */

static struct schedule plugin_schedule(const struct examples *examples,
                                       const struct training_settings *settings)
{
    static const unsigned partitions[N_EFFORTS] = {1, 3, 6};
    (void)examples;
    return (struct schedule){
        .fewest = 1, .most = 1, .patience = 1, .partitions = partitions_of(settings, partitions)};
}

static dedpul_status plugin_create(struct context *context, const struct training *training, void **out)
{
    struct plugin_set *set = context_allocate(context, 1, sizeof *set);
    void **model = context_allocate(context, training->n_members, sizeof *model);
    bool *has_model = context_allocate(context, training->n_members, sizeof *has_model);
    if (set == NULL || model == NULL || has_model == NULL)
        return DEDPUL_NO_MEMORY;
    *set = (struct plugin_set){
        .training = training,
        .plugin = (const dedpul_classifier *)training->settings->plugin,
        .model = model,
        .has_model = has_model,
    };
    for (size_t i = 0; i < training->n_members; i++)
        has_model[i] = false;
    *out = set;
    return DEDPUL_OK;
}

static dedpul_status gather_examples(struct context *context, const struct training *training, size_t member,
                                     dedpul_examples *learned)
{
    const struct examples *examples = training->examples;
    struct balance balance;
    TRY(balance_member(context, training, member, &balance));
    float *x = context_allocate(context, balance.n * examples->width, sizeof *x);
    unsigned char *label = context_allocate(context, balance.n, sizeof *label);
    double *weight = context_allocate(context, balance.n, sizeof *weight);
    if (x == NULL || label == NULL || weight == NULL)
        return DEDPUL_NO_MEMORY;
    size_t n = 0;
    for (size_t i = 0; i < examples->n; i++) {
        const uint32_t row = (uint32_t)example_row(examples, i);
        const double share = balanced_weight(training, member, &balance, i);
        if (share > 0) {
            examples_gather(examples, 1, &row, x + n * examples->width);
            label[n] = examples->label[i];
            weight[n] = share;
            n++;
        }
    }
    struct rng rng;
    rng_init(&rng, context->seed, rng_stream(STREAM_PLUGIN, member));
    const uint64_t upper_half = (uint64_t)rng_next(&rng) << 32;
    *learned = (dedpul_examples){n, examples->width, x, label, weight, upper_half | rng_next(&rng)};
    return DEDPUL_OK;
}

static void free_member(struct plugin_set *set, size_t index)
{
    if (set->has_model[index])
        set->plugin->free(set->plugin->context, set->model[index]);
    set->has_model[index] = false;
}

static dedpul_status train_member(struct context *context, void *argument, size_t index)
{
    struct plugin_set *set = argument;
    dedpul_examples learned;
    if (!set->active[index])
        return DEDPUL_OK;
    TRY(gather_examples(context, set->training, index, &learned));
    free_member(set, index);
    const int code = set->plugin->train(set->plugin->context, &learned, &set->model[index]);
    if (code != 0)
        return call_failed(context, set->plugin, "train", code);
    set->has_model[index] = true;
    return DEDPUL_OK;
}

static dedpul_status plugin_advance(struct context *context, void *argument, const bool *active)
{
    struct plugin_set *set = argument;
    set->active = active;
    return parallel_for(context, set->training->n_members, train_member, set);
}

static dedpul_status watch_member(struct context *context, void *argument, size_t index)
{
    struct plugin_set *set = argument;
    const struct examples *examples = set->training->examples;
    const struct member *member = &set->training->member[index];
    if (!set->active[index])
        return DEDPUL_OK;
    float *x = context_allocate(context, member->n_watched * examples->width, sizeof *x);
    if (x == NULL)
        return DEDPUL_NO_MEMORY;
    examples_gather(examples, member->n_watched, member->watched, x);
    return score_rows(context, set->plugin, set->model[index], member->n_watched, examples->width, x,
                      member->logit);
}

static dedpul_status plugin_watch(struct context *context, void *argument, const bool *active)
{
    struct plugin_set *set = argument;
    set->active = active;
    return parallel_for(context, set->training->n_members, watch_member, set);
}

/* There is only one state, so there is nothing to keep. */
static dedpul_status plugin_keep(struct context *context, void *set, const bool *which)
{
    (void)context, (void)set, (void)which;
    return DEDPUL_OK;
}

static struct plugin_model *allocate_model(struct context *context, const dedpul_classifier *plugin,
                                           size_t width, struct arena *memory)
{
    const size_t size = strlen(plugin->name) + 1;
    struct plugin_model *model = context_allocate_in(context, memory, 1, sizeof *model);
    char *name = context_allocate_in(context, memory, size, 1);
    if (model == NULL || name == NULL)
        return NULL;
    memcpy(name, plugin->name, size);
    *model = (struct plugin_model){.plugin = *plugin, .width = width};
    model->plugin.name = name;
    return model;
}

static dedpul_status plugin_finish(struct context *context, void *argument, size_t index,
                                   struct arena *memory, void **out)
{
    struct plugin_set *set = argument;
    struct plugin_model *model = allocate_model(context, set->plugin, set->training->examples->width, memory);
    if (model == NULL)
        return DEDPUL_NO_MEMORY;
    model->model = set->model[index];
    set->has_model[index] = false;
    *out = model;
    return DEDPUL_OK;
}

static void plugin_destroy(void *argument)
{
    struct plugin_set *set = argument;
    for (size_t i = 0; set != NULL && i < set->training->n_members; i++)
        free_member(set, i);
}

/* ---- models ---- */

static dedpul_status plugin_score(struct context *context, const void *argument, size_t n, const float *x,
                                  double *logit)
{
    const struct plugin_model *model = argument;
    return score_rows(context, &model->plugin, model->model, n, model->width, x, logit);
}

static dedpul_status plugin_save(struct context *context, const void *argument, struct bytes *bytes)
{
    const struct plugin_model *model = argument;
    const dedpul_classifier *plugin = &model->plugin;
    char name[QUOTE_SIZE];
    (void)quote_text(name, plugin->name, strlen(plugin->name));
    if (plugin->save == NULL)
        return error_set(context->error, DEDPUL_INVALID_ARGUMENT,
                         "classifier %s: its models cannot be saved, as it has no save function", name);
    const size_t size = plugin->save(plugin->context, model->model, NULL);
    unsigned char *data = context_allocate(context, size, 1);
    if (data == NULL)
        return DEDPUL_NO_MEMORY;
    const size_t written = plugin->save(plugin->context, model->model, data);
    if (written != size)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "classifier %s: save gave the size %zu first and then %zu", name, size, written);
    bytes_put_text(bytes, plugin->name);
    bytes_put_u64(bytes, size);
    bytes_put(bytes, size, data);
    return bytes->failed ? DEDPUL_NO_MEMORY : DEDPUL_OK;
}

/* A model that is only described has no functions, and nothing to free. */
static dedpul_status plugin_load(struct context *context, const struct loading *loading,
                                 struct bytes_reader *bytes, struct arena *memory, void **out)
{
    char quoted[QUOTE_SIZE];
    const dedpul_classifier *plugin = (const dedpul_classifier *)loading->plugin;
    const char *name = bytes_get_text(context, bytes, memory);
    if (name == NULL)
        return DEDPUL_NO_MEMORY;
    const size_t size = bytes_get_count(bytes, 1);
    const unsigned char *data = bytes_get(bytes, size);
    if (bytes->failed)
        return error_set(context->error, DEDPUL_INVALID_DATA, "the classifier of the model is damaged");
    if (loading->only_described) {
        const dedpul_classifier described = {.name = name};
        *out = allocate_model(context, &described, loading->width, memory);
        return *out != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
    }
    if (plugin == NULL || strcmp(plugin->name, name) != 0)
        return error_set(context->error, DEDPUL_INVALID_ARGUMENT,
                         "the model was fitted with your own classifier %s; give it to "
                         "dedpul_model_load",
                         quote_text(quoted, name, strlen(name)));
    if (plugin->load == NULL)
        return error_set(context->error, DEDPUL_INVALID_ARGUMENT,
                         "classifier %s: its models cannot be loaded, as it has no load function",
                         quote_text(quoted, name, strlen(name)));
    struct plugin_model *model = allocate_model(context, plugin, loading->width, memory);
    if (model == NULL)
        return DEDPUL_NO_MEMORY;
    const int code = plugin->load(plugin->context, size, data, &model->model);
    if (code != 0)
        return call_failed(context, plugin, "load", code);
    *out = model;
    return DEDPUL_OK;
}

static void plugin_close(void *argument)
{
    struct plugin_model *model = argument;
    if (model != NULL && model->plugin.free != NULL)
        model->plugin.free(model->plugin.context, model->model);
}

dedpul_status plugin_read(const dedpul_classifier *given, dedpul_classifier *classifier, dedpul_error *error)
{
    *classifier = (dedpul_classifier){.name = NULL};
    TRY(sized_read("plugin", given, SIZE_UP_TO(dedpul_classifier, load), sizeof *classifier, classifier,
                   error));
    if (classifier->name == NULL || classifier->train == NULL || classifier->score == NULL ||
        classifier->free == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the plugin's name, train, score and free must not be NULL");
    return DEDPUL_OK;
}

static const char *plugin_model_name(const void *model)
{
    return ((const struct plugin_model *)model)->plugin.name;
}

const struct classifier classifier_plugin = {
    .name = "plugin",
    .summary = "your own classifier",
    .model_name = plugin_model_name,
    .schedule = plugin_schedule,
    .create = plugin_create,
    .advance = plugin_advance,
    .watch = plugin_watch,
    .keep = plugin_keep,
    .finish = plugin_finish,
    .destroy = plugin_destroy,
    .score = plugin_score,
    .save = plugin_save,
    .load = plugin_load,
    .close = plugin_close,
};
