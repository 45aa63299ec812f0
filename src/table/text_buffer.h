/* Bytes of a text file, kept until its lines are parsed. */
#ifndef DEDPUL_TABLE_TEXT_BUFFER_H
#define DEDPUL_TABLE_TEXT_BUFFER_H

#include "stream.h"

#include <stdbool.h>

/* Longer rows are an error: such a file is hardly a table. */
#define LONGEST_ROW ((size_t)16 << 20)

struct text_buffer {
    struct stream *stream; /* borrowed */
    dedpul_allocator allocator;
    dedpul_error *error; /* may be NULL */
    size_t line;         /* where the bytes begin, from 1; the parser sets next_line */
    size_t next_line;
    char *bytes;
    size_t capacity, begin, end; /* bytes begin .. end-1 are not parsed yet; a newline follows them */
    size_t taken;                /* how many bytes were read from the stream */
    bool at_end;
};

void text_buffer_init(struct text_buffer *text, struct stream *stream, const dedpul_allocator *allocator,
                      dedpul_error *error);

/* Reads the first bytes and steps over a UTF-8 byte order mark. */
dedpul_status text_buffer_start(struct text_buffer *text);

/* Reads more bytes behind those not parsed yet, which move. A byte of zero is an error. */
dedpul_status text_buffer_fill(struct text_buffer *text);

/* Leaves text->begin at the first byte of a row, or at the end. */
dedpul_status text_buffer_skip_line_ends(struct text_buffer *text);

void text_buffer_free(struct text_buffer *text);

static inline bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

#endif
