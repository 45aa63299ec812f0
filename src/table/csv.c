#include "csv.h"

#include "context.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_CAPACITY = 1 << 18, FIRST_FIELDS = 16 };

void csv_init(struct csv *csv, struct stream *stream, const dedpul_allocator *allocator, dedpul_error *error)
{
    *csv = (struct csv){
        .stream = stream,
        .allocator = allocator_or_default(allocator),
        .error = error,
        .next_line = 1,
    };
}

void csv_free(struct csv *csv)
{
    (void)csv->allocator.resize(csv->allocator.context, csv->buffer, 0);
    (void)csv->allocator.resize(csv->allocator.context, csv->field, 0);
}

static dedpul_status no_memory(const struct csv *csv)
{
    return error_set(csv->error, DEDPUL_NO_MEMORY, "out of memory reading %s", csv->stream->name);
}

/* ---- the buffer ---- */

static dedpul_status check_text(const struct csv *csv, const char *bytes, size_t n)
{
    const char *const zero = n > 0 ? memchr(bytes, 0, n) : NULL;
    if (zero == NULL)
        return DEDPUL_OK;
    const size_t offset = csv->taken + (size_t)(zero - bytes);
    return error_set(csv->error, DEDPUL_INVALID_DATA, "%s: byte %zu is zero, so this is no text file%s",
                     csv->stream->name, offset + 1, offset < 4 ? " (or UTF-16: convert it to UTF-8)" : "");
}

/* Reads more bytes behind those not parsed yet. A newline stands after the last byte as a sentinel. */
static dedpul_status fill(struct csv *csv)
{
    if (csv->begin > 0) {
        memmove(csv->buffer, csv->buffer + csv->begin, csv->end - csv->begin);
        csv->end -= csv->begin;
        csv->begin = 0;
    }
    if (csv->end > CSV_LONGEST_ROW)
        return error_set(csv->error, DEDPUL_INVALID_DATA,
                         "%s: line %zu is longer than %zu MiB: a quote that is not closed, or no table",
                         csv->stream->name, csv->line, CSV_LONGEST_ROW >> 20);
    if (csv->end + 1 >= csv->capacity) {
        const size_t capacity = csv->capacity > 0 ? 2 * csv->capacity : FIRST_CAPACITY;
        char *buffer = csv->allocator.resize(csv->allocator.context, csv->buffer, capacity);
        if (buffer == NULL)
            return no_memory(csv);
        csv->buffer = buffer;
        csv->capacity = capacity;
    }
    size_t got;
    TRY(csv->stream->read(csv->stream, csv->buffer + csv->end, csv->capacity - csv->end - 1, &got,
                          csv->error));
    TRY(check_text(csv, csv->buffer + csv->end, got));
    csv->at_end = got == 0;
    csv->taken += got;
    csv->end += got;
    csv->buffer[csv->end] = '\n';
    return DEDPUL_OK;
}

/* ---- fields and rows ---- */

static dedpul_status add_field(struct csv *csv, char *text, size_t length, bool has_escapes)
{
    if (csv->n_fields == csv->most_fields) {
        const size_t most = csv->most_fields > 0 ? 2 * csv->most_fields : FIRST_FIELDS;
        struct csv_field *field =
            csv->allocator.resize(csv->allocator.context, csv->field, most * sizeof *field);
        if (field == NULL)
            return no_memory(csv);
        csv->field = field;
        csv->most_fields = most;
    }
    csv->field[csv->n_fields++] = (struct csv_field){text, length, has_escapes};
    return DEDPUL_OK;
}

/* Where parsing of a row stands: all of it is done again when more bytes have come. */
struct cursor {
    char *at, *end;
    size_t lines;   /* line ends inside quotes */
    bool need_more; /* the bytes end before the row does */
};

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static dedpul_status parse_quoted(struct csv *csv, struct cursor *cursor)
{
    const size_t opened = csv->line + cursor->lines;
    char *const text = cursor->at + 1;
    bool has_escapes = false;
    char *at = text;
    for (;; at++) {
        if (at == cursor->end) {
            cursor->need_more = true;
            return csv->at_end ? error_set(csv->error, DEDPUL_INVALID_DATA,
                                           "%s: line %zu: a quote is opened but never closed",
                                           csv->stream->name, opened)
                               : DEDPUL_OK;
        }
        if (*at == '\n')
            cursor->lines++;
        if (*at != '"')
            continue;
        if (at + 1 < cursor->end && at[1] == '"') {
            has_escapes = true;
            at++;
            continue;
        }
        break;
    }
    cursor->at = at + 1;
    if (cursor->at == cursor->end && !csv->at_end) {
        cursor->need_more = true; /* the quote may turn out to be doubled */
        return DEDPUL_OK;
    }
    if (*cursor->at != csv->delimiter && !is_line_end(*cursor->at))
        return error_set(csv->error, DEDPUL_INVALID_DATA,
                         "%s: line %zu: text follows a closing quote; quotes inside a quoted field "
                         "are doubled",
                         csv->stream->name, csv->line + cursor->lines);
    return add_field(csv, text, (size_t)(at - text), has_escapes);
}

