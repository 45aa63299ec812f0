/* Options by name: values, refusals, presets, settings as text. */
#include "reading.h"
#include "resolve.h"
#include "support.h"

#include <stdio.h>

enum { LINE_SIZE = 200 };

static const char *settings_of(const dedpul_options *options, struct context *memory)
{
    return options_settings(memory, options, options->classifier, memory->arena);
}

static dedpul_status check_options(const dedpul_options *options, dedpul_error *error)
{
    struct resolved resolved;
    return options_resolve(options, &resolved, error);
}

/* Whether the settings hold the line "name=value"; and no other line for the name. */
static void assert_setting(const dedpul_options *options, const char *name, const char *value)
{
    struct context memory;
    char line[LINE_SIZE], start[LINE_SIZE];
    test_context_init(&memory);
    const char *const settings = settings_of(options, &memory);
    assert_non_null(settings);
    (void)snprintf(start, sizeof start, "\n%s=", name);
    (void)snprintf(line, sizeof line, "\n%s=%s\n", name, value);
    char *all = malloc(strlen(settings) + 2); /* each line between two line ends */
    (void)snprintf(all, strlen(settings) + 2, "\n%s", settings);
    assert_contains(all, line);
    const char *const found = strstr(all, start);
    assert_null(strstr(found + 1, start));
    free(all);
    test_context_close(&memory);
}

static void assert_same_settings(const dedpul_options *a, const dedpul_options *b)
{
    struct context memory;
    test_context_init(&memory);
    assert_string_equal(settings_of(a, &memory), settings_of(b, &memory));
    test_context_close(&memory);
}

