/* Uses oneDNN, which takes half the time of gathering patches into a matrix and multiplying. */
#include "convolution.h"

#include "onednn_call.h"

#include <math.h>
#include <oneapi/dnnl/dnnl.h>

/* Which of the three arrays a call computes from the other two. */
enum sought { SOUGHT_Y, SOUGHT_X_SLOPE, SOUGHT_WEIGHT_SLOPE };

/* oneDNN's objects for one call. oneDNN caches primitives, so creating the same one again is cheap. */
struct call {
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_primitive_desc_t forward, backward; /* backward: NULL if y is sought */
    dnnl_primitive_t primitive;
    dnnl_memory_t x, y, weight, own_weight; /* own_weight: in the memory order that oneDNN chooses */
};

#define CHECK(call)                           \
    do {                                      \
        const dnnl_status_t status_ = (call); \
        if (status_ != dnnl_success)          \
            return status_;                   \
    } while (0)

/* Describes an array of floats with four dimensions; the tag gives their order in memory. */
static dnnl_status_t describe(size_t a, size_t b, size_t c, size_t d, dnnl_format_tag_t tag,
                              dnnl_memory_desc_t *description)
{
    const dnnl_dims_t dimensions = {(dnnl_dim_t)a, (dnnl_dim_t)b, (dnnl_dim_t)c, (dnnl_dim_t)d};
    return dnnl_memory_desc_init_by_tag(description, 4, dimensions, dnnl_f32, tag);
}

static dnnl_status_t create_primitive(struct call *call, enum sought sought,
                                      const struct convolution *convolution, const dnnl_memory_desc_t *x,
                                      const dnnl_memory_desc_t *y)
{
    const dnnl_dim_t stride = (dnnl_dim_t)convolution->stride, padding = (dnnl_dim_t)convolution->padding;
    const dnnl_dims_t strides = {stride, stride}, paddings = {padding, padding};
    const dnnl_alg_kind_t algorithm = dnnl_convolution_direct;
    dnnl_memory_desc_t any;
    dnnl_convolution_desc_t description;
    CHECK(describe(convolution->outputs, convolution->channels, convolution->kernel, convolution->kernel,
                   dnnl_format_tag_any, &any));
    CHECK(dnnl_convolution_forward_desc_init(&description, dnnl_forward_training, algorithm, x, &any, NULL, y,
                                             strides, paddings, paddings));
    CHECK(dnnl_primitive_desc_create(&call->forward, &description, NULL, call->engine, NULL));
    if (sought == SOUGHT_Y)
        return dnnl_primitive_create(&call->primitive, call->forward);
    if (sought == SOUGHT_X_SLOPE)
        CHECK(dnnl_convolution_backward_data_desc_init(&description, algorithm, x, &any, y, strides, paddings,
                                                       paddings));
    else
        CHECK(dnnl_convolution_backward_weights_desc_init(&description, algorithm, x, &any, NULL, y, strides,
                                                          paddings, paddings));
    CHECK(dnnl_primitive_desc_create(&call->backward, &description, NULL, call->engine, call->forward));
    return dnnl_primitive_create(&call->primitive, call->backward);
}

/* Copies from one order in memory to another. */
static dnnl_status_t reorder(const struct call *call, dnnl_memory_t from, dnnl_memory_t to)
{
    const dnnl_memory_desc_t *from_description, *to_description;
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    dnnl_primitive_desc_t description = NULL;
    dnnl_primitive_t primitive = NULL;
    CHECK(dnnl_memory_get_memory_desc(from, &from_description));
    CHECK(dnnl_memory_get_memory_desc(to, &to_description));
    CHECK(dnnl_reorder_primitive_desc_create(&description, from_description, call->engine, to_description,
                                             call->engine, NULL));
    dnnl_status_t status = dnnl_primitive_create(&primitive, description);
    if (status == dnnl_success)
        status = dnnl_primitive_execute(primitive, call->stream, 2, arguments);
    (void)dnnl_primitive_destroy(primitive);
    (void)dnnl_primitive_desc_destroy(description);
    return status;
}