static dedpul_status parse_plain(struct csv *csv, struct cursor *cursor)
{
    char *at = cursor->at;
    const char delimiter = csv->delimiter;
    while (*at != delimiter && !is_line_end(*at)) /* the sentinel ends it */
        at++;
    TRY(add_field(csv, cursor->at, (size_t)(at - cursor->at), false));
    cursor->at = at;
    return DEDPUL_OK;
}

/* Steps over the end of the line; asks for more where a CR may be followed by a LF. */
static void end_line(const struct csv *csv, struct cursor *cursor)
{
    if (cursor->at == cursor->end) {
        cursor->need_more = !csv->at_end;
        return;
    }
    if (*cursor->at == '\r') {
        if (cursor->at + 1 == cursor->end && !csv->at_end) {
            cursor->need_more = true;
            return;
        }
        if (cursor->at + 1 < cursor->end && cursor->at[1] == '\n')
            cursor->at++;
    }
    cursor->at++;
}

/* The fields from cursor->at to the end of the row. */
static dedpul_status parse_row(struct csv *csv, struct cursor *cursor)
{
    csv->n_fields = 0;
    for (;;) {
        TRY(*cursor->at == '"' ? parse_quoted(csv, cursor) : parse_plain(csv, cursor));
        if (cursor->need_more)
            return DEDPUL_OK;
        if (cursor->at == cursor->end || *cursor->at != csv->delimiter)
            break;
        cursor->at++;
    }
    end_line(csv, cursor);
    return DEDPUL_OK;
}

static void unescape(struct csv_field *field)
{
    char *to = field->text;
    for (size_t i = 0; i < field->length; i++) {
        *to++ = field->text[i];
        if (field->text[i] == '"')
            i++; /* the second of a pair */
    }
    field->length = (size_t)(to - field->text);
    field->has_escapes = false;
}

static void find_delimiter(struct csv *csv)
{
    static const char candidates[] = {',', ';', '\t'};
    size_t count[sizeof candidates] = {0};
    bool is_quoted = false;
    size_t i = csv->begin;
    while (i < csv->end && is_line_end(csv->buffer[i]))
        i++;
    for (; i < csv->end; i++) {
        const char c = csv->buffer[i];
        if (c == '"')
            is_quoted = !is_quoted;
        if (is_line_end(c) && !is_quoted)
            break;
        for (size_t k = 0; k < sizeof candidates; k++)
            count[k] += c == candidates[k] && !is_quoted;
    }
    size_t best = 0;
    for (size_t k = 1; k < sizeof candidates; k++)
        if (count[k] > count[best])
            best = k;
    csv->delimiter = candidates[best];
}

/* The first bytes: byte order mark and delimiter. The header is taken to fit into the first read. */
static dedpul_status start(struct csv *csv)
{
    do
        TRY(fill(csv));
    while (!csv->at_end && csv->end < FIRST_CAPACITY / 2);
    if (csv->end >= 3 && memcmp(csv->buffer, "\xef\xbb\xbf", 3) == 0)
        csv->begin = 3;
    find_delimiter(csv);
    return DEDPUL_OK;
}

/* Leaves csv->begin at the first byte of a row, or at the end. */
static dedpul_status skip_line_ends(struct csv *csv)
{
    for (;;) {
        while (csv->begin < csv->end && is_line_end(csv->buffer[csv->begin])) {
            const char *at = csv->buffer + csv->begin++;
            const bool is_pair = *at == '\r' && csv->begin < csv->end && at[1] == '\n';
            csv->next_line += !is_pair; /* the LF of the pair counts */
        }
        csv->line = csv->next_line;
        if (csv->begin < csv->end || csv->at_end)
            return DEDPUL_OK;
        TRY(fill(csv));
    }
}

dedpul_status csv_next(struct csv *csv, bool *has_row)
{
    struct cursor cursor;
    if (csv->delimiter == 0)
        TRY(start(csv));
    TRY(skip_line_ends(csv));
    *has_row = csv->begin < csv->end;
    if (!*has_row)
        return DEDPUL_OK;
    for (;;) {
        cursor = (struct cursor){csv->buffer + csv->begin, csv->buffer + csv->end, 0, false};
        TRY(parse_row(csv, &cursor));
        if (!cursor.need_more)
            break;
        TRY(fill(csv));
    }
    csv->begin = (size_t)(cursor.at - csv->buffer);
    csv->next_line = csv->line + cursor.lines + 1;
    for (size_t i = 0; i < csv->n_fields; i++)
        if (csv->field[i].has_escapes)
            unescape(&csv->field[i]);
    return DEDPUL_OK;
}