static void assert_refused(const char *name, const char *value, const char *part)
{
    dedpul_options options, before;
    dedpul_options_init(&options);
    memcpy(&before, &options, sizeof before);
    test_error = (dedpul_error){DEDPUL_OK, ""};
    assert_int_equal(dedpul_options_set(&options, name, value, &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_int_equal(test_error.status, DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, name);
    assert_contains(test_error.message, value);
    assert_contains(test_error.message, part);
    assert_memory_equal(&options, &before, sizeof options); /* nothing was set */
    assert_int_equal(dedpul_options_set(&options, name, value, NULL), DEDPUL_INVALID_ARGUMENT);
}

/* Whatever was there before init, each option has the default that it names. */
static void test_init_sets_all(void **state)
{
    dedpul_options a, b;
    (void)state;
    memset(&a, 0xa5, sizeof a);
    memset(&b, 0x5a, sizeof b);
    dedpul_options_init(&a);
    dedpul_options_init(&b);
    assert_same_settings(&a, &b);
    assert_ok(check_options(&a, &test_error), &test_error);
    for (size_t i = 0; i < dedpul_option_count(); i++) {
        const dedpul_option_info *info = dedpul_option_at(i);
        assert_true(strlen(info->help) > 10 && strlen(info->value) > 0);
        if (strcmp(info->name, "preset") != 0 && strcmp(info->name, "threads") != 0)
            assert_setting(&a, info->name, info->default_value != NULL ? info->default_value : "-");
    }
    assert_null(dedpul_option_at(dedpul_option_count()));
}

/* As the public header says. */
static void test_defaults(void **state)
{
    dedpul_options options;
    (void)state;
    memset(&options, 0xa5, sizeof options);
    dedpul_options_init(&options);
    assert_string_equal(options.method, "pooled");
    assert_int_equal(options.interval, DEDPUL_INTERVAL_OFF);
    assert_int_equal(options.posterior, DEDPUL_POSTERIOR_MEAN);
    assert_int_equal(options.effort, DEDPUL_EFFORT_NORMAL);
    assert_int_equal(options.threads, 0);
    assert_null(options.allocator);
    assert_true(isnan(options.alpha));
    assert_null(options.classifier);
    assert_null(options.plugin);
    assert_int_equal(options.pn, 0);
    assert_int_equal(options.folds, 5);
    assert_int_equal(options.ensemble, 0);
    assert_int_equal(options.stopping, DEDPUL_STOPPING_COMMON);
    assert_int_equal(options.encode, DEDPUL_ENCODE_ONEHOT);
    assert_int_equal(options.scale, DEDPUL_SCALE_RANK);
    assert_string_equal(options.layers, "auto");
    assert_int_equal(options.batch_norm, 1);
    assert_near(options.dropout, 0.5, 0);
    assert_true(isnan(options.rate));
    assert_near(options.decay, 1e-4, 0);
    assert_int_equal(options.pca, 0);
    assert_int_equal(options.batch, 32);
    assert_int_equal(options.epoch_steps, 12);
    assert_int_equal(options.epochs, 250);
    assert_int_equal(options.min_epochs, 8);
    assert_int_equal(options.patience, 15);
    assert_int_equal(options.loss, DEDPUL_LOSS_BRIER);
    assert_near(options.nn_beta, 0, 0);
    assert_near(options.nn_gamma, 1, 0);
    assert_int_equal(options.tree_depth, 4);
    assert_true(isnan(options.tree_rate));
    assert_near(options.tree_l2, 10, 0);
    assert_int_equal(options.tree_rounds, 500);
    assert_int_equal(options.tree_patience, 20);
    assert_null(options.progress);
    assert_null(options.progress_context);
}

/* Values at the ends of what is allowed, too. */
static const char *const good[][2] = {
    {"classifier", "gbdt"},
    {"classifier", "blend"},
    {"classifier", "auto"},
    {"folds", "2"},
    {"folds", "100"},
    {"ensemble", "0"},
    {"ensemble", "100"},
    {"stopping", "each"},
    {"stopping", "common"},
    {"encode", "ordinal"},
    {"scale", "standard"},
    {"scale", "none"},
    {"pca", "0"},
    {"pca", "1000000"},
    {"pn", "on"},
    {"layers", "none"},
    {"layers", "65536"},
    {"layers", "10,20,30,40,50,60,70,80,90"},
    {"layers", "65536,65536,65536,65536,65536,65536,65536,65536,65536"},
    {"batch-norm", "off"},
    {"dropout", "0"},
    {"dropout", "0.99"},
    {"dropout", "0.30000000000000004"}, /* no digit is lost */
    {"rate", "0.002"},
    {"rate", "10"},
    {"rate", "1e-09"},
    {"decay", "0"},
    {"decay", "1"},
    {"batch", "1"},
    {"batch", "1000000"},
    {"epoch-steps", "1"},
    {"epochs", "7"},
    {"min-epochs", "3"},
    {"patience", "1000000"},
    {"loss", "sigmoid"},
    {"loss", "logistic"},
    {"nn-beta", "1"},
    {"nn-gamma", "0"},
    {"pca", "1000000"},
    {"tree-depth", "1"},
    {"tree-depth", "16"},
    {"tree-rate", "1"},
    {"tree-rate", "1e-06"},
    {"tree-l2", "0"},
    {"tree-l2", "1000000"},
    {"tree-rounds", "9"},
    {"tree-patience", "4"},
    {"method", "bbe"},
    {"density", "gmm"},
    {"bandwidth-p", "0.25"},
    {"bandwidth-u", "0.5sd"},
    {"bandwidth-u", "auto"},
    {"smoothing", "paper"},
    {"solver", "em"},
    {"alpha", "0.125"},
    {"resamples", "200"},
    {"level", "0.5"},
    {"bands", "on"},
    {"seed", "18446744073709551615"},
};

static void assert_read_and_written(const char *name, const char *value)
{
    dedpul_options options;
    dedpul_options_init(&options);
    assert_ok(dedpul_options_set(&options, name, value, &test_error), &test_error);
    assert_setting(&options, name, value);
    assert_true(check_options(&options, &test_error) == DEDPUL_OK || strcmp(name, "density") == 0);
}

/* Those above, and of each option its default and its choices. */
static void test_read_and_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(good); i++)
        assert_read_and_written(good[i][0], good[i][1]);
    for (size_t k = 0; k < dedpul_option_count(); k++) {
        const dedpul_option_info *info = dedpul_option_at(k);
        char values[LINE_SIZE], *rest = NULL;
        if (strcmp(info->name, "preset") == 0 || strcmp(info->name, "threads") == 0) /* are not written */
            continue;
        if (info->default_value != NULL)
            assert_read_and_written(info->name, info->default_value);
        (void)snprintf(values, sizeof values, "%s", info->kind == DEDPUL_OPTION_CHOICE ? info->value : "");
        for (char *at = strtok_r(values, "|", &rest); at != NULL; at = strtok_r(NULL, "|", &rest))
            assert_read_and_written(info->name, at);
    }
}

