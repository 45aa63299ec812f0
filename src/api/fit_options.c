#include "options.h"

#include "classifier.h"
#include "layers.h"
#include "suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- classifiers, and the two ways to combine them ---- */

static const char *const combined[][2] = {
    {"auto", "the one of these that best tells labeled from unlabeled rows (cross-fitted AUC)"},
    {"blend", "mlp and gbdt together: their z-scored logits averaged"},
};

enum { N_COMBINED = sizeof combined / sizeof combined[0] };

size_t dedpul_classifier_count(void)
{
    return classifier_count() + N_COMBINED;
}

const char *dedpul_classifier_name(size_t index)
{
    const size_t n = classifier_count();
    return index < n ? classifier_at(index)->name : index < n + N_COMBINED ? combined[index - n][0] : NULL;
}

const char *dedpul_classifier_summary(size_t index)
{
    const size_t n = classifier_count();
    return index < n ? classifier_at(index)->summary : index < n + N_COMBINED ? combined[index - n][1] : NULL;
}

static const char *choice_name(const void *list, size_t index)
{
    (void)list;
    return dedpul_classifier_name(index);
}

static dedpul_status find_classifier(const char *name, const char **found, dedpul_error *error)
{
    const size_t index = name_find(choice_name, NULL, dedpul_classifier_count(), name);
    if (index == dedpul_classifier_count()) {
        char hint[NAME_HINT_SIZE];
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "unknown classifier '%s'; %s", name,
                         name_hint(hint, choice_name, NULL, dedpul_classifier_count(), name));
    }
    *found = dedpul_classifier_name(index);
    return DEDPUL_OK;
}

/* ---- types of values ---- */

static dedpul_status read_classifier(const struct option *option, const char *value, void *field,
                                     dedpul_error *error)
{
    (void)option;
    return find_classifier(value, field, error);
}

static dedpul_status read_layers(const struct option *option, const char *value, void *field,
                                 dedpul_error *error)
{
    struct net_shape shape;
    (void)option;
    TRY(layers_read(value, &shape, error));
    *(const char **)field = value;
    return DEDPUL_OK;
}

static void write_text(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE])
{
    const char *value = *(const char *const *)field;
    (void)option;
    (void)snprintf(text, OPTION_TEXT_SIZE, "%s", value != NULL ? value : "-");
}

/* A preset is no field: it sets others, also two of the estimate. */
static const char *const paper[][2] = {
    {"classifier", "mlp"},   {"encode", "ordinal"},    {"scale", "standard"},     {"ensemble", "1"},
    {"stopping", "each"},    {"layers", "512,512"},    {"dropout", "0"},          {"epoch-steps", "1"},
    {"min-epochs", "1"},     {"patience", "7"},        {"tree-depth", "8"},       {"tree-rate", "0.02"},
    {"tree-patience", "25"}, {"bandwidth-p", "0.1sd"}, {"bandwidth-u", "0.05sd"},
};

static dedpul_status read_preset(const struct option *option, const char *value, void *field,
                                 dedpul_error *error);

static void write_preset(const struct option *option, const void *field, char text[OPTION_TEXT_SIZE])
{
    (void)option;
    (void)field;
    text[0] = '\0';
}

static const struct option_type type_classifier = {read_classifier, write_text};
static const struct option_type type_layers = {read_layers, write_text};
static const struct option_type type_preset = {read_preset, write_preset};

/* ---- the table ---- */

#define FIELD(field) offsetof(dedpul_fit_options, field)
#define WHOLE(name, standard, field, least, most, help)                                 \
    {                                                                                   \
        {name, "N", standard, help}, &option_whole, FIELD(field), (least), (most), NULL \
    }
#define NUMBER(name, standard, field, least, most, meaning, help)                             \
    {                                                                                         \
        {name, "X", standard, help}, &option_number, FIELD(field), (least), (most), (meaning) \
    }
#define CHOICE(name, choices, standard, field, help)                              \
    {                                                                             \
        {name, choices, standard, help}, &option_choice, FIELD(field), 0, 0, NULL \
    }

static const double most_count = 1e6;

