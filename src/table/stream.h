/* Bytes from a file (plain or gzip), from standard input or from memory. */
#ifndef DEDPUL_TABLE_STREAM_H
#define DEDPUL_TABLE_STREAM_H

#include "error.h"

struct stream {
    const char *name; /* as messages call it */
    /* Fills up to size bytes; *got = 0 means the end. Fails with a message that names the stream. */
    dedpul_status (*read)(struct stream *stream, char *buffer, size_t size, size_t *got, dedpul_error *error);
    void *state;
    size_t left; /* of a stream from memory */
};

/* path "-" is standard input. Gzip is recognised by its first bytes, whatever the name. */
dedpul_status stream_open(struct stream *stream, const char *path, dedpul_error *error);

/* The bytes are borrowed. */
void stream_open_memory(struct stream *stream, const char *name, const void *bytes, size_t size);

void stream_close(struct stream *stream);

#endif