/* Each option sets its own field, and no other one. */
static void test_own_fields(void **state)
{
    dedpul_options options;
    (void)state;
    dedpul_options_init(&options);
#define CHECK(name, value, field, expected)                                             \
    do {                                                                                \
        assert_ok(dedpul_options_set(&options, name, value, &test_error), &test_error); \
        assert_true(options.field == (expected));                                       \
    } while (0)
    CHECK("folds", "7", folds, 7);
    CHECK("ensemble", "8", ensemble, 8);
    CHECK("stopping", "each", stopping, DEDPUL_STOPPING_EACH);
    CHECK("encode", "ordinal", encode, DEDPUL_ENCODE_ORDINAL);
    CHECK("scale", "standard", scale, DEDPUL_SCALE_STANDARD);
    CHECK("scale", "none", scale, DEDPUL_SCALE_NONE);
    CHECK("pn", "on", pn, 1);
    CHECK("batch-norm", "off", batch_norm, 0);
    CHECK("dropout", "0.25", dropout, 0.25);
    CHECK("rate", "0.5", rate, 0.5);
    CHECK("decay", "0.75", decay, 0.75);
    CHECK("batch", "11", batch, 11);
    CHECK("epoch-steps", "13", epoch_steps, 13);
    CHECK("epochs", "14", epochs, 14);
    CHECK("min-epochs", "16", min_epochs, 16);
    CHECK("patience", "17", patience, 17);
    CHECK("tree-depth", "9", tree_depth, 9);
    CHECK("tree-rate", "0.375", tree_rate, 0.375);
    CHECK("tree-l2", "19", tree_l2, 19);
    CHECK("tree-rounds", "21", tree_rounds, 21);
    CHECK("tree-patience", "22", tree_patience, 22);
    CHECK("seed", "23", seed, 23);
    CHECK("threads", "24", threads, 24);
    CHECK("alpha", "0.625", alpha, 0.625);
#undef CHECK
    assert_ok(dedpul_options_set(&options, "classifier", "mlp", &test_error), &test_error);
    assert_string_equal(options.classifier, "mlp");
    assert_ok(dedpul_options_set(&options, "layers", "3,4", &test_error), &test_error);
    assert_string_equal(options.layers, "3,4");
    assert_true(options.folds == 7 && options.ensemble == 8 && options.batch == 11 &&
                options.epoch_steps == 13 && options.epochs == 14 && options.min_epochs == 16 &&
                options.patience == 17 && options.tree_depth == 9 && options.tree_rounds == 21 &&
                options.tree_patience == 22 && options.dropout == 0.25 && options.rate == 0.5 &&
                options.decay == 0.75 && options.tree_rate == 0.375 && options.tree_l2 == 19 &&
                options.stopping == DEDPUL_STOPPING_EACH && options.encode == DEDPUL_ENCODE_ORDINAL &&
                options.pn == 1 && options.batch_norm == 0);
}

