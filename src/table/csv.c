#include "csv.h"

enum { FIRST_FIELDS = 16 };

void csv_init(struct csv *csv, struct stream *stream, const dedpul_allocator *allocator, dedpul_error *error)
{
    *csv = (struct csv){.error = error};
    text_buffer_init(&csv->text, stream, allocator, error);
}

void csv_free(struct csv *csv)
{
    (void)csv->text.allocator.resize(csv->text.allocator.context, csv->field, 0);
    text_buffer_free(&csv->text);
}

/* ---- fields and rows ---- */

static dedpul_status grow_fields(struct csv *csv)
{
    const size_t most = csv->most_fields > 0 ? 2 * csv->most_fields : FIRST_FIELDS;
    struct csv_field *field =
        csv->text.allocator.resize(csv->text.allocator.context, csv->field, most * sizeof *field);
    if (field == NULL)
        return error_set(csv->error, DEDPUL_NO_MEMORY, "out of memory reading %s", csv->text.stream->name);
    csv->field = field;
    csv->most_fields = most;
    return DEDPUL_OK;
}

static inline dedpul_status add_field(struct csv *csv, char *text, size_t length, bool has_escapes)
{
    if (csv->n_fields == csv->most_fields)
        TRY(grow_fields(csv));
    csv->field[csv->n_fields++] = (struct csv_field){text, length, has_escapes};
    return DEDPUL_OK;
}

/* How far a row is parsed. If its bytes are not all there, it is parsed again from its beginning. */
struct cursor {
    char *at, *end;
    size_t lines;   /* how many lines end inside quotes */
    bool need_more; /* the bytes end before the row does */
};

static dedpul_status parse_quoted(struct csv *csv, struct cursor *cursor)
{
    const size_t opened = csv->text.line + cursor->lines;
    char *const text = cursor->at + 1;
    bool has_escapes = false;
    char *at = text;
    for (;; at++) {
        if (at == cursor->end) {
            cursor->need_more = true;
            return csv->text.at_end
                       ? error_set(csv->error, DEDPUL_INVALID_DATA,
                                   "%s: line %zu: a quote is opened but never closed; close it, or "
                                   "take it out",
                                   csv->text.stream->name, opened)
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
    if (cursor->at == cursor->end && !csv->text.at_end) {
        cursor->need_more = true; /* the quote may turn out to be doubled */
        return DEDPUL_OK;
    }
    if (*cursor->at != csv->dialect.delimiter && !is_line_end(*cursor->at))
        return error_set(csv->error, DEDPUL_INVALID_DATA,
                         "%s: line %zu: text follows a closing quote; quotes inside a quoted field "
                         "are doubled",
                         csv->text.stream->name, csv->text.line + cursor->lines);
    return add_field(csv, text, (size_t)(at - text), has_escapes);
}

static dedpul_status parse_plain(struct csv *csv, struct cursor *cursor)
{
    char *at = cursor->at;
    const char delimiter = csv->dialect.delimiter;
    while (*at != delimiter && !is_line_end(*at)) /* the sentinel ends it */
        at++;
    TRY(add_field(csv, cursor->at, (size_t)(at - cursor->at), false));
    cursor->at = at;
    return DEDPUL_OK;
}

/* Steps over the end of the line. Asks for more bytes if an LF may follow a CR. */
static void end_line(const struct csv *csv, struct cursor *cursor)
{
    if (cursor->at == cursor->end) {
        cursor->need_more = !csv->text.at_end;
        return;
    }
    if (*cursor->at == '\r') {
        if (cursor->at + 1 == cursor->end && !csv->text.at_end) {
            cursor->need_more = true;
            return;
        }
        if (cursor->at + 1 < cursor->end && cursor->at[1] == '\n')
            cursor->at++;
    }
    cursor->at++;
}

/* Parses the fields from cursor->at to the end of the row. */
static dedpul_status parse_row(struct csv *csv, struct cursor *cursor)
{
    csv->n_fields = 0;
    for (;;) {
        TRY(*cursor->at == '"' ? parse_quoted(csv, cursor) : parse_plain(csv, cursor));
        if (cursor->need_more)
            return DEDPUL_OK;
        if (cursor->at == cursor->end || *cursor->at != csv->dialect.delimiter)
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
            i++; /* skip the second quote of a pair */
    }
    field->length = (size_t)(to - field->text);
    field->has_escapes = false;
}

/* Finds the dialect. The header is assumed to fit into the first read. */
static dedpul_status start(struct csv *csv)
{
    struct text_buffer *text = &csv->text;
    TRY(text_buffer_start(text));
    csv->dialect =
        dialect_find(text->bytes + text->begin, text->end - text->begin, text->at_end, &csv->format);
    return DEDPUL_OK;
}

dedpul_status csv_next(struct csv *csv, bool *has_row)
{
    struct cursor cursor;
    if (csv->dialect.delimiter == 0)
        TRY(start(csv));
    TRY(text_buffer_skip_line_ends(&csv->text));
    if (csv->text.begin == csv->text.end) {
        *has_row = false;
        return DEDPUL_OK;
    }
    for (;;) {
        cursor =
            (struct cursor){csv->text.bytes + csv->text.begin, csv->text.bytes + csv->text.end, 0, false};
        TRY(parse_row(csv, &cursor));
        if (!cursor.need_more)
            break;
        TRY(text_buffer_fill(&csv->text));
    }
    csv->text.begin = (size_t)(cursor.at - csv->text.bytes);
    csv->text.next_line = csv->text.line + cursor.lines + 1;
    for (size_t i = 0; i < csv->n_fields; i++)
        if (csv->field[i].has_escapes)
            unescape(&csv->field[i]);
    *has_row = true;
    return DEDPUL_OK;
}
