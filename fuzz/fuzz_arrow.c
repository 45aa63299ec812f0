/*
 * Any stream of Arrow's arrays, valid or not, as a table: typed columns or a clean error, and all is
 * released. Buffers are as large as the array says, which nobody could check; all else may be wrong.
 */
#include "any_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_COLUMNS = 4, MOST_BLOCKS = 128 };

/* The input's bytes make all choices; after the last, all are 0. */
struct choices {
    const uint8_t *data;
    size_t left;
};

static unsigned choose(struct choices *choices, unsigned n)
{
    if (choices->left == 0)
        return 0;
    choices->left--;
    return *choices->data++ % n;
}

/* Mostly `usual`; seldom a number that is wrong. */
static int64_t perhaps(struct choices *choices, int64_t usual)
{
    static const int64_t wrong[] = {-1, 1, 0, -2, INT64_MAX, INT64_MIN};
    return choose(choices, 16) == 15 ? wrong[choose(choices, 6)] : usual;
}

/* What one array, schema or stream owns. */
struct owned {
    size_t n;
    void *block[MOST_BLOCKS];
    size_t *n_live;
};

static struct owned *own(size_t *n_live)
{
    struct owned *owned = calloc(1, sizeof *owned);
    if (owned == NULL)
        abort();
    owned->n_live = n_live;
    ++*n_live;
    return owned;
}

static void disown(struct owned *owned)
{
    --*owned->n_live;
    while (owned->n > 0)
        free(owned->block[--owned->n]);
    free(owned);
}

static void *block(struct owned *owned, size_t size)
{
    void *made = calloc(1, size > 0 ? size : 1);
    if (made == NULL || owned->n == MOST_BLOCKS)
        abort();
    owned->block[owned->n++] = made;
    return made;
}

/* A block of chosen bytes. */
static unsigned char *bytes(struct owned *owned, struct choices *choices, size_t size)
{
    unsigned char *made = block(owned, size);
    for (size_t i = 0; i < size; i++)
        made[i] = (unsigned char)choose(choices, 256);
    return made;
}

struct producer {
    struct choices choices;
    size_t n_columns, n_live;
    unsigned format[MOST_COLUMNS], value_format[MOST_COLUMNS];
    bool has_dictionary[MOST_COLUMNS];
    struct ArrowArrayStream stream;
};

static const struct {
    const char *format;
    size_t width;
} formats[] = {{"g", 8},           {"f", 4},        {"e", 2},        {"l", 8},        {"L", 8},
               {"i", 4},           {"I", 4},        {"s", 2},        {"S", 2},        {"c", 1},
               {"C", 1},           {"b", 0},        {"n", 0},        {"u", 4},        {"U", 8},
               {"vu", 16},         {"d:5,2,32", 4}, {"d:9,2,64", 8}, {"d:19,40", 16}, {"d:3,-2", 16},
               {"d:76,3,256", 32}, {"tdD", 4},      {"+l", 4},       {"z", 4},        {NULL, 0}};
enum { N_FORMATS = sizeof formats / sizeof *formats };

static void release_array(struct ArrowArray *array)
{
    array->release = NULL;
    disown(array->private_data);
}

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
    disown(schema->private_data);
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
    ((struct producer *)stream->private_data)->n_live--;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    static const char *const names[] = {"label", "1", "2", "c", "w", "id", "", NULL};
    struct producer *producer = stream->private_data;
    struct choices *choices = &producer->choices;
    if (choose(choices, 32) == 31)
        return EIO;
    struct owned *owned = own(&producer->n_live);
    struct ArrowSchema **children = block(owned, MOST_COLUMNS * sizeof *children);
    for (size_t c = 0; c < producer->n_columns; c++) {
        struct ArrowSchema *child = children[c] = block(owned, sizeof *child);
        child->format = formats[producer->format[c]].format;
        child->name = names[choose(choices, 8)];
        if (producer->has_dictionary[c]) {
            child->dictionary = block(owned, sizeof *child->dictionary);
            child->dictionary->format = formats[producer->value_format[c]].format;
        }
    }
    *out = (struct ArrowSchema){.format = choose(choices, 32) == 31 ? "g" : "+s",
                                .n_children = (int64_t)producer->n_columns,
                                .children = children,
                                .release = release_schema,
                                .private_data = owned};
    return 0;
}

/* The bytes of texts are as many as the last offset says. */
static const void *texts(struct owned *owned, struct choices *choices, unsigned char *offsets, size_t width,
                         size_t n)
{
    const size_t size = choose(choices, 32);
    const int64_t wide = (int64_t)size;
    const int32_t narrow = (int32_t)size;
    for (size_t i = 0; i <= n; i++) { /* small, so that some are in order */
        memset(offsets + i * width + 1, offsets[i * width] < 250 ? 0 : 0xff, width - 1);
        offsets[i * width] %= 32;
    }
    memcpy(offsets + n * width, width == 8 ? (const void *)&wide : &narrow, width);
    return bytes(owned, choices, size);
}

