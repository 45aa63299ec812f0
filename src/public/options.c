/* The options: their table, defaults and setting, and what they mean as a plan. */
#include "layers.h"
#include "names.h"
#include "option.h"
#include "plugin.h"
#include "sized.h"
#include "suggest.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define FIELD(field) offsetof(dedpul_options, field)
#define ENTRY(name, value, standard, help, kind, least, most, table, type, field, meaning)              \
    {                                                                                                   \
        {name, value, standard, help, DEDPUL_OPTION_##kind, least, most, table}, &(type), FIELD(field), \
            meaning                                                                                     \
    }
#define WHOLE(name, standard, table, field, least, most, help) \
    ENTRY(name, "N", standard, help, WHOLE, least, most, table, option_whole, field, NULL)
#define NUMBER(name, value, standard, table, field, least, most, meaning, help) \
    ENTRY(name, value, standard, help, NUMBER, least, most, table, option_number, field, meaning)
#define CHOICE(name, choices, standard, table, field, help) \
    ENTRY(name, choices, standard, help, CHOICE, 0, 0, table, option_choice, field, NULL)
#define TEXT(name, value, standard, table, type, field, meaning, help) \
    ENTRY(name, value, standard, help, TEXT, 0, 0, table, type, field, meaning)

#define MOST_COUNT 1e6
#define BANDWIDTH_MEANING                                                                              \
    "a positive number (in logits), one with 'sd' after it (a multiple of the standard deviation) or " \
    "'auto'"

/* A preset is not a field: it sets others. */
static const struct option preset = {
    {"preset", "default|paper", NULL,
     "Sets several options at once, before all others: paper is the published protocol (mlp, one network "
     "per fold, stopped on its own fold, ordinal codes, narrower kernels).",
     DEDPUL_OPTION_CHOICE, 0, 0, 1},
    NULL,
    0,
    NULL};

static const struct option entries[] = {
    CHOICE("effort", "low|normal|high", "normal", 1, effort,
           "Work that the fit is worth: low takes half the time, high four times as long. It chooses "
           "layers, ensemble and tree-rate, if they are not given."),
    TEXT("classifier", "NAME", NULL, 1, option_classifier, classifier, NULL,
         "Classifier of labeled against unlabeled rows; see the list. Without it, blend; mlp for a single "
         "feature, conv for images, gbdt if networks would take too long."),
    WHOLE("folds", "5", 1, folds, 2, 100,
          "Folds of cross-fitting: each row is scored by models that have not seen it."),
    WHOLE("ensemble", "0", 1, ensemble, 0, 100,
          "Partitions of the rows into folds, each with models of its own, whose logits are averaged. 0: by "
          "effort 2, 6 or 10 for mlp and logistic, 1, 3 or 5 for gbdt (in a blend 1, 1 or "
          "3), 1, 3 or 6 for conv."),
    CHOICE("stopping", "common|each", "common", 1, stopping,
           "Training ends for all models at the epoch with the lowest loss of their averaged held-out "
           "logits, or for each on its own fold."),
    CHOICE("encode", "onehot|ordinal", "onehot", 1, encode,
           "Text columns: a feature per level (if there are more than 2), or the level's number."),
    CHOICE("scale", "rank|standard|none", "rank", 1, scale,
           "Numbers: normal quantiles of ranks (if there are at least 10 distinct values), mean 0 and "
           "deviation 1, or as they are."),
    WHOLE("pca", "0", 1, pca, 0, MOST_COUNT,
          "km1, km2 and tice look at this many principal components of the features; 0: at all features."),
    CHOICE("pn", "off|on", "off", 1, pn,
           "Also train a classifier of positives against negatives on the result, for 'predict --pn'. The "
           "fit takes 2 to 4 times as long; it pays most where most unlabeled rows are positive."),
    CHOICE("check-labels", "off|on", "off", 1, check_labels,
           "Also check whether the labeled rows may be a random draw of the positives: a p-value, and which "
           "kinds of rows are labeled too often or too rarely. Kinds are looked for, unless they are given."),
    TEXT("layers", "N,N,...", "auto", 1, option_layers, layers,
         "a list of at most 9 widths from 1 to 65536, such as 512,512, nor 'none' or 'auto'",
         "Widths of a network's hidden layers, or 'none'. auto is 32,32, or 64,64 if effort is high; for "
         "a single feature, one layer of 64 without batch norm and dropout."),
    CHOICE("batch-norm", "off|on", "on", 1, batch_norm, "Batch norm in hidden layers."),
    NUMBER("dropout", "X", "0.5", 1, dropout, 0, 0.99, "a share from 0 to 0.99",
           "Share of hidden activations dropped in training."),
    NUMBER("rate", "X", NULL, 1, rate, 1e-9, 10, "a number from 1e-9 to 10",
           "Learning rate of networks: 2e-3; 1e-3 for a single feature (with --layers auto), 1e-2 for "
           "logistic, 1e-4 for conv."),
    NUMBER("decay", "X", "0.0001", 1, decay, 0, 1, "a number from 0 to 1", "L2 decay of networks."),
    WHOLE("batch", "32", 1, batch, 1, MOST_COUNT, "Rows of each class in a step of training."),
    WHOLE("epoch-steps", "12", 1, epoch_steps, 1, MOST_COUNT,
          "An epoch has at least this many steps. It is a pass over the smaller class, but with common "
          "stopping it has at most 200 steps, or as many as this."),
    WHOLE("epochs", "250", 1, epochs, 1, MOST_COUNT, "Epochs at most."),
    WHOLE("min-epochs", "8", 1, min_epochs, 1, MOST_COUNT, "Epochs at least."),
    WHOLE("patience", "15", 1, patience, 1, MOST_COUNT,
          "Epochs without a lower loss after which training ends."),
    CHOICE("loss", "sigmoid|brier|logistic", "brier", 1, loss, "Loss of nnpu and upu."),
    NUMBER("nn-beta", "X", "0", 1, nn_beta, 0, 1, "a number from 0 to 1",
           "nnpu steps back if its risk of negatives is below minus this."),
    NUMBER("nn-gamma", "X", "1", 1, nn_gamma, 0, 1, "a number from 0 to 1", "Factor of nnpu's steps back."),
    WHOLE("tree-depth", "4", 1, tree_depth, 1, 16, "Depth of boosted trees."),
    NUMBER("tree-rate", "X", NULL, 1, tree_rate, 1e-6, 1, "a number from 1e-6 to 1",
           "Learning rate of boosting: 0.2, 0.1 or 0.05 by effort."),
    NUMBER("tree-l2", "X", "10", 1, tree_l2, 0, 1e6, "a number from 0 to 1e6", "L2 penalty of boosting."),
    WHOLE("tree-rounds", "500", 1, tree_rounds, 1, MOST_COUNT, "Rounds of boosting at most."),
    WHOLE("tree-patience", "20", 1, tree_patience, 1, MOST_COUNT,
          "Rounds without a lower loss after which boosting ends."),

    TEXT("method", "NAME", "pooled", 0, option_method, method, NULL,
         "How alpha is estimated; see the list of methods."),
    TEXT("density", "NAME", "kde", 0, option_density, density, NULL,
         "How the densities of scores are estimated; see the list of densities."),
    TEXT("bandwidth-p", "X|Xsd|auto", "0.12sd", 0, option_bandwidth, bandwidth_p, BANDWIDTH_MEANING,
         "Kernel bandwidth for labeled scores: in logits, in standard deviations, or by held-out "
         "likelihood. With gmm and hist, auto chooses the number of components or bins."),
    TEXT("bandwidth-u", "X|Xsd|auto", "0.08sd", 0, option_bandwidth, bandwidth_u, BANDWIDTH_MEANING,
         "The same for unlabeled scores."),
    CHOICE("smoothing", "trend|paper|none", "trend", 0, smoothing,
           "Smoothing of DEDPUL's density ratio: the paper's two steps and the trend, the two steps alone, "
           "or none."),
    CHOICE("solver", "exact|em", "exact", 0, solver, "Root of D(alpha): exact, or by the paper's EM."),
    NUMBER("alpha", "A", NULL, 0, alpha, 0, 1, "a share between 0 and 1",
           "The share of positives, if it is known; posteriors follow from it."),
    WHOLE("resamples", "0", 0, resamples, 0, MOST_COUNT,
          "Number of resamples for an interval by the bootstrap; a number above 0 asks for it. 0: 200, if it "
          "is "
          "asked for otherwise."),
    NUMBER("level", "X", "0.95", 0, level, 0.5, 0.999, "a number from 0.5 to 0.999",
           "Level of the interval: the share of such intervals that should hold the true value."),
    CHOICE("bands", "off|on", "off", 0, bands, "Intervals of posteriors, too, in the file of posteriors."),
    CHOICE("interval", "off|on|bootstrap", "off", 0, interval,
           "An interval of alpha: from alpha's distribution, if the method knows it, otherwise by the "
           "bootstrap; "
           "or always by the bootstrap, from resamples of the rows."),
    CHOICE("posterior", "mean|plain", "mean", 0, posterior,
           "Posteriors of methods that know alpha's distribution: their mean over it, or for alpha alone, "
           "min(scale * ratio, 1)."),
    ENTRY("seed", "N", "0", "Seed of all random numbers.", WHOLE, 0, 18446744073709551615.0, 0, option_seed,
          seed, NULL),
    WHOLE("threads", "0", 0, threads, 0, 65535,
          "Number of threads, 0 for one per processor. Results do not depend on it."),
};

enum { N_ENTRIES = sizeof entries / sizeof entries[0] };

/* The published protocol, where it differs from the defaults. */
static const char *const paper[][2] = {
    {"method", "dedpul"},     {"classifier", "mlp"},     {"encode", "ordinal"}, {"scale", "standard"},
    {"ensemble", "1"},        {"stopping", "each"},      {"layers", "512,512"}, {"dropout", "0"},
    {"rate", "0.0001"},       {"batch", "64"},           {"epoch-steps", "1"},  {"min-epochs", "1"},
    {"patience", "7"},        {"tree-depth", "8"},       {"tree-rate", "0.02"}, {"tree-patience", "25"},
    {"bandwidth-p", "0.1sd"}, {"bandwidth-u", "0.05sd"},
};

enum { N_PAPER = sizeof paper / sizeof paper[0] };

size_t option_count(void)
{
    return N_ENTRIES;
}

const struct option *option_at(size_t index)
{
    return &entries[index];
}

/* The preset stands first, as it comes before all others. */
static const struct option *any_option(size_t index)
{
    return index == 0 ? &preset : &entries[index - 1];
}

size_t dedpul_option_count(void)
{
    return N_ENTRIES + 1;
}

const dedpul_option_info *dedpul_option_at(size_t index)
{
    return index < dedpul_option_count() ? &any_option(index)->info : NULL;
}

static const char *option_name(const void *list, size_t index)
{
    (void)list;
    return any_option(index)->info.name;
}

/* ---- defaults and setting ---- */

void options_default(dedpul_options *options)
{
    *options = (dedpul_options){.size = sizeof *options, .alpha = NAN, .rate = NAN, .tree_rate = NAN};
    for (size_t i = 0; i < N_ENTRIES; i++)
        if (entries[i].info.default_value != NULL)
            (void)option_read(&entries[i], options, entries[i].info.default_value, NULL);
}

void dedpul_options_init_sized(dedpul_options *options, size_t size)
{
    dedpul_options standard;
    options_default(&standard);
    sized_write(&standard, sizeof standard, options, size);
}

/* The options of fits get their defaults, and those of estimates that the paper's protocol sets. */
static dedpul_status set_preset(dedpul_options *options, const char *value, dedpul_error *error)
{
    const bool is_paper = strcmp(value, "paper") == 0;
    dedpul_options standard;
    if (!is_paper && strcmp(value, "default") != 0)
        return option_reject(&preset, value, preset.info.value, error);
    options_default(&standard);
    for (size_t i = 0; i < N_ENTRIES; i++) {
        const struct option *option = &entries[i];
        size_t k = 0;
        while (k < N_PAPER && strcmp(paper[k][0], option->info.name) != 0)
            k++;
        if (option->info.needs_table || k < N_PAPER)
            memcpy((char *)options + option->offset, option_field(option, &standard), option->type->size);
        if (is_paper && k < N_PAPER)
            TRY(option_read(option, options, paper[k][1], error));
    }
    return DEDPUL_OK;
}

/* Whether the program's struct, of that size, has the option's field, or for a preset the fields of all. */
static bool is_in_struct(const struct option *option, size_t size)
{
    size_t end = option != &preset ? option->offset + option->type->size : 0;
    for (size_t i = 0; option == &preset && i < N_ENTRIES; i++)
        if (entries[i].offset + entries[i].type->size > end)
            end = entries[i].offset + entries[i].type->size;
    return end <= size;
}

static dedpul_status set_option(dedpul_options *options, const char *name, const char *value, size_t size,
                                dedpul_error *error)
{
    const size_t n = dedpul_option_count(), index = name_find(option_name, NULL, n, name);
    if (index == n) {
        char hint[NAME_HINT_SIZE], quoted[QUOTE_SIZE];
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "unknown option %s; %s",
                         quote_text(quoted, name, strlen(name)), name_hint(hint, option_name, NULL, n, name));
    }
    const struct option *option = any_option(index);
    if (!is_in_struct(option, size))
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "option %s needs a newer header than the program was compiled with",
                         option->info.name);
    return option == &preset ? set_preset(options, value, error) : option_read(option, options, value, error);
}

