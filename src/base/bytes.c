#include "bytes.h"

#include "half.h"

#include <math.h>
#include <string.h>

void bytes_init(struct bytes *bytes, struct context *context)
{
    *bytes = (struct bytes){.context = context};
}

void bytes_put(struct bytes *bytes, size_t size, const void *data)
{
    if (bytes->failed || size == 0)
        return;
    if (size > bytes->capacity - bytes->size) {
        const size_t capacity = 2 * bytes->capacity + size + 64;
        unsigned char *grown = context_allocate(bytes->context, capacity, 1);
        if (grown == NULL) {
            bytes->failed = true;
            return;
        }
        if (bytes->size > 0)
            memcpy(grown, bytes->data, bytes->size);
        bytes->data = grown;
        bytes->capacity = capacity;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void put_whole(struct bytes *bytes, int size, uint64_t value)
{
    unsigned char data[8];
    for (int i = 0; i < size; i++)
        data[i] = (unsigned char)(value >> (8 * i));
    bytes_put(bytes, (size_t)size, data);
}

void bytes_put_u32(struct bytes *bytes, uint32_t value)
{
    put_whole(bytes, 4, value);
}

void bytes_put_u64(struct bytes *bytes, uint64_t value)
{
    put_whole(bytes, 8, value);
}

void bytes_put_f64(struct bytes *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_put_u64(bytes, bits);
}

void bytes_put_f64s(struct bytes *bytes, size_t n, const double *value)
{
    for (size_t i = 0; i < n; i++)
        bytes_put_f64(bytes, value[i]);
}

void bytes_put_f32s(struct bytes *bytes, size_t n, const float *value)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &value[i], sizeof bits);
        bytes_put_u32(bytes, bits);
    }
}

void bytes_put_f16s(struct bytes *bytes, size_t n, const float *value)
{
    for (size_t i = 0; i < n; i++)
        put_whole(bytes, 2, half_of_float(value[i]));
}

void bytes_put_text(struct bytes *bytes, const char *text)
{
    bytes_put_u64(bytes, strlen(text));
    bytes_put(bytes, strlen(text), text);
}

/* ---- reading ---- */

const unsigned char *bytes_get(struct bytes_reader *reader, size_t size)
{
    if (reader->failed || size > reader->size) {
        reader->failed = true;
        return NULL;
    }
    const unsigned char *data = reader->data;
    reader->data += size;
    reader->size -= size;
    return data;
}

static uint64_t get_whole(struct bytes_reader *reader, size_t size)
{
    const unsigned char *data = bytes_get(reader, size);
    uint64_t value = 0;
    for (size_t i = 0; data != NULL && i < size; i++)
        value |= (uint64_t)data[i] << (8 * i);
    return value;
}

uint32_t bytes_get_u32(struct bytes_reader *reader)
{
    return (uint32_t)get_whole(reader, 4);
}

uint64_t bytes_get_u64(struct bytes_reader *reader)
{
    return get_whole(reader, 8);
}

double bytes_get_f64(struct bytes_reader *reader)
{
    const uint64_t bits = bytes_get_u64(reader);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void bytes_get_f64s(struct bytes_reader *reader, size_t n, double *value)
{
    for (size_t i = 0; i < n; i++) {
        value[i] = bytes_get_f64(reader);
        reader->failed = reader->failed || !isfinite(value[i]);
    }
}

void bytes_get_f32s(struct bytes_reader *reader, size_t n, float *value)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t bits = bytes_get_u32(reader);
        memcpy(&value[i], &bits, sizeof bits);
    }
}

void bytes_get_f16s(struct bytes_reader *reader, size_t n, float *value)
{
    for (size_t i = 0; i < n; i++)
        value[i] = float_of_half((uint16_t)get_whole(reader, 2));
}

size_t bytes_get_count(struct bytes_reader *reader, size_t size)
{
    const uint64_t count = bytes_get_u64(reader);
    if (count > reader->size / size)
        reader->failed = true;
    return reader->failed ? 0 : (size_t)count;
}

char *bytes_get_text(struct context *context, struct bytes_reader *reader, struct arena *memory)
{
    const size_t length = bytes_get_count(reader, 1);
    const unsigned char *data = bytes_get(reader, length);
    char *text = context_allocate_in(context, memory, length + 1, 1);
    if (text == NULL)
        return NULL;
    if (data != NULL && length > 0)
        memcpy(text, data, length);
    text[length] = '\0';
    return text;
}
