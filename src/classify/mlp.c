/* Dense networks, and logistic regression as one without hidden layers. */
#include "network_set.h"

#include <math.h>

/*
 * A single feature gets one layer without batch norm and dropout, unless the user asks for layers. The
 * standard layers blur the cusps that a ratio of two densities may have there.
 */
static bool is_plain(const struct examples *examples, const struct network_settings *settings)
{
    return examples->width == 1 && settings->layers.is_standard;
}

static const struct hidden_layers *choose_layers(const struct examples *examples,
                                                 const struct training_settings *settings)
{
    static const struct hidden_layers single = {.n = 1, .width = {64}};
    static const struct hidden_layers standard[N_EFFORTS] = {
        [EFFORT_LOW] = {.n = 2, .width = {32, 32}},
        [EFFORT_NORMAL] = {.n = 2, .width = {32, 32}},
        [EFFORT_HIGH] = {.n = 2, .width = {64, 64}},
    };
    if (!settings->network.layers.is_standard)
        return &settings->network.layers;
    return is_plain(examples, &settings->network) ? &single : &standard[settings->effort];
}

static struct net_shape choose_shape(const struct examples *examples,
                                     const struct training_settings *settings)
{
    const bool plain = is_plain(examples, &settings->network);
    const struct hidden_layers *hidden = choose_layers(examples, settings);
    struct net_shape shape = {
        .n_layers = hidden->n + 1,
        .width = {examples->width},
        .batch_norm = settings->network.batch_norm && !plain,
        .dropout = plain ? 0 : settings->network.dropout,
    };
    for (size_t l = 0; l < hidden->n; l++)
        shape.width[l + 1] = hidden->width[l];
    shape.width[shape.n_layers] = 1;
    return shape;
}

static struct schedule schedule(const struct examples *examples, const struct training_settings *settings)
{
    static const unsigned partitions[N_EFFORTS] = {2, 6, 10};
    (void)examples;
    return network_schedule(settings, partitions_of(settings, partitions));
}

static dedpul_status mlp_create(struct context *context, const struct training *training, void **set)
{
    const struct network_settings *settings = &training->settings->network;
    const double rate = is_plain(training->examples, settings) ? 1e-3 : 2e-3;
    const struct net_shape shape = choose_shape(training->examples, training->settings);
    return network_create(context, training, &shape, isnan(settings->rate) ? rate : settings->rate, set);
}

static double mlp_work(const struct examples *examples, const struct training_settings *settings)
{
    const struct net_shape shape = choose_shape(examples, settings);
    return network_work(examples, settings, &shape, schedule(examples, settings).partitions);
}

static struct training_time mlp_time(const struct examples *examples,
                                     const struct training_settings *settings)
{
    const struct net_shape shape = choose_shape(examples, settings);
    return network_time(examples, settings, &shape, schedule(examples, settings).partitions);
}

static struct net_shape logistic_shape(const struct examples *examples)
{
    return (struct net_shape){.n_layers = 1, .width = {examples->width, 1}};
}

static struct training_time logistic_time(const struct examples *examples,
                                          const struct training_settings *settings)
{
    const struct net_shape shape = logistic_shape(examples);
    return network_time(examples, settings, &shape, schedule(examples, settings).partitions);
}

static dedpul_status logistic_create(struct context *context, const struct training *training, void **set)
{
    const struct net_shape shape = logistic_shape(training->examples);
    const double rate = training->settings->network.rate;
    return network_create(context, training, &shape, isnan(rate) ? 1e-2 : rate, set);
}

static dedpul_status save(struct context *context, const void *model, struct bytes *bytes)
{
    const struct network *network = model;
    (void)context;
    bytes_put_u32(bytes, (uint32_t)network->shape.n_layers);
    for (size_t l = 0; l < network->shape.n_layers; l++)
        bytes_put_u64(bytes, network->shape.width[l]);
    return network_save(network, bytes);
}

static dedpul_status load(struct context *context, const struct loading *loading, struct bytes_reader *bytes,
                          struct arena *memory, void **model)
{
    struct net_shape shape = {.n_layers = bytes_get_u32(bytes)};
    if (shape.n_layers == 0 || shape.n_layers > MOST_LAYERS)
        bytes->failed = true;
    for (size_t l = 0; !bytes->failed && l < shape.n_layers; l++)
        shape.width[l] = (size_t)bytes_get_u64(bytes);
    shape.width[bytes->failed ? 0 : shape.n_layers] = 1;
    /* The bytes left must hold layers of these sizes: a damaged file must not ask for much memory. */
    for (size_t l = 0; !bytes->failed && l < shape.n_layers; l++)
        if (shape.width[l] == 0 || shape.width[l] > bytes->size / sizeof(uint16_t) ||
            shape.width[l + 1] > bytes->size / sizeof(uint16_t) / shape.width[l])
            bytes->failed = true;
    bytes->failed = bytes->failed || shape.width[0] != loading->width;
    return bytes->failed ? DEDPUL_OK : network_load(context, loading, &shape, bytes, memory, model);
}

const struct classifier classifier_mlp = {
    .name = "mlp",
    .summary = "networks with batch norm and dropout",
    .schedule = schedule,
    .work = mlp_work,
    .time = mlp_time,
    .create = mlp_create,
    .save = save,
    .load = load,
    NETWORK_FUNCTIONS,
};

const struct classifier classifier_logistic = {
    .name = "logistic",
    .summary = "logistic regression",
    .schedule = schedule,
    .time = logistic_time,
    .create = logistic_create,
    .save = save,
    .load = load,
    NETWORK_FUNCTIONS,
};
