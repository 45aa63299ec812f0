/*
 * Any bytes as a gzip file, and any bytes packed as one in which a byte is then changed: a table or a clean
 * error, and never a part of the content as if it were the whole.
 */
#define ZLIB_CONST /* next_in points to const */

#include "any_table.h"
#include "gzip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input begins with kind and request, which byte is changed (2 bytes), and how. The rest is the content.
 */
enum { HEADER = 4, RAW = 0x80, TWO_MEMBERS = 0x40, MOST_CONTENT = 1 << 15, MOST_PACKED = 2 * MOST_CONTENT };

/* Appends the bytes to the file as a member. */
static void pack(const uint8_t *bytes, size_t n, unsigned char *file, size_t *used)
{
    const int window_bits = 9, gzip_alone = 16, least_memory = 1; /* little to clear, so fast */
    z_stream z = {.next_in = bytes, .avail_in = (uInt)n};
    if (deflateInit2(&z, 1, Z_DEFLATED, window_bits + gzip_alone, least_memory, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    z.next_out = file + *used;
    z.avail_out = (uInt)(MOST_PACKED - *used);
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    *used += z.total_out;
    (void)deflateEnd(&z);
}

static void open_gzip(struct stream *stream, const void *bytes, size_t n)
{
    dedpul_error error;
    stream_open_memory(stream, "fuzz", bytes, n);
    if (gzip_attach(stream, &error) != DEDPUL_OK)
        abort();
}

/* What unpacks without an error is the content. */
static void check_content(const unsigned char *file, size_t n, const uint8_t *content, size_t content_size,
                          bool is_changed)
{
    static char unpacked[MOST_PACKED];
    struct stream stream;
    dedpul_error error;
    dedpul_status status;
    size_t used = 0, got = 1;
    open_gzip(&stream, file, n);
    while ((status = stream_read(&stream, unpacked + used, sizeof unpacked - used, &got, &error)) ==
               DEDPUL_OK &&
           got > 0)
        used += got;
    stream_close(&stream);
    if (status != DEDPUL_OK ? !is_changed || status != DEDPUL_IO
                            : used != content_size || memcmp(unpacked, content, used) != 0)
        abort();
}

static void read_table(unsigned choice, const void *bytes, size_t n)
{
    struct stream stream;
    open_gzip(&stream, bytes, n);
    read_any_table(choice, &stream, NULL);
    stream_close(&stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char file[MOST_PACKED];
    if (size < HEADER || size > MOST_CONTENT)
        return 0;
    const unsigned choice = data[0] & ~(unsigned)(RAW | TWO_MEMBERS);
    const uint8_t *const content = data + HEADER;
    const size_t n = size - HEADER, first = (data[0] & TWO_MEMBERS) != 0 ? n / 2 : n;
    size_t used = 0;
    if ((data[0] & RAW) != 0) {
        read_table(choice, content, n);
        return 0;
    }
    pack(content, first, file, &used);
    if (first < n)
        pack(content + first, n - first, file, &used);
    const size_t at = ((size_t)data[1] | (size_t)data[2] << 8) % used;
    file[at] ^= data[3];
    if (at >= 2 || data[3] == 0) /* without its magic it is a plain file */
        check_content(file, used, content, n, data[3] != 0);
    read_table(choice, file, used);
    return 0;
}
