/* The shape of rows that are images: their pixels by rows, columns, channels. */
#ifndef DEDPUL_BASE_IMAGE_SHAPE_H
#define DEDPUL_BASE_IMAGE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

/* Values that an image has at most. */
enum { LARGEST_IMAGE = 1000000 };

/* All 0: rows are no images. */
struct image_shape {
    size_t height, width, channels;
};

static inline bool image_shape_is_set(struct image_shape shape)
{
    return shape.height > 0;
}

/* How many values an image has. */
static inline size_t image_shape_size(struct image_shape shape)
{
    return shape.height * shape.width * shape.channels;
}

/* Whether images of these sides have so many values. */
static inline bool image_shape_fits(struct image_shape shape, size_t size)
{
    return shape.height > 0 && shape.width > 0 && shape.channels > 0 && size <= LARGEST_IMAGE &&
           shape.height <= size && shape.width <= size && shape.channels <= size &&
           image_shape_size(shape) == size;
}

/* "28x28" or "32x32x3". False where the text is anything else, or of more than LARGEST_IMAGE values. */
bool image_shape_parse(const char *text, struct image_shape *shape);

enum { IMAGE_SHAPE_TEXT = 32 };

/* As image_shape_parse reads it. Returns buffer. */
const char *image_shape_format(char buffer[IMAGE_SHAPE_TEXT], struct image_shape shape);

#endif