static void fill_views(struct owned *owned, struct choices *choices, struct ArrowArray *array,
                       const void **buffers)
{
    const size_t n_parts = choose(choices, 3);
    int64_t *sizes = block(owned, 3 * sizeof *sizes);
    for (size_t i = 0; i < n_parts; i++) {
        sizes[i] = choose(choices, 64);
        buffers[2 + i] = bytes(owned, choices, (size_t)sizes[i]);
    }
    buffers[2 + n_parts] = sizes;
    array->n_buffers = 3 + (int64_t)n_parts;
}

/* Fills an array of at least `least` values, unless it is wrong. */
static void fill_array(struct producer *producer, struct owned *owned, size_t least, unsigned format,
                       struct ArrowArray *array)
{
    struct choices *choices = &producer->choices;
    const size_t width = formats[format].width, length = least + choose(choices, 3),
                 offset = choose(choices, 4), all = length + offset;
    const void **buffers = block(owned, 8 * sizeof *buffers);
    const char *const type = formats[format].format != NULL ? formats[format].format : "";
    array->length = (int64_t)length;
    array->offset = (int64_t)offset;
    array->n_buffers = strcmp(type, "n") == 0 ? 0 : 2;
    array->buffers = buffers;
    buffers[0] = bytes(owned, choices, all / 8 + 1);
    unsigned char *values = bytes(owned, choices, width > 0 ? (all + 1) * width : all / 8 + 1);
    buffers[1] = values;
    if (strcmp(type, "u") == 0 || strcmp(type, "U") == 0) {
        buffers[2] = texts(owned, choices, values, width, all);
        array->n_buffers = 3;
    } else if (strcmp(type, "vu") == 0) {
        for (size_t i = 0; i < all; i++) /* short, or in a part */
            values[i * width + 1] = values[i * width + 2] = values[i * width + 3] = 0;
        fill_views(owned, choices, array, buffers);
    }
    /* Now what may be wrong, and can be seen to be. */
    array->null_count = perhaps(choices, choose(choices, 2) == 0 ? 0 : -1);
    if (choose(choices, 32) == 31)
        array->n_buffers = choose(choices, 3);
    if (choose(choices, 32) == 31)
        buffers[choose(choices, 3)] = NULL;
    if (choose(choices, 64) == 63)
        array->buffers = NULL;
    if (choose(choices, 32) == 31)
        array->length = choose(choices, 2) == 0 ? -1 : 0;
    if (choose(choices, 32) == 31)
        array->offset = INT64_MIN;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct producer *producer = stream->private_data;
    struct choices *choices = &producer->choices;
    *out = (struct ArrowArray){.release = NULL};
    if (choices->left == 0)
        return 0;
    if (choose(choices, 32) == 31)
        return EINVAL;
    struct owned *owned = own(&producer->n_live);
    const size_t length = choose(choices, 8), offset = choose(choices, 3);
    struct ArrowArray **children = block(owned, MOST_COLUMNS * sizeof *children);
    const void **buffers = block(owned, sizeof *buffers);
    for (size_t c = 0; c < producer->n_columns; c++) {
        children[c] = block(owned, sizeof **children);
        fill_array(producer, owned, length + offset, producer->format[c], children[c]);
        if (producer->has_dictionary[c] && choose(choices, 32) != 31) {
            children[c]->dictionary = block(owned, sizeof **children);
            fill_array(producer, owned, choose(choices, 8), producer->value_format[c],
                       children[c]->dictionary);
        }
        if (choose(choices, 64) == 63)
            children[c] = NULL;
    }
    *buffers = choose(choices, 4) == 3 ? bytes(owned, choices, (length + offset) / 8 + 1) : NULL;
    *out = (struct ArrowArray){.length = choose(choices, 32) == 31 ? -1 : (int64_t)length,
                               .offset = (int64_t)offset,
                               .null_count = perhaps(choices, 0),
                               .n_buffers = perhaps(choices, 1),
                               .buffers = buffers,
                               .n_children = perhaps(choices, (int64_t)producer->n_columns),
                               .children = children,
                               .release = release_array,
                               .private_data = owned};
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    return choose(&((struct producer *)stream->private_data)->choices, 2) == 0 ? NULL : "it is \x01 broken";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct producer producer = {.choices = {data, size}, .n_live = 1};
    struct choices *choices = &producer.choices;
    struct stream stream;
    const unsigned request = choose(choices, 256);
    producer.n_columns = choose(choices, MOST_COLUMNS + 1);
    for (size_t c = 0; c < producer.n_columns; c++) {
        producer.format[c] = choose(choices, N_FORMATS);
        producer.has_dictionary[c] = choose(choices, 4) == 3;
        producer.value_format[c] = choose(choices, N_FORMATS);
    }
    producer.stream =
        (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, &producer};
    stream_open_arrow(&stream, "fuzz", &producer.stream);
    read_any_table(request, &stream, NULL);
    stream_close(&stream);
    if (producer.n_live != 0)
        abort();
    return 0;
}
