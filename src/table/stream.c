#include "stream.h"

#include "gzip.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static dedpul_status cannot_read(dedpul_error *error, const char *name, const char *reason)
{
    return error_set(error, DEDPUL_IO, "cannot read %s: %s", name, reason);
}

static void init(struct stream *stream, const char *name, stream_reader *read)
{
    *stream = (struct stream){.read = read, .descriptor = -1};
    (void)escape_text(stream->name, sizeof stream->name, name, strlen(name));
}

static dedpul_status read_file(struct stream *stream, char *buffer, size_t size, size_t *got,
                               dedpul_error *error)
{
    const ssize_t n = read(stream->descriptor, buffer, size);
    if (n < 0) /* EINTR is an error, too: a signal ends a program that waits for a pipe */
        return cannot_read(error, stream->name, strerror(errno));
    *got = (size_t)n;
    stream->taken += *got;
    return DEDPUL_OK;
}

/* How many bytes of the file are still to be read; 0 if it is no regular file. */
static size_t size_of(int descriptor)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    const off_t at = lseek(descriptor, 0, SEEK_CUR); /* standard input may be within a file */
    return at >= 0 && status.st_size > at ? (size_t)(status.st_size - at) : 0;
}

dedpul_status stream_open(struct stream *stream, const char *path, dedpul_error *error)
{
    const int is_input = strcmp(path, "-") == 0;
    init(stream, is_input ? "standard input" : path, read_file);
    stream->descriptor = is_input ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (stream->descriptor < 0 && errno == ENOENT)
        return cannot_read(error, stream->name,
                           "No such file or directory; check the name and its directory");
    if (stream->descriptor < 0)
        return cannot_read(error, stream->name, strerror(errno));
    stream->size = size_of(stream->descriptor);
    const dedpul_status status = gzip_attach(stream, error);
    if (status != DEDPUL_OK)
        stream_close(stream);
    return status;
}

static dedpul_status read_memory(struct stream *stream, char *buffer, size_t size, size_t *got,
                                 dedpul_error *error)
{
    (void)error;
    *got = size < stream->left ? size : stream->left;
    if (*got == 0)
        return DEDPUL_OK;
    memcpy(buffer, stream->memory, *got);
    stream->memory += *got;
    stream->left -= *got;
    return DEDPUL_OK;
}

void stream_open_memory(struct stream *stream, const char *name, const void *bytes, size_t size)
{
    init(stream, name, read_memory);
    stream->memory = bytes;
    stream->left = size;
}

void stream_open_arrow(struct stream *stream, const char *name, struct ArrowArrayStream *arrow)
{
    init(stream, name, NULL);
    stream->arrow = arrow;
}

void stream_watch(struct stream *stream, dedpul_progress_function *progress, void *context)
{
    stream->progress = progress;
    stream->progress_context = context;
}

double stream_share(const struct stream *stream)
{
    return stream->size > 0 ? (double)stream->taken / (double)stream->size : 0;
}

/* A file that grows while it is read has no known size any more. */
dedpul_status stream_tell(const struct stream *stream, dedpul_error *error)
{
    const dedpul_progress progress = {.stage = "read",
                                      .step = stream->taken,
                                      .steps = stream->taken <= stream->size ? stream->size : 0,
                                      .loss = NAN,
                                      .unit = stream->arrow != NULL ? DEDPUL_UNIT_ROWS : DEDPUL_UNIT_BYTES};
    if (stream->progress != NULL && stream->progress(stream->progress_context, &progress) != 0)
        return error_set(error, DEDPUL_CANCELLED, "stopped");
    return DEDPUL_OK;
}

dedpul_status stream_read(struct stream *stream, char *buffer, size_t size, size_t *got, dedpul_error *error)
{
    const size_t peeked = stream->peek_end - stream->peek_begin;
    TRY(stream_tell(stream, error));
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
    gzip_detach(stream);
    if (stream->arrow != NULL && stream->arrow->release != NULL)
        stream->arrow->release(stream->arrow);
    if (stream->descriptor >= 0)
        (void)close(stream->descriptor);
    stream->descriptor = -1;
}
