/* The shape of rows that are images: their pixels by rows, columns, channels. */
#ifndef DEDPUL_BASE_IMAGE_SHAPE_H
#define DEDPUL_BASE_IMAGE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

/* The largest number of values in an image. */
enum { LARGEST_IMAGE = 1000000 };

/* All 0: rows are not images. */
struct image_shape {
    size_t height, width, channels;
};

static inline bool image_shape_is_set(struct image_shape shape)
{
    return shape.height > 0;
}

/* Returns the number of values in an image. */
static inline size_t image_shape_size(struct image_shape shape)
{
    return shape.height * shape.width * shape.channels;
}

/* Tells whether an image of this shape has this many values. */
static inline bool image_shape_fits(struct image_shape shape, size_t size)
{
    return shape.height > 0 && shape.width > 0 && shape.channels > 0 && size <= LARGEST_IMAGE &&
           shape.height <= size && shape.width <= size && shape.channels <= size &&
           image_shape_size(shape) == size;
}

/* Reads "28x28" or "32x32x3". False if the text is anything else, or has more than LARGEST_IMAGE values. */
bool image_shape_parse(const char *text, struct image_shape *shape);

enum { IMAGE_SHAPE_TEXT = 32 };

/* Writes the shape as image_shape_parse reads it. Returns buffer. */
const char *image_shape_format(char buffer[IMAGE_SHAPE_TEXT], struct image_shape shape);

#endif