dedpul_status dedpul_options_set(dedpul_options *options, const char *name, const char *value,
                                 dedpul_error *error)
{
    dedpul_options own;
    if (options == NULL || name == NULL || value == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "options, name and value must not be NULL");
    options_default(&own);
    TRY(sized_read("options", options, LEAST_OPTIONS_SIZE, sizeof own, &own, error));
    TRY(set_option(&own, name, value, options->size, error));
    sized_write(&own, sizeof own, options, options->size);
    return DEDPUL_OK;
}

/* ---- from options to plans ---- */

#define SAME(inner, public) _Static_assert((int)(inner) == (int)(public), "enumerations agree")
SAME(SMOOTHING_NONE, DEDPUL_SMOOTHING_NONE);
SAME(SMOOTHING_PAPER, DEDPUL_SMOOTHING_PAPER);
SAME(SOLVER_EM, DEDPUL_SOLVER_EM);
SAME(BANDWIDTH_ABSOLUTE, DEDPUL_BANDWIDTH_ABSOLUTE);
SAME(BANDWIDTH_AUTO, DEDPUL_BANDWIDTH_AUTO);
SAME(EFFORT_LOW, DEDPUL_EFFORT_LOW);
SAME(EFFORT_HIGH, DEDPUL_EFFORT_HIGH);
SAME(STOPPING_EACH, DEDPUL_STOPPING_EACH);
SAME(ENCODE_ORDINAL, DEDPUL_ENCODE_ORDINAL);
SAME(SCALE_STANDARD, DEDPUL_SCALE_STANDARD);
SAME(SCALE_NONE, DEDPUL_SCALE_NONE);
SAME(INTERVAL_BOOTSTRAP, DEDPUL_INTERVAL_BOOTSTRAP);
SAME(LOSS_BRIER, DEDPUL_LOSS_BRIER);
SAME(LOSS_LOGISTIC, DEDPUL_LOSS_LOGISTIC);

