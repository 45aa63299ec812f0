#include "reading.h"

#include "number.h"

#include <stdio.h>

enum { MOST_TEST_COLUMNS = 20, N_ROLES = 7, COLUMN_SIZE = 4000, OUT_SIZE = 20000 };

/* ---- streams in small pieces ---- */

static size_t stream_size;
static dedpul_status (*read_whole)(struct stream *, char *, size_t, size_t *, dedpul_error *);

static dedpul_status read_pieces(struct stream *stream, char *buffer, size_t size, size_t *got,
                                 dedpul_error *error)
{
    return read_whole(stream, buffer, size < stream_size ? size : stream_size, got, error);
}

void stream_in_pieces(struct stream *stream, size_t size)
{
    stream_size = size;
    read_whole = stream->read;
    stream->read = read_pieces;
}

/* ---- tables as text ---- */

static void append(char column[COLUMN_SIZE], const char *separator, const char *value)
{
    const size_t used = strlen(column);
    (void)snprintf(column + used, COLUMN_SIZE - used, "%s%s", used > 0 ? separator : "", value);
}

static const char *value_text(const struct column *column, size_t row, char digits[NUMBER_SIZE])
{
    if (column->schema.kind == COLUMN_NUMBER)
        return isnan(column->number[row]) ? "?" : format_double(digits, column->number[row]);
    const uint32_t code = column->code[row];
    return code == LEVEL_MISSING ? "?" : code == LEVEL_UNSEEN ? "*" : column->schema.level[code];
}

/* Identifiers stand in brackets, so that empty ones are seen. */
static void append_keys(const struct table *table, size_t row, char (*values)[COLUMN_SIZE])
{
    char digits[NUMBER_SIZE], text[COLUMN_SIZE];
    if (table->id.offset != NULL) {
        (void)snprintf(text, sizeof text, "[%.*s]", (int)row_texts_length(&table->id, row),
                       table->id.bytes + table->id.offset[row]);
        append(values[3], "", text);
    }
    if (table->group != NULL) {
        assert_true(table->group[row] < table->n_groups);
        append(values[4], ",", format_double(digits, table->group[row]));
    }
    if (table->kind != NULL)
        append(values[5], ",", table->kind[row] == KIND_NONE ? "?" : table->kind_name[table->kind[row]]);
    if (table->propensity != NULL)
        append(values[6], ",",
               isnan(table->propensity[row]) ? "?" : format_double(digits, table->propensity[row]));
}

static void append_rows(const struct table *table, char (*values)[COLUMN_SIZE])
{
    char digits[NUMBER_SIZE];
    for (size_t row = 0; row < table->n_rows; row++) {
        for (size_t i = 0; i < table->n_columns; i++)
            append(values[i], ",", value_text(&table->column[i], row, digits));
        if (table->label != NULL)
            append(values[table->n_columns], "", table->label[row] == 1 ? "1" : "0");
        if (table->weight != NULL)
            append(values[table->n_columns + 1], ",", format_double(digits, table->weight[row]));
        if (table->truth != NULL)
            append(values[table->n_columns + 2], "",
                   table->truth[row] > 1    ? "?"
                   : table->truth[row] == 1 ? "1"
                                            : "0");
        append_keys(table, row, values + table->n_columns);
    }
}

static void join(const struct table *table, char (*values)[COLUMN_SIZE], char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    static const char *const roles[N_ROLES] = {"label", "weight", "truth",     "id",
                                               "group", "kind",   "propensity"};
    for (size_t i = 0; i < table->n_columns + N_ROLES; i++) {
        const char *const name =
            i < table->n_columns ? table->column[i].schema.name : roles[i - table->n_columns];
        if (i < table->n_columns || values[i][0] != '\0')
            used += (size_t)snprintf(out + used, size - used, "%s%s=%s", i > 0 ? "|" : "", name, values[i]);
        assert_true(used < size);
    }
}

static dedpul_status read_pieces_of_table(struct reading *reading, struct table_reader *reader, char *out,
                                          size_t size)
{
    static char values[MOST_TEST_COLUMNS + N_ROLES][COLUMN_SIZE];
    struct table *table;
    memset(values, 0, sizeof values);
    do {
        TRY(table_reader_next(reader, reading->piece > 0 ? reading->piece : SIZE_MAX, &table));
        assert_true(table->n_columns <= MOST_TEST_COLUMNS);
        assert_true(reading->piece == 0 || table->n_rows <= reading->piece);
        append_rows(table, values);
    } while (table->n_rows > 0);
    join(table, values, out, size);
    reading->image = table->image;
    return DEDPUL_OK;
}

dedpul_status read_as_text(struct reading *reading, const void *bytes, size_t n, char *out, size_t size)
{
    struct stream stream;
    stream_open_memory(&stream, "file", bytes, n);
    if (reading->stream_size > 0)
        stream_in_pieces(&stream, reading->stream_size);
    return read_stream_as_text(reading, &stream, out, size);
}

dedpul_status read_stream_as_text(struct reading *reading, struct stream *stream, char *out, size_t size)
{
    struct table_request request = *reading->request;
    struct stream labels;
    struct table_reader *reader;
    if (reading->labels != NULL) {
        stream_open_memory(&labels, "labels", reading->labels, reading->labels_size);
        request.labels = &labels;
    }
    TRY(table_reader_open(stream, &request, reading->allocator, &test_error, &reader));
    reading->numbered = table_reader_numbered(reader);
    const dedpul_status status = read_pieces_of_table(reading, reader, out, size);
    table_reader_free(reader);
    return status;
}

void assert_reads_bytes(const void *bytes, size_t n, const struct table_request *request,
                        const char *expected, const char *file, int line)
{
    char out[OUT_SIZE];
    struct reading reading = {.request = request};
    assert_ok_at(read_as_text(&reading, bytes, n, out, sizeof out), &test_error, file, line);
    _assert_string_equal(out, expected, file, line);
}

void assert_refuses_bytes(const void *bytes, size_t n, const struct table_request *request,
                          const char *message, const char *file, int line)
{
    char out[OUT_SIZE];
    struct reading reading = {.request = request};
    _assert_int_equal((uintmax_t)read_as_text(&reading, bytes, n, out, sizeof out), DEDPUL_INVALID_DATA, file,
                      line);
    assert_contains_at(test_error.message, "file", file, line);
    assert_contains_at(test_error.message, message, file, line);
}

void *failing_resize(void *context, void *block, size_t size)
{
    struct failing *failing = context;
    if (size == 0) {
        failing->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (failing->calls++ == failing->fails_at)
        return NULL;
    failing->blocks += block == NULL;
    return realloc(block, size);
}
