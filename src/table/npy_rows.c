/* Rows of NumPy's .npy files. */
#include "npy_header.h"
#include "row_source.h"

#include <string.h>

enum { FIRST_CAPACITY = 1 << 17, LONGEST_HEADER = 1 << 16 };

struct npy_rows {
    struct row_source source; /* first: a struct row_source * is a struct npy_rows * */
    struct npy_header header;
    char *bytes;
    size_t capacity, begin, end; /* bytes begin .. end-1 are not used yet */
};

/* Reads until `wanted` bytes are there; *has_them is false where the file ends before. */
static dedpul_status need(struct npy_rows *rows, size_t wanted, bool *has_them)
{
    const struct row_source *source = &rows->source;
    if (rows->end - rows->begin < wanted && rows->begin > 0) {
        memmove(rows->bytes, rows->bytes + rows->begin, rows->end - rows->begin);
        rows->end -= rows->begin;
        rows->begin = 0;
    }
    if (wanted > rows->capacity) {
        const size_t capacity = wanted > FIRST_CAPACITY ? wanted : FIRST_CAPACITY;
        char *bytes = source->allocator.resize(source->allocator.context, rows->bytes, capacity);
        if (bytes == NULL)
            return row_source_no_memory(source);
        rows->bytes = bytes;
        rows->capacity = capacity;
    }
    size_t got = 1;
    while (got > 0 && rows->end - rows->begin < wanted) {
        TRY(stream_read(source->stream, rows->bytes + rows->end, rows->capacity - rows->end, &got,
                        source->error));
        rows->end += got;
    }
    *has_them = got > 0;
    return DEDPUL_OK;
}

/* An unsigned number of `size` bytes; the largest at index 0 or at the end. */
static inline uint64_t load(const char *bytes, size_t size, bool is_big_endian)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | (unsigned char)bytes[is_big_endian ? i : size - 1 - i];
    return value;
}

static double load_double(const char *bytes, bool is_big_endian)
{
    const uint64_t bits = load(bytes, sizeof bits, is_big_endian);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double load_float(const char *bytes, bool is_big_endian)
{
    const uint32_t bits = (uint32_t)load(bytes, sizeof bits, is_big_endian);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static dedpul_status next(struct row_source *source, bool *has_row)
{
    struct npy_rows *rows = (struct npy_rows *)source;
    const struct npy_header *header = &rows->header;
    const size_t row_size = header->n_columns * header->value_size; /* bounded by the most columns */
    bool has_bytes = false;
    *has_row = source->number < header->n_rows;
    TRY(need(rows, *has_row ? row_size : 1, &has_bytes));
    if (*has_row && !has_bytes)
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s is cut off: it ends after %zu of its %zu rows; fetch it again",
                         source->stream->name, source->number, header->n_rows);
    if (!*has_row && has_bytes)
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s has further bytes after its %zu rows; a file must hold one array",
                         source->stream->name, header->n_rows);
    if (!*has_row)
        return DEDPUL_OK;
    const char *at = rows->bytes + rows->begin;
    for (size_t i = 0; i < header->n_columns; i++, at += header->value_size)
        source->cell[i].number = header->value_size == 4 ? load_float(at, header->is_big_endian)
                                                         : load_double(at, header->is_big_endian);
    rows->begin += row_size;
    source->number++;
    return DEDPUL_OK;
}

static void free_rows(struct row_source *source)
{
    (void)source->allocator.resize(source->allocator.context, ((struct npy_rows *)source)->bytes, 0);
}

/* Magic, version, the header's length and its text. */
static dedpul_status read_header(struct npy_rows *rows)
{
    const struct row_source *source = &rows->source;
    const char *const name = source->stream->name;
    bool has_bytes = false;
    TRY(need(rows, 12, &has_bytes));
    const unsigned version = has_bytes ? (unsigned char)rows->bytes[6] : 0;
    const size_t begin = version == 1 ? 10 : 12;
    if (has_bytes && (version < 1 || version > 3))
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s is in version %u of NumPy's format; versions 1 to 3 can be read", name, version);
    const size_t length = has_bytes ? (size_t)load(rows->bytes + 8, begin - 8, false) : 0;
    if (length > LONGEST_HEADER)
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s has a NumPy header of %zu bytes; at most %d can be read", name, length,
                         LONGEST_HEADER);
    if (has_bytes)
        TRY(need(rows, begin + length, &has_bytes));
    if (!has_bytes)
        return error_set(source->error, DEDPUL_INVALID_DATA, "%s is cut off in its header; fetch it again",
                         name);
    rows->begin = begin + length;
    return npy_header_parse(rows->bytes + begin, length, name, source->error, &rows->header);
}

dedpul_status npy_rows_open(const struct row_source *common, struct row_source **source)
{
    static const struct row_format format = {next, free_rows};
    struct npy_rows *rows = row_source_allocate(common, sizeof *rows);
    if (rows == NULL)
        return row_source_no_memory(common);
    rows->source.format = &format;
    rows->source.unit = "row";
    *source = &rows->source;
    TRY(read_header(rows));
    const size_t n = rows->header.n_columns;
    if (n == 0 || n > MOST_NUMBERED_COLUMNS)
        return error_set(common->error, DEDPUL_INVALID_DATA, "%s has %zu columns; a table has 1 to %d",
                         common->stream->name, n, MOST_NUMBERED_COLUMNS);
    rows->source.cell = common->allocator.resize(common->allocator.context, NULL, n * sizeof(struct cell));
    if (rows->source.cell == NULL)
        return row_source_no_memory(common);
    for (size_t i = 0; i < n; i++)
        rows->source.cell[i] = (struct cell){.column = i};
    rows->source.n_columns = rows->source.n_cells = n;
    return DEDPUL_OK;
}
