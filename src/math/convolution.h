/*
 * Convolutions of images. An image is (height, width, channels), and so are a kernel's weights, one kernel
 * per output: (outputs, kernel, kernel, channels).
 */
#ifndef DEDPUL_MATH_CONVOLUTION_H
#define DEDPUL_MATH_CONVOLUTION_H

#include <stddef.h>

struct convolution {
    size_t height, width, channels; /* of the input */
    size_t kernel, stride, padding;
    size_t outputs; /* channels of the output */
};

static inline size_t convolved(const struct convolution *convolution, size_t length)
{
    return (length + 2 * convolution->padding - convolution->kernel) / convolution->stride + 1;
}

/* Positions in the output. */
static inline size_t convolution_places(const struct convolution *convolution)
{
    return convolved(convolution, convolution->height) * convolved(convolution, convolution->width);
}

/* Weights of one kernel. */
static inline size_t convolution_depth(const struct convolution *convolution)
{
    return convolution->kernel * convolution->kernel * convolution->channels;
}

/* y = x convolved with the weights, for n images. If memory runs out, the outputs are NaN. */
void convolve(const struct convolution *convolution, size_t n, const float *x, const float *weight, float *y);

/* Computes the slope of a loss by x from its slope by y. */
void convolve_slope(const struct convolution *convolution, size_t n, const float *y_slope,
                    const float *weight, float *x_slope);

/* Computes the slope of a loss by the weights from its slope by y. */
void convolve_weight_slope(const struct convolution *convolution, size_t n, const float *x,
                           const float *y_slope, float *weight_slope);

#endif