static void test_refused(void **state)
{
    static const char *const cases[][3] = {
        {"folds", "1", "whole number from 2 to 100"},
        {"folds", "101", "whole number from 2 to 100"},
        {"folds", "4294967298", "whole number"}, /* 2, were it cut to 32 bits */
        {"folds", "5.0", "whole number"},
        {"folds", "-5", "whole number"},
        {"folds", "", "whole number"},
        {"ensemble", "101", "from 0 to 100"},
        {"stopping", "never", "common|each"},
        {"stopping", "commo", "common|each"},
        {"stopping", "common|each", "common|each"},
        {"encode", "hot", "onehot|ordinal"},
        {"scale", "Rank", "rank|standard|none"},
        {"pn", "1", "off|on"},
        {"batch-norm", "yes", "off|on"},
        {"layers", "512,", "at most 9 widths from 1 to 65536"},
        {"layers", "", "at most"},
        {"layers", "0", "at most"},
        {"layers", "65537", "at most"},
        {"layers", "1,2,3,4,5,6,7,8,9,10", "at most"},
        {"layers", "0000000000000512", "at most"}, /* too long, not 51 */
        {"layers", "512 512", "at most"},
        {"dropout", "1", "a share from 0 to 0.99"},
        {"dropout", "-0.1", "a share"},
        {"dropout", "nan", "a share"},
        {"dropout", "half", "a share"},
        {"rate", "0", "a number from 1e-9 to 10"},
        {"rate", "inf", "a number"},
        {"rate", "nan", "a number"},
        {"rate", "-", "a number"},
        {"decay", "1.5", "from 0 to 1"},
        {"batch", "0", "from 1 to 1000000"},
        {"batch", "1000001", "from 1 to 1000000"},
        {"epoch-steps", "0", "from 1"},
        {"epochs", "0", "from 1"},
        {"min-epochs", "0", "from 1"},
        {"patience", "0", "from 1"},
        {"tree-depth", "17", "from 1 to 16"},
        {"tree-depth", "0", "from 1 to 16"},
        {"tree-rate", "0", "from 1e-6 to 1"},
        {"tree-l2", "-1", "from 0 to 1e6"},
        {"tree-rounds", "0", "from 1"},
        {"tree-patience", "0", "from 1"},
        {"preset", "papers", "default|paper"},
        {"classifier", "mlpp", "did you mean 'mlp'?"},
        {"classifier", "-", "unknown classifier '-'"},
        {"alpha", "2", "between 0 and 1"},
        {"method", "dedpool", "did you mean 'dedpul'?"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++)
        assert_refused(cases[i][0], cases[i][1], cases[i][2]);
    assert_int_equal(dedpul_options_set(NULL, "folds", "5", &test_error), DEDPUL_INVALID_ARGUMENT);
    assert_contains(test_error.message, "must not be NULL");
}

/* Suggestions come from all options that a fit has. */
static void test_unknown_names(void **state)
{
    static const char *const cases[][2] = {
        {"ensemle", "unknown option 'ensemle'; did you mean 'ensemble'?"},
        {"sed", "did you mean 'seed'?"},
        {"bandwith-p", "did you mean 'bandwidth-p'?"},
        {"tree_depth", "did you mean 'tree-depth'?"},
        {"xyzzyxyzzy", "there are 'preset', 'effort', 'classifier', 'folds'"},
    };
    dedpul_options options;
    (void)state;
    dedpul_options_init(&options);
    for (size_t i = 0; i < LENGTH(cases); i++) {
        assert_int_equal(dedpul_options_set(&options, cases[i][0], "1", &test_error),
                         DEDPUL_INVALID_ARGUMENT);
        assert_contains(test_error.message, cases[i][1]);
        assert_contains(test_error.message, "'tree-patience', 'method', ");
        assert_contains(test_error.message, "'seed', 'threads'");
    }
}

static void test_preset(void **state)
{
    dedpul_options options, standard;
    (void)state;
    dedpul_options_init(&standard);
    dedpul_options_init(&options);
    assert_ok(dedpul_options_set(&options, "preset", "default", &test_error), &test_error);
    assert_same_settings(&options, &standard);
    assert_ok(dedpul_options_set(&options, "preset", "paper", &test_error), &test_error);
    assert_setting(&options, "encode", "ordinal");
    assert_setting(&options, "scale", "standard");
    assert_setting(&options, "ensemble", "1");
    assert_setting(&options, "stopping", "each");
    assert_setting(&options, "dropout", "0");
    assert_setting(&options, "epoch-steps", "1");
    assert_setting(&options, "min-epochs", "1");
    assert_setting(&options, "patience", "7");
    assert_setting(&options, "tree-depth", "8");
    assert_setting(&options, "tree-rate", "0.02");
    assert_setting(&options, "tree-patience", "25");
    assert_setting(&options, "classifier", "mlp");
    assert_setting(&options, "layers", "512,512");
    assert_setting(&options, "rate", "0.0001");
    assert_setting(&options, "batch", "64");
    assert_setting(&options, "bandwidth-p", "0.1sd");
    assert_setting(&options, "bandwidth-u", "0.05sd");
    assert_setting(&options, "folds", "5"); /* all others as they were */
    assert_setting(&options, "method", "dedpul");
    assert_ok(check_options(&options, &test_error), &test_error);
    assert_ok(dedpul_options_set(&options, "ensemble", "4", &test_error), &test_error);
    assert_setting(&options, "ensemble", "4"); /* what comes later wins */
    options.density = "gmm";                   /* it does without the preset's bandwidths */
    assert_ok(check_options(&options, &test_error), &test_error);
    options.density = "kde";
    assert_setting(&options, "encode", "ordinal");
    assert_ok(dedpul_options_set(&options, "preset", "default", &test_error), &test_error);
    assert_same_settings(&options, &standard);
}

/* Fields set directly. */
static void test_check(void **state)
{
    static const dedpul_classifier no_train = {.size = sizeof no_train, .name = "mine"};
    char long_layers[200] = "512,512,512,512,512,512,512,512,512,512,512,512,512,512,512,512,512,512,512,512";
    dedpul_options options;
    (void)state;
#define CHECK(change, text)                                                              \
    do {                                                                                 \
        dedpul_options_init(&options);                                                   \
        options.change;                                                                  \
        test_error = (dedpul_error){DEDPUL_OK, ""};                                      \
        assert_int_equal(check_options(&options, &test_error), DEDPUL_INVALID_ARGUMENT); \
        assert_contains(test_error.message, text);                                       \
    } while (0)
    CHECK(folds = 1, "folds: '1' is not a whole number from 2 to 100");
    CHECK(folds = 0, "folds: '0'");
    CHECK(ensemble = 101, "ensemble: '101'");
    CHECK(stopping = (dedpul_stopping)2, "stopping: '2' is not common|each");
    CHECK(stopping = (dedpul_stopping)9, "stopping: '9' is not common|each");
    CHECK(encode = (dedpul_encode)2, "encode: '2' is not onehot|ordinal");
    CHECK(scale = (dedpul_scale)3, "scale: '3' is not rank|standard|none");
    CHECK(scale = (dedpul_scale)100000, "scale: '100000'");
    CHECK(pn = -1, "pn: '-1' is not off|on");
    CHECK(batch_norm = 2, "batch-norm: '2' is not off|on");
    CHECK(dropout = NAN, "dropout: 'nan' is not a share from 0 to 0.99");
    CHECK(dropout = 0.9900000000000002, "dropout: '0.9900000000000002'");
    CHECK(dropout = -0.5, "dropout: '-0.5'");
    CHECK(rate = INFINITY, "rate: 'inf'");
    CHECK(rate = 0, "rate: '0'");
    CHECK(decay = NAN, "decay: 'nan'");
    CHECK(decay = -INFINITY, "decay: '-inf'");
    CHECK(batch = 0, "batch: '0'");
    CHECK(batch = UINT32_MAX, "batch: '4294967295'");
    CHECK(epoch_steps = 0, "epoch-steps: '0'");
    CHECK(epochs = 0, "epochs: '0'");
    CHECK(min_epochs = 0, "min-epochs: '0'");
    CHECK(patience = 0, "patience: '0'");
    CHECK(tree_depth = 17, "tree-depth: '17'");
    CHECK(tree_rate = 2, "tree-rate: '2'");
    CHECK(effort = (dedpul_effort)3, "effort");
    CHECK(tree_l2 = -1, "tree-l2: '-1'");
    CHECK(tree_rounds = 0, "tree-rounds: '0'");
    CHECK(tree_patience = 0, "tree-patience: '0'");
    CHECK(layers = NULL, "layers must not be NULL");
    CHECK(layers = "a", "layers: 'a'");
    CHECK(layers = "-", "layers: '-'");
    CHECK(layers = long_layers, "layers: '512,512");
    CHECK(classifier = "forest", "unknown classifier 'forest'");
    CHECK(classifier = "-", "unknown classifier '-'");
    CHECK(plugin = &no_train, "plugin's name, train");
    CHECK(method = "x", "unknown method 'x'");
    CHECK(alpha = -1, "alpha");
#undef CHECK
    dedpul_options_init(&options);
    options.rate = NAN; /* not given, as the classifier */
    assert_ok(check_options(&options, &test_error), &test_error);
}

/* One line for each option, and none for threads, which do not decide about results. */
static void test_settings(void **state)
{
    dedpul_options options;
    struct context memory;
    size_t lines = 0;
    (void)state;
    dedpul_options_init(&options);
    options.threads = 3;
    test_context_init(&memory);
    const char *const settings = settings_of(&options, &memory);
    assert_non_null(settings);
    for (const char *at = settings; *at != '\0'; at++)
        lines += *at == '\n';
    assert_int_equal(lines, dedpul_option_count() - 2); /* preset, threads */
    assert_null(strstr(settings, "threads"));
    assert_null(strstr(settings, "preset"));
    assert_true(strncmp(settings, "effort=normal\nclassifier=-\nfolds=5\n", 35) == 0);
    test_context_close(&memory);
    for (size_t fails_at = 0; fails_at < 3; fails_at++) {
        struct failing failing = {.fails_at = fails_at};
        const dedpul_allocator allocator = {&failing, failing_resize};
        test_context_open(&memory, &allocator, &test_error);
        assert_null(settings_of(&options, &memory));
        test_context_close(&memory);
        assert_int_equal(failing.blocks, 0);
    }
}

static void test_classifiers(void **state)
{
    const size_t n = dedpul_classifier_count();
    (void)state;
    assert_true(n >= 4);
    for (size_t i = 0; i < n; i++) {
        dedpul_options options;
        dedpul_options_init(&options);
        assert_true(strlen(dedpul_classifier_summary(i)) > 10);
        assert_ok(dedpul_options_set(&options, "classifier", dedpul_classifier_name(i), &test_error),
                  &test_error);
        assert_ok(check_options(&options, &test_error), &test_error);
    }
    assert_null(dedpul_classifier_name(n));
    assert_null(dedpul_classifier_summary(n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_init_sets_all),    cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_read_and_written), cmocka_unit_test(test_own_fields),
        cmocka_unit_test(test_refused),          cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_preset),           cmocka_unit_test(test_check),
        cmocka_unit_test(test_settings),         cmocka_unit_test(test_classifiers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
