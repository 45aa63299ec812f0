/*
 * The light all-convolutional network of the paper's experiments on images (Springenberg et al., 2015):
 * convolutions, each with batch norm and ReLU, then dense layers.
 */
#include "network_set.h"

#include <math.h>

/* kernel, stride, outputs; kernels of odd size are padded so that stride 1 keeps an image's size */
static const size_t convolutions[][3] = {{5, 1, 16}, {3, 2, 16}, {5, 1, 32},
                                         {3, 2, 32}, {1, 1, 32}, {1, 1, 4}};
static const size_t dense[] = {128, 64, 1};

enum {
    N_CONVOLUTIONS = sizeof convolutions / sizeof convolutions[0],
    N_DENSE = sizeof dense / sizeof dense[0],
};

static struct net_shape shape_for(struct image_shape image)
{
    struct net_shape shape = {
        .n_layers = N_CONVOLUTIONS + N_DENSE,
        .n_convolutions = N_CONVOLUTIONS,
        .width = {image_shape_size(image)},
    };
    for (size_t l = 0; l < N_CONVOLUTIONS; l++) {
        struct convolution *convolution = &shape.convolution[l];
        *convolution = (struct convolution){
            .height = image.height,
            .width = image.width,
            .channels = image.channels,
            .kernel = convolutions[l][0],
            .stride = convolutions[l][1],
            .padding = convolutions[l][0] / 2,
            .outputs = convolutions[l][2],
        };
        image = (struct image_shape){convolved(convolution, image.height),
                                     convolved(convolution, image.width), convolution->outputs};
        shape.width[l + 1] = image_shape_size(image);
    }
    for (size_t l = 0; l < N_DENSE; l++)
        shape.width[N_CONVOLUTIONS + l + 1] = dense[l];
    return shape;
}

static dedpul_status create(struct context *context, const struct training *training, void **set)
{
    const struct image_shape image = training->examples->image;
    const double rate = training->settings->network.rate;
    if (!image_shape_is_set(image))
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "conv is for images, but the rows have no shape: give it (--shape 32x32x3), or use "
                         "another classifier");
    const struct net_shape shape = shape_for(image);
    return network_create(context, training, &shape, isnan(rate) ? 1e-4 : rate, set);
}

static struct schedule schedule(const struct examples *examples, const struct training_settings *settings)
{
    static const unsigned partitions[N_EFFORTS] = {1, 3, 6};
    (void)examples;
    return network_schedule(settings, partitions_of(settings, partitions));
}

static double work(const struct examples *examples, const struct training_settings *settings)
{
    const struct net_shape shape = shape_for(examples->image);
    return network_work(examples, settings, &shape, schedule(examples, settings).partitions);
}

static struct training_time training_time(const struct examples *examples,
                                          const struct training_settings *settings)
{
    const struct net_shape shape = shape_for(examples->image);
    return network_time(examples, settings, &shape, schedule(examples, settings).partitions);
}

/* Saves the shape of the images, from which the shape of the network follows, and the parameters. */
static dedpul_status save(struct context *context, const void *model, struct bytes *bytes)
{
    const struct network *network = model;
    const struct convolution *first = &network->shape.convolution[0];
    (void)context;
    bytes_put_u64(bytes, first->height);
    bytes_put_u64(bytes, first->width);
    bytes_put_u64(bytes, first->channels);
    return network_save(network, bytes);
}

static dedpul_status load(struct context *context, const struct loading *loading, struct bytes_reader *bytes,
                          struct arena *memory, void **model)
{
    struct image_shape image = {.height = 0};
    image.height = (size_t)bytes_get_u64(bytes);
    image.width = (size_t)bytes_get_u64(bytes);
    image.channels = (size_t)bytes_get_u64(bytes);
    bytes->failed = bytes->failed || !image_shape_fits(image, loading->width);
    if (bytes->failed)
        return DEDPUL_OK;
    const struct net_shape shape = shape_for(image);
    return network_load(context, loading, &shape, bytes, memory, model);
}

const struct classifier classifier_conv = {
    .name = "conv",
    .summary = "convolutional networks, for images",
    .for_images = true,
    .schedule = schedule,
    .work = work,
    .time = training_time,
    .create = create,
    .save = save,
    .load = load,
    NETWORK_FUNCTIONS,
};
