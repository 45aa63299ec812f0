#include "text_buffer.h"

#include "context.h"

#include <string.h>

enum { FIRST_CAPACITY = 1 << 18 };

void text_buffer_init(struct text_buffer *text, struct stream *stream, const dedpul_allocator *allocator,
                      dedpul_error *error)
{
    *text = (struct text_buffer){
        .stream = stream,
        .allocator = allocator_or_default(allocator),
        .error = error,
        .next_line = 1,
    };
}

void text_buffer_free(struct text_buffer *text)
{
    (void)text->allocator.resize(text->allocator.context, text->bytes, 0);
}

static dedpul_status check_text(const struct text_buffer *text, const char *bytes, size_t n)
{
    const char *const zero = n > 0 ? memchr(bytes, 0, n) : NULL;
    if (zero == NULL)
        return DEDPUL_OK;
    const size_t offset = text->taken + (size_t)(zero - bytes);
    return error_set(text->error, DEDPUL_INVALID_DATA, "%s: byte %zu is zero, so this is no text file%s",
                     text->stream->name, offset + 1, offset < 4 ? " (or UTF-16: convert it to UTF-8)" : "");
}

dedpul_status text_buffer_fill(struct text_buffer *text)
{
    if (text->begin > 0) {
        memmove(text->bytes, text->bytes + text->begin, text->end - text->begin);
        text->end -= text->begin;
        text->begin = 0;
    }
    if (text->end > LONGEST_ROW)
        return error_set(text->error, DEDPUL_INVALID_DATA,
                         "%s: line %zu is longer than %zu MiB: a quote is not closed, or this is not a table",
                         text->stream->name, text->line, LONGEST_ROW >> 20);
    if (text->end + 1 >= text->capacity) {
        const size_t capacity = text->capacity > 0 ? 2 * text->capacity : FIRST_CAPACITY;
        char *bytes = text->allocator.resize(text->allocator.context, text->bytes, capacity);
        if (bytes == NULL)
            return error_set(text->error, DEDPUL_NO_MEMORY, "out of memory reading %s", text->stream->name);
        text->bytes = bytes;
        text->capacity = capacity;
    }
    size_t got;
    TRY(stream_read(text->stream, text->bytes + text->end, text->capacity - text->end - 1, &got,
                    text->error));
    TRY(check_text(text, text->bytes + text->end, got));
    text->at_end = got == 0;
    text->taken += got;
    text->end += got;
    text->bytes[text->end] = '\n';
    return DEDPUL_OK;
}

dedpul_status text_buffer_start(struct text_buffer *text)
{
    do
        TRY(text_buffer_fill(text));
    while (!text->at_end && text->end < FIRST_CAPACITY / 2);
    if (text->end >= 3 && memcmp(text->bytes, "\xef\xbb\xbf", 3) == 0)
        text->begin = 3;
    return DEDPUL_OK;
}

dedpul_status text_buffer_skip_line_ends(struct text_buffer *text)
{
    for (;;) {
        while (text->begin < text->end && is_line_end(text->bytes[text->begin])) {
            const char *at = text->bytes + text->begin;
            const bool is_last = text->begin + 1 == text->end;
            if (*at == '\r' && is_last && !text->at_end)
                break; /* a LF may follow */
            text->begin++;
            text->next_line += !(*at == '\r' && !is_last && at[1] == '\n'); /* the LF of the pair counts */
        }
        text->line = text->next_line;
        if (text->at_end || (text->begin < text->end && !is_line_end(text->bytes[text->begin])))
            return DEDPUL_OK;
        TRY(text_buffer_fill(text));
    }
}