static struct bandwidth bandwidth_of(const dedpul_bandwidth *bandwidth)
{
    return (struct bandwidth){(enum bandwidth_rule)bandwidth->rule, bandwidth->value};
}

/* Resamples and bands ask for an interval, too. */
static enum interval_kind interval_kind_of(const dedpul_options *options)
{
    if (options->interval == DEDPUL_INTERVAL_BOOTSTRAP || options->resamples > 0)
        return INTERVAL_BOOTSTRAP;
    return options->interval == DEDPUL_INTERVAL_ON || options->bands ? INTERVAL_BY_METHOD : INTERVAL_NONE;
}

static struct estimate_plan estimate_plan_of(const dedpul_options *options)
{
    return (struct estimate_plan){
        .method = estimator_find(options->method, NULL),
        .ratio = {.density = {.kind = density_kind_find(options->density, NULL),
                              .bandwidth_p = bandwidth_of(&options->bandwidth_p),
                              .bandwidth_u = bandwidth_of(&options->bandwidth_u)},
                  .smoothing = (enum smoothing)options->smoothing},
        .solver = (enum solver)options->solver,
        .alpha = options->alpha,
        .plain_posterior = options->posterior == DEDPUL_POSTERIOR_PLAIN,
        .interval = interval_kind_of(options),
        .resamples = options->resamples > 0 ? options->resamples : ENOUGH_RESAMPLES,
        .level = options->level,
        .bands = options->bands != 0,
    };
}

