#include "gzip.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { INPUT_SIZE = 1 << 17 };

static const unsigned char magic[] = {0x1f, 0x8b};

struct gzip {
    stream_reader *read_file; /* the bytes as they are in the file */
    enum { UNKNOWN, PLAIN, GZIP } kind;
    bool is_in_member; /* false before a member and after the last one */
    bool at_end;       /* of the file */
    size_t taken;      /* how many bytes were read from the file */
    z_stream z;        /* next_in, avail_in: the input that is not used yet */
    unsigned char input[INPUT_SIZE];
};

static dedpul_status refuse(const struct stream *stream, const char *problem, dedpul_error *error)
{
    return error_set(error, DEDPUL_IO, "cannot read %s: %s; fetch the file again", stream->name, problem);
}

static dedpul_status no_memory(const struct stream *stream, dedpul_error *error)
{
    return error_set(error, DEDPUL_NO_MEMORY, "out of memory reading %s", stream->name);
}

/* Reads until at least `wanted` bytes of input are there, or the file ends. */
static dedpul_status need_input(struct stream *stream, size_t wanted, dedpul_error *error)
{
    struct gzip *gzip = stream->gzip;
    z_stream *z = &gzip->z;
    while (z->avail_in < wanted && !gzip->at_end) {
        size_t got;
        memmove(gzip->input, z->next_in, z->avail_in);
        z->next_in = gzip->input;
        TRY(gzip->read_file(stream, (char *)gzip->input + z->avail_in, INPUT_SIZE - z->avail_in, &got,
                            error));
        z->avail_in += (uInt)got;
        gzip->taken += got;
        gzip->at_end = got == 0;
    }
    return DEDPUL_OK;
}

static dedpul_status at_magic(struct stream *stream, dedpul_error *error, bool *is_there)
{
    const z_stream *z = &stream->gzip->z;
    TRY(need_input(stream, sizeof magic, error));
    *is_there = z->avail_in >= sizeof magic && memcmp(z->next_in, magic, sizeof magic) == 0;
    return DEDPUL_OK;
}

static dedpul_status recognise(struct stream *stream, dedpul_error *error)
{
    const int window_bits = 15, gzip_alone = 16;
    struct gzip *gzip = stream->gzip;
    bool is_gzip;
    TRY(at_magic(stream, error, &is_gzip));
    if (is_gzip && inflateInit2(&gzip->z, window_bits + gzip_alone) != Z_OK)
        return no_memory(stream, error);
    gzip->kind = is_gzip ? GZIP : PLAIN;
    gzip->is_in_member = is_gzip;
    return DEDPUL_OK;
}

/* After a member: begins the next one, or finds the end of the file. */
static dedpul_status next_member(struct stream *stream, dedpul_error *error)
{
    struct gzip *gzip = stream->gzip;
    z_stream *z = &gzip->z;
    do {
        TRY(need_input(stream, 1, error));
        for (; z->avail_in > 0 && *z->next_in == 0; z->avail_in--)
            z->next_in++;
    } while (z->avail_in == 0 && !gzip->at_end);
    if (z->avail_in == 0)
        return DEDPUL_OK;
    TRY(at_magic(stream, error, &gzip->is_in_member));
    if (!gzip->is_in_member)
        return error_set(error, DEDPUL_IO,
                         "cannot read %s: its gzip data ends before byte %zu, but other bytes follow; fetch "
                         "the file again, or unpack it with gzip -d and check that no rows are missing",
                         stream->name, gzip->taken - z->avail_in + 1);
    (void)inflateReset(z); /* cannot fail: the state is valid */
    return DEDPUL_OK;
}

/* Unpacks more of the member to z->next_out, at most z->avail_out bytes. */
static dedpul_status unpack(struct stream *stream, dedpul_error *error)
{
    struct gzip *gzip = stream->gzip;
    z_stream *z = &gzip->z;
    TRY(need_input(stream, 1, error));
    if (z->avail_in == 0)
        return refuse(stream, "the gzip file is cut off", error);
    switch (inflate(z, Z_NO_FLUSH)) {
    case Z_STREAM_END:
        gzip->is_in_member = false;
        return DEDPUL_OK;
    case Z_OK:
        return DEDPUL_OK;
    case Z_MEM_ERROR:
        return no_memory(stream, error);
    default:
        return refuse(stream, z->msg != NULL ? z->msg : "invalid gzip data", error);
    }
}

static dedpul_status read_gzip(struct stream *stream, char *buffer, size_t size, size_t *got,
                               dedpul_error *error)
{
    struct gzip *gzip = stream->gzip;
    const uInt room = size < UINT_MAX ? (uInt)size : UINT_MAX;
    bool has_ended = false;
    gzip->z.next_out = (unsigned char *)buffer;
    gzip->z.avail_out = room;
    while (gzip->z.avail_out > 0 && !has_ended) {
        TRY(gzip->is_in_member ? unpack(stream, error) : next_member(stream, error));
        has_ended = !gzip->is_in_member && gzip->at_end && gzip->z.avail_in == 0;
    }
    *got = room - gzip->z.avail_out;
    return DEDPUL_OK;
}

static dedpul_status read_plain(struct stream *stream, char *buffer, size_t size, size_t *got,
                                dedpul_error *error)
{
    struct gzip *gzip = stream->gzip;
    z_stream *z = &gzip->z;
    if (z->avail_in == 0) {
        *got = 0;
        if (!gzip->at_end) /* a terminal gives its end only once */
            TRY(gzip->read_file(stream, buffer, size, got, error));
        gzip->at_end = *got == 0;
        return DEDPUL_OK;
    }
    *got = size < z->avail_in ? size : z->avail_in; /* the bytes that recognise() read */
    memcpy(buffer, z->next_in, *got);
    z->next_in += *got;
    z->avail_in -= (uInt)*got;
    return DEDPUL_OK;
}

static dedpul_status read_either(struct stream *stream, char *buffer, size_t size, size_t *got,
                                 dedpul_error *error)
{
    if (stream->gzip->kind == UNKNOWN)
        TRY(recognise(stream, error));
    return stream->gzip->kind == GZIP ? read_gzip(stream, buffer, size, got, error)
                                      : read_plain(stream, buffer, size, got, error);
}

dedpul_status gzip_attach(struct stream *stream, dedpul_error *error)
{
    struct gzip *gzip = malloc(sizeof *gzip);
    if (gzip == NULL)
        return no_memory(stream, error);
    gzip->read_file = stream->read;
    gzip->kind = UNKNOWN;
    gzip->is_in_member = gzip->at_end = false;
    gzip->taken = 0;
    gzip->z = (z_stream){.next_in = gzip->input};
    stream->gzip = gzip;
    stream->read = read_either;
    return DEDPUL_OK;
}

void gzip_detach(struct stream *stream)
{
    if (stream->gzip != NULL && stream->gzip->kind == GZIP)
        (void)inflateEnd(&stream->gzip->z);
    free(stream->gzip);
    stream->gzip = NULL;
}
