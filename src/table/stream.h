/* Bytes from a file (plain or gzip), from standard input or from memory. */
#ifndef DEDPUL_TABLE_STREAM_H
#define DEDPUL_TABLE_STREAM_H

#include "error.h"

/* How many of the first bytes can be looked at. */
enum { STREAM_PEEK = 4096 };

struct gzip;
struct stream;

/* Fills up to size bytes; *got = 0 means the end. Fails with a message that names the stream. */
typedef dedpul_status stream_reader(struct stream *stream, char *buffer, size_t size, size_t *got,
                                    dedpul_error *error);

struct stream {
    char name[NAME_TEXT_SIZE]; /* as messages call it: as escape_text gives it */
    stream_reader *read;
    int descriptor;              /* of a file; else -1 */
    struct gzip *gzip;           /* unpacks a file; NULL: bytes pass as they are */
    const char *memory;          /* of a stream from memory: the bytes not read yet */
    size_t left;                 /* how many these are */
    size_t peek_begin, peek_end; /* bytes of peeked that were looked at and not read yet */
    char peeked[STREAM_PEEK];
};

/*
 * path "-" is standard input. Gzip is recognised by its first bytes, whatever the name, and unpacked; gzip.h
 * says what is an error. After success, stream_close is due.
 */
dedpul_status stream_open(struct stream *stream, const char *path, dedpul_error *error);

/* The bytes are borrowed, and given as they are: gzip_attach unpacks them. Nothing is to be closed. */
void stream_open_memory(struct stream *stream, const char *name, const void *bytes, size_t size);

/* As its member `read`, but bytes that were looked at come first. */
dedpul_status stream_read(struct stream *stream, char *buffer, size_t size, size_t *got, dedpul_error *error);

/*
 * The first bytes, before any were read: STREAM_PEEK, or all where there are fewer. They stay to be read.
 * *bytes is valid until then.
 */
dedpul_status stream_peek(struct stream *stream, const char **bytes, size_t *n, dedpul_error *error);

void stream_close(struct stream *stream);

#endif
