#include "image_shape.h"

#include <stdio.h>

/* Takes a number from 1 to LARGEST_IMAGE off the text. */
static bool take_side(const char **text, size_t *side)
{
    const char *const begin = *text;
    *side = 0;
    for (; **text >= '0' && **text <= '9' && *side <= LARGEST_IMAGE; ++*text)
        *side = 10 * *side + (size_t)(**text - '0');
    return *text > begin && *side >= 1 && *side <= LARGEST_IMAGE;
}

static bool take_times(const char **text)
{
    const bool is_there = **text == 'x' || **text == 'X';
    *text += is_there;
    return is_there;
}

bool image_shape_parse(const char *text, struct image_shape *shape)
{
    struct image_shape read = {.channels = 1};
    if (!take_side(&text, &read.height) || !take_times(&text) || !take_side(&text, &read.width) ||
        (take_times(&text) && !take_side(&text, &read.channels)) || *text != '\0' ||
        image_shape_size(read) > LARGEST_IMAGE)
        return false;
    *shape = read;
    return true;
}

const char *image_shape_format(char buffer[IMAGE_SHAPE_TEXT], struct image_shape shape)
{
    const int used = snprintf(buffer, IMAGE_SHAPE_TEXT, "%zux%zu", shape.height, shape.width);
    if (shape.channels != 1)
        (void)snprintf(buffer + used, (size_t)(IMAGE_SHAPE_TEXT - used), "x%zu", shape.channels);
    return buffer;
}
