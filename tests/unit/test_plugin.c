/* Classifiers of the user's own. */
#include "blobs.h"
#include "plugin.h"

#include <stdatomic.h>

/* The mean difference of the classes in each column. */

struct plug {
    int train_code, score_code, load_code;
    size_t fails_at; /* examples' seeds seen before train_code is returned */
    double infinite; /* what is added to each logit */
    atomic_size_t trained, models;
    bool sizes_differ;
};

struct means {
    size_t width;
    double slope[WIDTH];
};

static int plug_train(void *context, const dedpul_examples *examples, void **model)
{
    struct plug *plug = context;
    double total[2] = {0, 0};
    if (atomic_fetch_add(&plug->trained, 1) >= plug->fails_at)
        return plug->train_code;
    struct means *means = calloc(1, sizeof *means);
    means->width = examples->width;
    for (size_t i = 0; i < examples->n; i++) {
        const double weight = examples->weight[i] * (examples->label[i] == 1 ? 1 : -1);
        total[examples->label[i]] += examples->weight[i];
        for (size_t j = 0; j < examples->width; j++)
            if (!isnan(examples->x[i * examples->width + j]))
                means->slope[j] += weight * (double)examples->x[i * examples->width + j];
    }
    assert_near(total[0], total[1], 1e-9 * total[0]);
    atomic_fetch_add(&plug->models, 1);
    *model = means;
    return 0;
}

static int plug_score(void *context, const void *model, size_t n, size_t width, const float *x, double *logit)
{
    const struct plug *plug = context;
    const struct means *means = model;
    assert_int_equal(width, means->width);
    for (size_t i = 0; i < n; i++) {
        logit[i] = plug->infinite;
        for (size_t j = 0; j < width; j++)
            if (!isnan(x[i * width + j]))
                logit[i] += means->slope[j] * (double)x[i * width + j];
    }
    return plug->score_code;
}

static void plug_free(void *context, void *model)
{
    struct plug *plug = context;
    atomic_fetch_sub(&plug->models, 1);
    free(model);
}

static size_t plug_save(void *context, const void *model, void *bytes)
{
    const struct plug *plug = context;
    if (bytes == NULL)
        return sizeof(struct means);
    memcpy(bytes, model, sizeof(struct means));
    return sizeof(struct means) - plug->sizes_differ;
}

static int plug_load(void *context, size_t size, const void *bytes, void **model)
{
    struct plug *plug = context;
    if (plug->load_code != 0)
        return plug->load_code;
    assert_int_equal(size, sizeof(struct means));
    *model = malloc(size);
    memcpy(*model, bytes, size);
    atomic_fetch_add(&plug->models, 1);
    return 0;
}

static dedpul_classifier plug_make(struct plug *plug)
{
    *plug = (struct plug){.fails_at = SIZE_MAX};
    return (dedpul_classifier){
        sizeof(dedpul_classifier), "means", plug, plug_train, plug_score, plug_free, plug_save, plug_load};
}

static void test_plugin(void **state)
{
    struct blobs *blobs = blobs_make(200, 300);
    struct context context;
    struct plug plug;
    dedpul_classifier plugin = plug_make(&plug);
    struct bytes bytes;
    void *set = NULL, *model[MEMBERS] = {NULL}, *loaded = NULL;
    double logit[MOST_ROWS] = {0}, again[MOST_ROWS];
    (void)state;
    blobs->settings.plugin = plugin_of(&plugin);
    test_context_init(&context);
    context.threads = 2;
    assert_int_equal(classifier_plugin.schedule(&blobs->examples, &blobs->settings).most, 1);
    assert_ok(train(&context, &classifier_plugin, &blobs->training, 1, 1, &set, model), &test_error);
    classifier_plugin.destroy(set);
    assert_int_equal(plug.models, MEMBERS); /* handed over */
    logits_by_row(blobs, logit);
    assert_true(auc_of(blobs, logit) > 0.75);
    assert_ok(classifier_plugin.score(&context, model[0], blobs->n, blobs->x, logit), &test_error);
    assert_near(logit[0], blobs->logit[0][0], 0);

    bytes_init(&bytes, &context);
    assert_ok(classifier_plugin.save(&context, model[0], &bytes), &test_error);
    struct bytes_reader reader = {bytes.data, bytes.size, false};
    const struct loading loading = {.width = WIDTH, .plugin = plugin_of(&plugin)};
    assert_ok(classifier_plugin.load(&context, &loading, &reader, context.arena, &loaded), &test_error);
    assert_int_equal(reader.size, 0);
    plugin.name = "gone"; /* the model has its own copy */
    assert_ok(classifier_plugin.score(&context, loaded, blobs->n, blobs->x, again), &test_error);
    assert_memory_equal(logit, again, blobs->n * sizeof *logit);
    classifier_plugin.close(loaded);
    close_all(&classifier_plugin, NULL, model);
    assert_int_equal(plug.models, 0);
    test_context_close(&context);
    free(blobs);
}