static const struct option entries[] = {
    {{"classifier", "NAME", NULL,
      "Classifier of labeled against unlabeled rows; see the list. Without it, blend; mlp for a single "
      "feature, conv for images, gbdt where networks would take too long."},
     &type_classifier,
     FIELD(classifier),
     0,
     0,
     NULL},
    {{"preset", "default|paper", NULL,
      "Sets several options at once, before all others: paper is the published protocol (mlp, one network "
      "per fold, stopped on its own fold, ordinal codes, narrower kernels)."},
     &type_preset,
     0,
     0,
     0,
     NULL},
    WHOLE("folds", "5", folds, 2, 100,
          "Folds of cross-fitting: each row is scored by models that have not seen it."),
    WHOLE("ensemble", "3", ensemble, 1, 100,
          "Partitions of the rows into folds, each with models of its own, whose logits are averaged. "
          "From 100,000 rows on, gbdt makes do with one."),
    CHOICE("stopping", "common|each", "common", stopping,
           "Training ends for all models at the epoch with the lowest loss of their averaged held-out "
           "logits, or for each on its own fold."),
    CHOICE("encode", "onehot|ordinal", "onehot", encode,
           "Text columns: a feature per level (where there are more than 2), or the level's number."),
    CHOICE("scale", "rank|standard|none", "rank", scale,
           "Numbers: normal quantiles of ranks (where there are at least 10 distinct values), mean 0 and "
           "deviation 1, or as they are."),
    WHOLE("pca", "0", pca, 0, most_count,
          "km1, km2 and tice look at this many principal components of the features; 0: at all features."),
    CHOICE("pn", "off|on", "off", pn,
           "Also train a classifier of positives against negatives on the result, for 'predict --pn'."),
    {{"layers", "N,N,...", "auto",
      "Widths of a network's hidden layers, or 'none'. auto is 512,512; for a single feature, one layer of "
      "64 without batch norm and dropout."},
     &type_layers,
     FIELD(layers),
     0,
     0,
     NULL},
    CHOICE("batch-norm", "off|on", "on", batch_norm, "Batch norm in hidden layers."),
    NUMBER("dropout", "0.5", dropout, 0, 0.99, "a share from 0 to 0.99",
           "Share of hidden activations dropped in training."),
    NUMBER("rate", NULL, rate, 1e-9, 10, "a number from 1e-9 to 10",
           "Learning rate of networks: 1e-4; 1e-3 for a single feature (with --layers auto), 1e-2 for "
           "logistic."),
    NUMBER("decay", "0.0001", decay, 0, 1, "a number from 0 to 1", "L2 decay of networks."),
    WHOLE("batch", "64", batch, 1, most_count, "Rows of each class in a step of training."),
    WHOLE("epoch-steps", "12", epoch_steps, 1, most_count, "An epoch has at least so many steps."),
    WHOLE("epochs", "250", epochs, 1, most_count, "Epochs at most."),
    WHOLE("min-epochs", "8", min_epochs, 1, most_count, "Epochs at least."),
    WHOLE("patience", "15", patience, 1, most_count,
          "Epochs without a lower loss after which training ends."),
    CHOICE("loss", "sigmoid|brier|logistic", "brier", loss, "Loss of nnpu and upu."),
    NUMBER("nn-beta", "0", nn_beta, 0, 1, "a number from 0 to 1",
           "nnpu steps back where its risk of negatives is below minus this."),
    NUMBER("nn-gamma", "1", nn_gamma, 0, 1, "a number from 0 to 1", "Factor of nnpu's steps back."),
    WHOLE("tree-depth", "5", tree_depth, 1, 16, "Depth of boosted trees."),
    NUMBER("tree-rate", "0.05", tree_rate, 1e-6, 1, "a number from 1e-6 to 1", "Learning rate of boosting."),
    NUMBER("tree-l2", "10", tree_l2, 0, 1e6, "a number from 0 to 1e6", "L2 penalty of boosting."),
    WHOLE("tree-rounds", "500", tree_rounds, 1, most_count, "Rounds of boosting at most."),
    WHOLE("tree-patience", "20", tree_patience, 1, most_count,
          "Rounds without a lower loss after which boosting ends."),
};

static const struct option_table fit_table = {sizeof entries / sizeof entries[0], entries};

/* Of the options in this table. */
static void set_defaults(dedpul_fit_options *options)
{
    options->classifier = NULL;
    options->rate = NAN;
    option_table_defaults(&fit_table, options);
}

