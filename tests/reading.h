/* Tables read from bytes and written out as text, for tests. */
#ifndef DEDPUL_TESTS_READING_H
#define DEDPUL_TESTS_READING_H

#include "stream.h"
#include "support.h"
#include "table.h"

/*
 * Reads the bytes, `piece` rows at a time (0: all at once), and appends each piece's columns to `out`:
 * "a=1,?|b=red,*|label=10|weight=1,2|id=[x][y]|group=0,1" with ? for missing and * for unseen. The pieces'
 * values stand behind one another, so that `out` does not depend on `piece`. `stream_size` bytes at most come
 * from the stream at once.
 */
struct reading {
    const struct table_request *request;
    const dedpul_allocator *allocator; /* NULL: malloc */
    size_t piece, stream_size;         /* 0: no limit */
    const void *labels;                /* a file of labels, called "labels"; NULL: none */
    size_t labels_size;
    size_t numbered;          /* set: what table_reader_numbered said */
    struct image_shape image; /* set: the table's */
};
dedpul_status read_as_text(struct reading *reading, const void *bytes, size_t n, char *out, size_t size);

/* The same from a stream that is open; reading->stream_size is not read. */
dedpul_status read_stream_as_text(struct reading *reading, struct stream *stream, char *out, size_t size);

/* From now on at most `size` bytes come from the stream at once. One stream at a time. */
void stream_in_pieces(struct stream *stream, size_t size);

/* Reads at once and compares, or looks for the message. */
#define assert_reads(text, request, expected) \
    assert_reads_bytes((text), strlen(text), (request), (expected), __FILE__, __LINE__)
void assert_reads_bytes(const void *bytes, size_t n, const struct table_request *request,
                        const char *expected, const char *file, int line);

#define assert_refuses(text, request, message) \
    assert_refuses_bytes((text), strlen(text), (request), (message), __FILE__, __LINE__)
void assert_refuses_bytes(const void *bytes, size_t n, const struct table_request *request,
                          const char *message, const char *file, int line);

/* An allocator whose n-th call (from 0) fails. */
struct failing {
    size_t calls, fails_at;
    size_t blocks; /* allocated and not freed */
};
void *failing_resize(void *context, void *block, size_t size);

#endif