static struct training_settings training_of(const dedpul_options *options)
{
    struct training_settings training = {
        .effort = (enum effort)options->effort,
        .folds = options->folds,
        .partitions = options->ensemble,
        .stopping = (enum stopping)options->stopping,
        .network = {.batch_norm = options->batch_norm != 0,
                    .dropout = options->dropout,
                    .rate = options->rate,
                    .decay = options->decay,
                    .batch = options->batch,
                    .epoch_steps = options->epoch_steps,
                    .epochs = options->epochs,
                    .min_epochs = options->min_epochs,
                    .patience = options->patience},
        .trees = {.depth = options->tree_depth,
                  .rate = options->tree_rate,
                  .l2 = options->tree_l2,
                  .rounds = options->tree_rounds,
                  .patience = options->tree_patience},
        .plugin = plugin_of(options->plugin),
    };
    (void)layers_read(options->layers, &training.network.layers);
    return training;
}

struct fit_plan options_plan(const dedpul_options *options)
{
    struct fit_plan plan = {
        .estimate = estimate_plan_of(options),
        .encoding = {(enum text_encoding)options->encode, (enum number_scale)options->scale},
        .choice = CHOOSE_STANDARD,
        .training = training_of(options),
        .risk = {.loss = (enum loss)options->loss, .beta = options->nn_beta, .gamma = options->nn_gamma},
        .n_components = options->pca,
        .pn = options->pn != 0,
        .check_labels = options->check_labels != 0,
    };
    struct named_classifier named;
    if (options->plugin != NULL) {
        plan.choice = CHOOSE_GIVEN;
        plan.classifier = &classifier_plugin;
        plan.classifier_name = options->plugin->name;
    } else if (options->classifier != NULL &&
               classifier_by_name(options->classifier, &named, NULL) == DEDPUL_OK) {
        plan.choice = named.choice;
        plan.classifier = named.classifier;
        plan.classifier_name = options->classifier;
    }
    return plan;
}
