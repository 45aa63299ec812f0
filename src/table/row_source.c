#include "row_source.h"

#include "context.h"
#include "foreign.h"

#include <stdio.h>
#include <string.h>

/*
 * The formats; the first that fits a file's first bytes is taken. To add one, write its opener, declare it in
 * row_source.h, and add a line here. Formats that are not read have theirs in foreign.c.
 */
static const struct row_format_kind {
    const char *magic;              /* the first bytes; NULL: see is_likely */
    row_format_detector *is_likely; /* NULL without a magic: any file */
    row_source_opener *open;
} kinds[] = {
    {.magic = "\x93NUMPY", .open = npy_rows_open},
    {.is_likely = idx_is_likely, .open = idx_rows_open},
    {.is_likely = cifar_is_likely, .open = cifar_rows_open},
    {.is_likely = libsvm_is_likely, .open = libsvm_rows_open},
    {.open = csv_rows_open},
};

static bool fits(const struct row_format_kind *kind, const char *bytes, size_t n)
{
    if (kind->magic != NULL)
        return n >= strlen(kind->magic) && memcmp(bytes, kind->magic, strlen(kind->magic)) == 0;
    return kind->is_likely == NULL || kind->is_likely(bytes, n, n < STREAM_PEEK);
}

dedpul_status row_source_open(struct stream *stream, const struct text_format *format,
                              const dedpul_allocator *allocator, dedpul_error *error,
                              struct row_source **source)
{
    const struct row_source common = {.stream = stream,
                                      .allocator = allocator_or_default(allocator),
                                      .error = error,
                                      .text = *format,
                                      .decimal = '.'};
    const struct row_format_kind *kind = kinds;
    const char *bytes;
    size_t n;
    *source = NULL;
    if (stream->arrow != NULL)
        return arrow_rows_open(&common, source);
    TRY(refuse_foreign(stream, error));
    TRY(stream_peek(stream, &bytes, &n, error));
    while (!fits(kind, bytes, n)) /* the last one fits all */
        kind++;
    return kind->open(&common, source);
}

void *row_source_allocate(const struct row_source *common, size_t size)
{
    char *memory = common->allocator.resize(common->allocator.context, NULL, size);
    if (memory == NULL)
        return NULL;
    memset(memory, 0, size);
    memcpy(memory, common, sizeof *common);
    return memory;
}

void row_source_free(struct row_source *source)
{
    if (source == NULL)
        return;
    const dedpul_allocator allocator = source->allocator;
    source->format->free(source);
    texts_free(&source->names, &allocator);
    (void)allocator.resize(allocator.context, source->cell, 0);
    (void)allocator.resize(allocator.context, source, 0);
}

const char *row_source_name(const struct row_source *source, size_t column, char buffer[NUMBER_SIZE])
{
    if (source->has_names)
        return source->names.text[column];
    if (source->begins_with_label && column == 0)
        return "label";
    return format_double(buffer, (double)(source->begins_with_label ? column : column + 1));
}

dedpul_status row_source_add_name(struct row_source *source, const char *name, size_t length,
                                  const char *where, const char *or_else)
{
    const size_t index = source->names.n;
    char number[64], quoted[QUOTE_SIZE];
    trim_blanks(&name, &length);
    if (length == 0) {
        length = (size_t)snprintf(number, sizeof number, "column %zu", index + 1);
        name = number;
    }
    const uint32_t other = texts_find(&source->names, name, length);
    if (other != NO_TEXT)
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s: %scolumns %zu and %zu are both called %s; rename one%s", source->stream->name,
                         where, (size_t)other + 1, index + 1, quote_text(quoted, name, length), or_else);
    if (!texts_add(&source->names, &source->allocator, name, length))
        return row_source_no_memory(source);
    return DEDPUL_OK;
}

size_t row_source_numbered(const struct row_source *source)
{
    return source->has_names || source->is_sparse ? 0 : source->n_columns - source->begins_with_label;
}

bool row_source_find(const struct row_source *source, const char *name, size_t *column)
{
    uint64_t number;
    if (source->has_names) {
        const uint32_t found = texts_find(&source->names, name, strlen(name));
        if (found != NO_TEXT)
            *column = found;
        return found != NO_TEXT;
    }
    if (source->begins_with_label && strcmp(name, "label") == 0) {
        *column = 0;
        return true;
    }
    if (!parse_whole(name, &number) || number == 0 ||
        number > (source->is_sparse ? MOST_NUMBERED_COLUMNS : row_source_numbered(source)))
        return false;
    *column = (size_t)(source->begins_with_label ? number : number - 1);
    return true;
}

dedpul_status row_source_no_memory(const struct row_source *source)
{
    return error_set(source->error, DEDPUL_NO_MEMORY, "out of memory reading %s", source->stream->name);
}