static void refuse_plugin(struct blobs *blobs, struct plug *plug, const char *message)
{
    struct context context;
    void *set = NULL, *model[MEMBERS] = {NULL};
    test_context_init(&context);
    assert_int_equal(train(&context, &classifier_plugin, &blobs->training, 1, 1, &set, model),
                     DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, message);
    close_all(&classifier_plugin, set, model);
    assert_int_equal(plug->models, 0);
    test_context_close(&context);
}

static void test_plugin_training_fails(void **state)
{
    struct blobs *blobs = blobs_make(20, 30);
    struct plug plug;
    dedpul_classifier plugin = plug_make(&plug);
    (void)state;
    blobs->settings.plugin = plugin_of(&plugin);
    plug.train_code = 3;
    plug.fails_at = 1; /* one model is there already */
    refuse_plugin(blobs, &plug, "classifier 'means': train failed with code 3");
    plugin = plug_make(&plug);
    plug.score_code = -1;
    refuse_plugin(blobs, &plug, "classifier 'means': score failed with code -1");
    plugin = plug_make(&plug);
    plug.infinite = INFINITY;
    refuse_plugin(blobs, &plug, "classifier 'means': score gave the logit inf");
    plugin = plug_make(&plug);
    plug.infinite = NAN;
    refuse_plugin(blobs, &plug, "classifier 'means': score gave the logit");
    free(blobs);
}

static void refuse_load(struct context *context, const struct bytes *bytes, const dedpul_classifier *plugin,
                        const char *message)
{
    struct bytes_reader reader = {bytes->data, bytes->size, false};
    void *loaded = NULL;
    const struct loading loading = {.width = WIDTH, .plugin = plugin_of(plugin)};
    assert_int_not_equal(classifier_plugin.load(context, &loading, &reader, context->arena, &loaded),
                         DEDPUL_OK);
    assert_contains(test_error.message, message);
    assert_null(loaded);
}

static void test_plugin_files_fail(void **state)
{
    struct blobs *blobs = blobs_make(20, 30);
    struct context context;
    struct plug plug;
    dedpul_classifier plugin = plug_make(&plug), other = plugin, mute = plugin;
    struct bytes bytes, none;
    void *set = NULL, *model[MEMBERS] = {NULL};
    (void)state;
    blobs->settings.plugin = plugin_of(&plugin);
    test_context_init(&context);
    assert_ok(train(&context, &classifier_plugin, &blobs->training, 1, 1, &set, model), &test_error);
    bytes_init(&bytes, &context);
    bytes_init(&none, &context);
    assert_ok(classifier_plugin.save(&context, model[0], &bytes), &test_error);
    plug.sizes_differ = true;
    assert_int_equal(classifier_plugin.save(&context, model[0], &none), DEDPUL_INVALID_DATA);
    assert_contains(test_error.message, "save gave the size");
    other.name = "other";
    mute.load = NULL;
    refuse_load(&context, &bytes, NULL, "your own classifier 'means'; give it to dedpul_model_load");
    refuse_load(&context, &bytes, &other, "your own classifier 'means'");
    refuse_load(&context, &bytes, &mute, "no load function");
    plug.load_code = 7;
    refuse_load(&context, &bytes, &plugin, "classifier 'means': load failed with code 7");
    for (size_t size = 0; size < bytes.size; size++) {
        const struct bytes part = {.data = bytes.data, .size = size};
        refuse_load(&context, &part, &plugin, "damaged");
    }
    close_all(&classifier_plugin, set, model);
    set = NULL;
    plugin.save = NULL;
    assert_ok(train(&context, &classifier_plugin, &blobs->training, 1, 1, &set, model), &test_error);
    assert_int_equal(classifier_plugin.save(&context, model[0], &none), DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "classifier 'means': its models cannot be saved");
    assert_int_equal(none.size, 0);
    close_all(&classifier_plugin, set, model);
    assert_int_equal(plug.models, 0);
    test_context_close(&context);
    free(blobs);
}

static void test_plugin_allocations(void **state)
{
    struct plug plug;
    const dedpul_classifier plugin = plug_make(&plug);
    (void)state;
    check_allocations(&classifier_plugin, plugin_of(&plugin));
    assert_int_equal(plug.models, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plugin),
        cmocka_unit_test(test_plugin_training_fails),
        cmocka_unit_test(test_plugin_files_fail),
        cmocka_unit_test(test_plugin_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
