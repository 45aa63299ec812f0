/* Dense networks, and logistic regression as one without hidden layers. */
#include "layers.h"
#include "network_set.h"

#include <math.h>
#include <string.h>

/*
 * A single feature gets one narrow layer without batch norm and dropout, unless layers are asked for: those
 * blur the cusps that a ratio of two densities may have there, and take a hundred times as long.
 */
static bool is_plain(const struct examples *examples, const dedpul_fit_options *options)
{
    return examples->width == 1 && strcmp(options->layers, "auto") == 0;
}

static dedpul_status choose_shape(const struct examples *examples, const dedpul_fit_options *options,
                                  struct net_shape *shape, dedpul_error *error)
{
    const bool plain = is_plain(examples, options);
    *shape = (struct net_shape){
        .width = {examples->width},
        .batch_norm = options->batch_norm != 0 && !plain,
        .dropout = plain ? 0 : options->dropout,
    };
    return layers_read(plain ? "64" : options->layers, shape, error);
}

static dedpul_status mlp_create(struct context *context, const struct training *training, void **set)
{
    const dedpul_fit_options *options = training->options;
    const double rate = is_plain(training->examples, options) ? 1e-3 : 1e-4;
    struct net_shape shape;
    TRY(choose_shape(training->examples, options, &shape, context->error));
    return network_create(context, training, &shape, isnan(options->rate) ? rate : options->rate, set);
}

static double mlp_work(const struct examples *examples, const dedpul_fit_options *options)
{
    struct net_shape shape;
    const dedpul_status status = choose_shape(examples, options, &shape, NULL);
    return status == DEDPUL_OK ? network_work(examples, options, &shape) : 0;
}

static dedpul_status logistic_create(struct context *context, const struct training *training, void **set)
{
    const struct net_shape shape = {.n_layers = 1, .width = {training->examples->width, 1}};
    const double rate = training->options->rate;
    return network_create(context, training, &shape, isnan(rate) ? 1e-2 : rate, set);
}

static dedpul_status save(struct context *context, const void *model, struct bytes *bytes)
{
    const struct network *network = model;
    (void)context;
    bytes_put_u32(bytes, (uint32_t)network->shape.n_layers);
    for (size_t l = 0; l < network->shape.n_layers; l++)
        bytes_put_u64(bytes, network->shape.width[l]);
    bytes_put_f32s(bytes, net_folded(&network->shape), network->folded);
    return bytes->failed ? DEDPUL_NO_MEMORY : DEDPUL_OK;
}

static dedpul_status load(struct context *memory, size_t width, const dedpul_classifier *plugin,
                          struct bytes_reader *bytes, void **model)
{
    struct net_shape shape = {.n_layers = bytes_get_u32(bytes)};
    (void)plugin;
    if (shape.n_layers == 0 || shape.n_layers > MOST_LAYERS)
        bytes->failed = true;
    for (size_t l = 0; !bytes->failed && l < shape.n_layers; l++)
        shape.width[l] = (size_t)bytes_get_u64(bytes);
    shape.width[bytes->failed ? 0 : shape.n_layers] = 1;
    /* Sizes that the bytes left can hold, so that a damaged file asks for no memory. */
    for (size_t l = 0; !bytes->failed && l < shape.n_layers; l++)
        if (shape.width[l] == 0 || shape.width[l] > bytes->size / sizeof(float) ||
            shape.width[l + 1] > bytes->size / sizeof(float) / shape.width[l])
            bytes->failed = true;
    bytes->failed = bytes->failed || shape.width[0] != width;
    return bytes->failed ? DEDPUL_OK : network_load(memory, &shape, bytes, model);
}

const struct classifier classifier_mlp = {
    .name = "mlp",
    .summary = "networks with batch norm and dropout",
    .work = mlp_work,
    .create = mlp_create,
    .save = save,
    .load = load,
    NETWORK_FUNCTIONS,
};

const struct classifier classifier_logistic = {
    .name = "logistic",
    .summary = "logistic regression",
    .create = logistic_create,
    .save = save,
    .load = load,
    NETWORK_FUNCTIONS,
};