static dnnl_status_t run(struct call *call, enum sought sought, const struct convolution *convolution,
                         size_t n, float *x, float *weight, float *y)
{
    static const int argument_of[][3] = {
        [SOUGHT_Y] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST},
        [SOUGHT_X_SLOPE] = {DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST},
        [SOUGHT_WEIGHT_SLOPE] = {DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST},
    };
    dnnl_memory_desc_t x_order, y_order, weight_order;
    CHECK(dnnl_engine_create(&call->engine, dnnl_cpu, 0));
    CHECK(dnnl_stream_create(&call->stream, call->engine, dnnl_stream_default_flags));
    CHECK(describe(n, convolution->channels, convolution->height, convolution->width, dnnl_nhwc, &x_order));
    CHECK(describe(n, convolution->outputs, convolved(convolution, convolution->height),
                   convolved(convolution, convolution->width), dnnl_nhwc, &y_order));
    CHECK(describe(convolution->outputs, convolution->channels, convolution->kernel, convolution->kernel,
                   dnnl_ohwi, &weight_order));
    CHECK(create_primitive(call, sought, convolution, &x_order, &y_order));
    const dnnl_memory_desc_t *own_order =
        sought == SOUGHT_WEIGHT_SLOPE
            ? dnnl_primitive_desc_query_md(call->backward, dnnl_query_diff_weights_md, 0)
            : dnnl_primitive_desc_query_md(sought == SOUGHT_Y ? call->forward : call->backward,
                                           dnnl_query_weights_md, 0);
    CHECK(dnnl_memory_create(&call->x, &x_order, call->engine, x));
    CHECK(dnnl_memory_create(&call->y, &y_order, call->engine, y));
    CHECK(dnnl_memory_create(&call->weight, &weight_order, call->engine, weight));
    CHECK(dnnl_memory_create(&call->own_weight, own_order, call->engine, DNNL_MEMORY_ALLOCATE));
    if (sought != SOUGHT_WEIGHT_SLOPE)
        CHECK(reorder(call, call->weight, call->own_weight));
    const dnnl_exec_arg_t arguments[] = {{argument_of[sought][0], call->x},
                                         {argument_of[sought][1], call->own_weight},
                                         {argument_of[sought][2], call->y}};
    CHECK(dnnl_primitive_execute(call->primitive, call->stream, 3, arguments));
    return sought == SOUGHT_WEIGHT_SLOPE ? reorder(call, call->own_weight, call->weight) : dnnl_success;
}

static void destroy(struct call *call)
{
    (void)dnnl_memory_destroy(call->own_weight);
    (void)dnnl_memory_destroy(call->weight);
    (void)dnnl_memory_destroy(call->y);
    (void)dnnl_memory_destroy(call->x);
    (void)dnnl_primitive_destroy(call->primitive);
    (void)dnnl_primitive_desc_destroy(call->backward);
    (void)dnnl_primitive_desc_destroy(call->forward);
    (void)dnnl_stream_destroy(call->stream);
    (void)dnnl_engine_destroy(call->engine);
}

/* oneDNN does not take const arguments, but it writes only the array that is sought. */
static void compute(enum sought sought, const struct convolution *convolution, size_t n, const float *x,
                    const float *weight, const float *y, size_t n_sought, float *found)
{
    struct call call = {.engine = NULL};
    struct onednn_call around;
    onednn_begin(&around);
    const dnnl_status_t status = run(&call, sought, convolution, n, (float *)x, (float *)weight, (float *)y);
    destroy(&call);
    onednn_end(&around);
    for (size_t i = 0; status != dnnl_success && i < n_sought; i++)
        found[i] = NAN;
}

void convolve(const struct convolution *convolution, size_t n, const float *x, const float *weight, float *y)
{
    compute(SOUGHT_Y, convolution, n, x, weight, y,
            n * convolution_places(convolution) * convolution->outputs, y);
}

void convolve_slope(const struct convolution *convolution, size_t n, const float *y_slope,
                    const float *weight, float *x_slope)
{
    compute(SOUGHT_X_SLOPE, convolution, n, x_slope, weight, y_slope,
            n * convolution->height * convolution->width * convolution->channels, x_slope);
}

void convolve_weight_slope(const struct convolution *convolution, size_t n, const float *x,
                           const float *y_slope, float *weight_slope)
{
    compute(SOUGHT_WEIGHT_SLOPE, convolution, n, x, weight_slope, y_slope,
            convolution->outputs * convolution_depth(convolution), weight_slope);
}
