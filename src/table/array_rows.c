#include "array_rows.h"

#include <string.h>

enum { FIRST_CAPACITY = 1 << 17 };

dedpul_status array_rows_need(struct array_rows *rows, size_t wanted, bool *has_them)
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

dedpul_status array_rows_cut_header(const struct array_rows *rows)
{
    return error_set(rows->source.error, DEDPUL_INVALID_DATA, "%s is cut off in its header; fetch it again",
                     rows->source.stream->name);
}

/* ---- dimensions ---- */

/* The product, or SIZE_MAX if it is too large. */
static size_t multiply(size_t a, size_t b)
{
    return b > 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

bool array_layout_set_dimensions(struct array_layout *layout, size_t n, const size_t *dimension)
{
    if (n < 1 || n > 4)
        return false;
    layout->n_rows = dimension[0];
    layout->n_columns = 1;
    for (size_t i = 1; i < n; i++)
        layout->n_columns = multiply(layout->n_columns, dimension[i]);
    if (n >= 3)
        layout->image = (struct image_shape){dimension[1], dimension[2], n == 4 ? dimension[3] : 1};
    return true;
}

/* ---- values ---- */

static inline uint64_t load(const char *bytes, size_t size, bool is_big_endian)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | (unsigned char)bytes[is_big_endian ? i : size - 1 - i];
    return value;
}

uint64_t array_load(const char *bytes, size_t size, bool is_big_endian)
{
    return load(bytes, size, is_big_endian);
}

static double float_of_bits(uint64_t bits, size_t size)
{
    if (size == sizeof(float)) {
        const uint32_t narrow_bits = (uint32_t)bits;
        float narrow;
        memcpy(&narrow, &narrow_bits, sizeof narrow);
        return (double)narrow;
    }
    double wide;
    memcpy(&wide, &bits, sizeof wide);
    return wide;
}

static double signed_of_bits(uint64_t bits, size_t size)
{
    return size == 1   ? (int8_t)bits
           : size == 2 ? (int16_t)bits
           : size == 4 ? (int32_t)bits
                       : (double)(int64_t)bits;
}

static void fill_cells(struct array_rows *rows)
{
    const struct array_layout *layout = &rows->layout;
    const size_t size = layout->value_size;
    const char *at = rows->bytes + rows->begin;
    struct cell *cell = rows->source.cell;
    if (layout->kind == VALUE_UNSIGNED && size == 1) { /* most images are so: this loop must be fast */
        for (size_t i = 0; i < layout->n_columns; i++)
            cell[i].number = (unsigned char)at[i];
        return;
    }
    for (size_t i = 0; i < layout->n_columns; i++, at += size) {
        const uint64_t bits = load(at, size, layout->is_big_endian);
        cell[i].number = layout->kind == VALUE_FLOAT    ? float_of_bits(bits, size)
                         : layout->kind == VALUE_SIGNED ? signed_of_bits(bits, size)
                                                        : (double)bits;
    }
}

/* ---- rows ---- */

static dedpul_status cut_off(const struct array_rows *rows)
{
    const struct row_source *source = &rows->source;
    if (rows->layout.has_any_rows)
        return error_set(
            source->error, DEDPUL_INVALID_DATA,
            "%s is cut off: after %zu rows of %zu bytes there are %zu bytes more; fetch it again",
            source->stream->name, source->number, rows->layout.n_columns, rows->end - rows->begin);
    return error_set(source->error, DEDPUL_INVALID_DATA,
                     "%s is cut off: it ends after %zu of its %zu rows; fetch it again", source->stream->name,
                     source->number, rows->layout.n_rows);
}

static dedpul_status next(struct row_source *source, bool *has_row)
{
    struct array_rows *rows = (struct array_rows *)source;
    const struct array_layout *layout = &rows->layout;
    const size_t row_size =
        layout->n_columns * layout->value_size; /* cannot overflow: n_columns is bounded */
    const bool is_due = layout->has_any_rows || source->number < layout->n_rows;
    bool has_bytes = false;
    TRY(array_rows_need(rows, is_due ? row_size : 1, &has_bytes));
    if (is_due && !has_bytes && !(layout->has_any_rows && rows->begin == rows->end))
        return cut_off(rows);
    if (!is_due && has_bytes)
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s has further bytes after its %zu rows; a file must hold one array",
                         source->stream->name, layout->n_rows);
    *has_row = is_due && has_bytes;
    if (!*has_row)
        return DEDPUL_OK;
    fill_cells(rows);
    rows->begin += row_size;
    source->number++;
    return DEDPUL_OK;
}

static void free_rows(struct row_source *source)
{
    (void)source->allocator.resize(source->allocator.context, ((struct array_rows *)source)->bytes, 0);
}

const struct row_format array_rows_format = {.next = next, .free = free_rows};

dedpul_status array_rows_open(const struct row_source *common,
                              dedpul_status (*read_header)(struct array_rows *rows),
                              struct row_source **source)
{
    struct array_rows *rows = row_source_allocate(common, sizeof *rows);
    if (rows == NULL)
        return row_source_no_memory(common);
    rows->source.format = &array_rows_format;
    rows->source.unit = "row";
    *source = &rows->source;
    TRY(read_header(rows));
    const size_t n = rows->layout.n_columns;
    if (n == 0 || n > MOST_NUMBERED_COLUMNS)
        return error_set(common->error, DEDPUL_INVALID_DATA, "%s has %zu columns; a table has 1 to %d",
                         common->stream->name, n, MOST_NUMBERED_COLUMNS);
    rows->source.cell = common->allocator.resize(common->allocator.context, NULL, n * sizeof(struct cell));
    if (rows->source.cell == NULL)
        return row_source_no_memory(common);
    for (size_t i = 0; i < n; i++)
        rows->source.cell[i] = (struct cell){.column = i};
    rows->source.n_columns = rows->source.n_cells = n;
    rows->source.image = rows->layout.image;
    return DEDPUL_OK;
}
