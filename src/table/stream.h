/* Bytes from a file (plain or gzip), from standard input or from memory; or a stream of Arrow's arrays. */
#ifndef DEDPUL_TABLE_STREAM_H
#define DEDPUL_TABLE_STREAM_H

#include "error.h"

#include "dedpul_arrow.h"

/* stream_peek shows this many bytes. */
enum { STREAM_PEEK = 4096 };

struct gzip;
struct stream;

/* Fills up to size bytes; *got = 0 means the end. Fails with a message that names the stream. */
typedef dedpul_status stream_reader(struct stream *stream, char *buffer, size_t size, size_t *got,
                                    dedpul_error *error);

struct stream {
    char name[NAME_TEXT_SIZE]; /* for messages, as escape_text gives it */
    stream_reader *read;
    int descriptor;     /* the file; -1: none */
    struct gzip *gzip;  /* unpacks a file; NULL: bytes pass as they are */
    const char *memory; /* the bytes not read yet, of a stream from memory */
    size_t left;        /* how many these are */
    size_t size, taken; /* bytes of the file as it is stored, 0: not known; those, or rows, read so far */
    dedpul_progress_function *progress; /* is told of them; NULL: nobody */
    void *progress_context;
    struct ArrowArrayStream *arrow; /* it has rows, and no bytes; NULL: it has bytes */
    size_t peek_begin, peek_end;    /* bytes of peeked that are not read yet */
    char peeked[STREAM_PEEK];
};

/*
 * path "-" is standard input. Gzip is recognised by its first bytes, whatever the name, and unpacked; gzip.h
 * says what is an error. After success, stream_close is due.
 */
dedpul_status stream_open(struct stream *stream, const char *path, dedpul_error *error);

/* The bytes are borrowed and pass as they are; gzip_attach makes the stream unpack them. */
void stream_open_memory(struct stream *stream, const char *name, const void *bytes, size_t size);

/* The stream of arrays stays where it is; stream_close releases it. */
void stream_open_arrow(struct stream *stream, const char *name, struct ArrowArrayStream *arrow);

/* From now on, tells how much of the file is read, as the stage "read". */
void stream_watch(struct stream *stream, dedpul_progress_function *progress, void *context);

/* Tells it now. DEDPUL_CANCELLED: the listener wants an end. */
dedpul_status stream_tell(const struct stream *stream, dedpul_error *error);

/* The share of the file that is read; 0 if its size is not known. */
double stream_share(const struct stream *stream);

/* Like the member `read`, but gives the bytes that were peeked at first, and tells of them. */
dedpul_status stream_read(struct stream *stream, char *buffer, size_t size, size_t *got, dedpul_error *error);

/*
 * Shows the first bytes without reading them: STREAM_PEEK, or all if there are fewer. Call it before the
 * first read, until which *bytes stays valid.
 */
dedpul_status stream_peek(struct stream *stream, const char **bytes, size_t *n, dedpul_error *error);

void stream_close(struct stream *stream);

#endif
