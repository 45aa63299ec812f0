/* Reads and writes values as bytes that are the same on every machine: little-endian, IEEE 754. */
#ifndef DEDPUL_BASE_BYTES_H
#define DEDPUL_BASE_BYTES_H

#include "context.h"

#include <stdbool.h>

/* A growing buffer in the context's memory. After a failed allocation all further writes are ignored. */
struct bytes {
    struct context *context;
    unsigned char *data;
    size_t size, capacity;
    bool failed;
};

void bytes_init(struct bytes *bytes, struct context *context);
void bytes_put(struct bytes *bytes, size_t size, const void *data);
void bytes_put_u32(struct bytes *bytes, uint32_t value);
void bytes_put_u64(struct bytes *bytes, uint64_t value);
void bytes_put_f64(struct bytes *bytes, double value);
void bytes_put_f64s(struct bytes *bytes, size_t n, const double *value /* (n) */);
void bytes_put_f32s(struct bytes *bytes, size_t n, const float *value /* (n) */);
void bytes_put_f16s(struct bytes *bytes, size_t n, const float *value /* (n) gets rounded */);
void bytes_put_text(struct bytes *bytes, const char *text);

/*
 * Bytes being read. If they end too early or a value is out of its bounds, `failed` is set, and every value
 * read from then on is 0. So a caller may read a whole record and check once.
 */
struct bytes_reader {
    const unsigned char *data;
    size_t size;
    bool failed;
};

const unsigned char *bytes_get(struct bytes_reader *reader, size_t size);
uint32_t bytes_get_u32(struct bytes_reader *reader);
uint64_t bytes_get_u64(struct bytes_reader *reader);
double bytes_get_f64(struct bytes_reader *reader);
void bytes_get_f64s(struct bytes_reader *reader, size_t n, double *value /* (n) finite */);
void bytes_get_f32s(struct bytes_reader *reader, size_t n, float *value /* (n) */);
void bytes_get_f16s(struct bytes_reader *reader, size_t n, float *value /* (n) */);

/*
 * Reads a count of things that take at least `size` bytes each. A count that the bytes left cannot hold
 * fails, so that a corrupt file cannot ask for a huge allocation.
 */
size_t bytes_get_count(struct bytes_reader *reader, size_t size);

/* Returns a copy of the text: "" if reading failed, NULL with the error set if memory runs out. */
char *bytes_get_text(struct context *context, struct bytes_reader *reader, struct arena *memory);

#endif