static dedpul_status read_preset(const struct option *option, const char *value, void *field,
                                 dedpul_error *error)
{
    const bool is_paper = strcmp(value, "paper") == 0;
    if (!is_paper && strcmp(value, "default") != 0)
        return option_reject(option, value, option->info.value, error);
    dedpul_fit_options *options = field;
    set_defaults(options);
    for (size_t i = 0; i < sizeof paper / sizeof paper[0]; i++) {
        const struct option *of_fit = option_find(&fit_table, paper[i][0]);
        if (of_fit == NULL) {
            const struct option *of_estimate = option_find(&estimation_options, paper[i][0]);
            TRY(option_read(of_estimate, &options->estimate,
                            is_paper ? paper[i][1] : of_estimate->info.default_value, error));
        } else if (is_paper) {
            TRY(option_read(of_fit, options, paper[i][1], error));
        }
    }
    return DEDPUL_OK;
}

size_t dedpul_fit_option_count(void)
{
    return fit_table.n;
}

const dedpul_option_info *dedpul_fit_option_at(size_t index)
{
    return index < fit_table.n ? &entries[index].info : NULL;
}

void dedpul_fit_options_init(dedpul_fit_options *options)
{
    memset(options, 0, sizeof *options);
    dedpul_options_init(&options->estimate);
    set_defaults(options);
}

static const char *any_name(const void *list, size_t index)
{
    (void)list;
    return index < fit_table.n ? entries[index].info.name
                               : estimation_options.option[index - fit_table.n].info.name;
}

dedpul_status dedpul_fit_options_set(dedpul_fit_options *options, const char *name, const char *value,
                                     dedpul_error *error)
{
    if (options == NULL || name == NULL || value == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "options, name and value must not be NULL");
    const struct option *option = option_find(&fit_table, name);
    if (option != NULL)
        return option_read(option, options, value, error);
    if (option_find(&estimation_options, name) != NULL)
        return dedpul_options_set(&options->estimate, name, value, error);
    char hint[NAME_HINT_SIZE];
    return error_set(error, DEDPUL_INVALID_ARGUMENT, "unknown option '%s'; %s", name,
                     name_hint(hint, any_name, NULL, fit_table.n + estimation_options.n, name));
}

/* Each field by the entry that would read it. */
dedpul_status fit_options_check(const dedpul_fit_options *options, dedpul_error *error)
{
    TRY(options_check(&options->estimate, error));
    if (options->layers == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "layers must not be NULL; call dedpul_fit_options_init first");
    struct net_shape shape;
    const char *classifier;
    TRY(layers_read(options->layers, &shape, error));
    if (options->classifier != NULL)
        TRY(find_classifier(options->classifier, &classifier, error));
    for (size_t i = 0; i < fit_table.n; i++) {
        const struct option *option = &entries[i];
        char text[OPTION_TEXT_SIZE];
        dedpul_fit_options copy;
        if (option->type == &type_preset)
            continue;
        option->type->write(option, (const char *)options + option->offset, text);
        if (strcmp(text, "-") != 0 || option->info.default_value != NULL) /* else it is not given */
            TRY(option_read(option, &copy, text, error));
    }
    if (options->plugin != NULL && (options->plugin->name == NULL || options->plugin->train == NULL ||
                                    options->plugin->score == NULL || options->plugin->free == NULL))
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the plugin's name, train, score and free must not be NULL");
    return DEDPUL_OK;
}

static void put_settings(struct bytes *bytes, const struct option_table *table, const void *options)
{
    for (size_t i = 0; i < table->n; i++) {
        const struct option *option = &table->option[i];
        char text[OPTION_TEXT_SIZE];
        if (option->type == &type_preset || strcmp(option->info.name, "threads") == 0)
            continue;
        option->type->write(option, (const char *)options + option->offset, text);
        bytes_put(bytes, strlen(option->info.name), option->info.name);
        bytes_put(bytes, 1, "=");
        bytes_put(bytes, strlen(text), text);
        bytes_put(bytes, 1, "\n");
    }
}

char *fit_options_settings(const dedpul_fit_options *options, struct context *memory)
{
    struct bytes bytes;
    bytes_init(&bytes, memory);
    put_settings(&bytes, &fit_table, options);
    put_settings(&bytes, &estimation_options, &options->estimate);
    bytes_put(&bytes, 1, "");
    return bytes.failed ? NULL : (char *)bytes.data;
}
