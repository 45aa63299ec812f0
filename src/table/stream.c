#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static dedpul_status cannot_read(dedpul_error *error, const char *name, const char *reason)
{
    return error_set(error, DEDPUL_IO, "cannot read %s: %s", name, reason);
}

/* zlib's gz functions pass plain files through as they are. */
static dedpul_status read_file(struct stream *stream, char *buffer, size_t size, size_t *got,
                               dedpul_error *error)
{
    const size_t most = 1u << 30; /* gzread counts in int */
    const int n = gzread(stream->state, buffer, (unsigned)(size < most ? size : most));
    int code = Z_OK;
    const char *reason = n <= 0 ? gzerror(stream->state, &code) : "";
    if (code == Z_ERRNO)
        return cannot_read(error, stream->name, strerror(errno));
    if (code == Z_BUF_ERROR)
        return cannot_read(error, stream->name, "the gzip file is cut off; fetch it again");
    if (n < 0 || code != Z_OK) {
        const char *colon = strstr(reason, ": "); /* after zlib's own name for the file */
        return cannot_read(error, stream->name, colon != NULL ? colon + 2 : reason);
    }
    *got = (size_t)n;
    return DEDPUL_OK;
}

dedpul_status stream_open(struct stream *stream, const char *path, dedpul_error *error)
{
    const int is_input = strcmp(path, "-") == 0;
    *stream = (struct stream){.name = is_input ? "standard input" : path, .read = read_file};
    const int descriptor = is_input ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return cannot_read(error, stream->name, strerror(errno));
    stream->state = gzdopen(descriptor, "rb");
    if (stream->state == NULL) {
        (void)close(descriptor);
        return error_set(error, DEDPUL_NO_MEMORY, "out of memory opening %s", stream->name);
    }
    (void)gzbuffer(stream->state, 1 << 17);
    return DEDPUL_OK;
}

static dedpul_status read_memory(struct stream *stream, char *buffer, size_t size, size_t *got,
                                 dedpul_error *error)
{
    (void)error;
    *got = size < stream->left ? size : stream->left;
    if (*got > 0)
        memcpy(buffer, stream->state, *got);
    stream->state = (char *)stream->state + *got;
    stream->left -= *got;
    return DEDPUL_OK;
}

void stream_open_memory(struct stream *stream, const char *name, const void *bytes, size_t size)
{
    *stream = (struct stream){.name = name, .read = read_memory, .left = size};
    memcpy(&stream->state, &bytes, sizeof bytes); /* read_memory does not write to it */
}

dedpul_status stream_read(struct stream *stream, char *buffer, size_t size, size_t *got, dedpul_error *error)
{
    const size_t peeked = stream->peek_end - stream->peek_begin;
    if (peeked == 0)
        return stream->read(stream, buffer, size, got, error);
    *got = size < peeked ? size : peeked;
    memcpy(buffer, stream->peeked + stream->peek_begin, *got);
    stream->peek_begin += *got;
    return DEDPUL_OK;
}

dedpul_status stream_peek(struct stream *stream, const char **bytes, size_t *n, dedpul_error *error)
{
    size_t got = 1;
    while (got > 0 && stream->peek_end < STREAM_PEEK) {
        TRY(stream->read(stream, stream->peeked + stream->peek_end, STREAM_PEEK - stream->peek_end, &got,
                         error));
        stream->peek_end += got;
    }
    *bytes = stream->peeked;
    *n = stream->peek_end;
    return DEDPUL_OK;
}

void stream_close(struct stream *stream)
{
    if (stream->read == read_file && stream->state != NULL)
        (void)gzclose(stream->state);
}
