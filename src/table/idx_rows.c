/*
 * Rows of IDX files, the format of MNIST. A file has two zero bytes, the type of values, the number of
 * dimensions, the dimensions and the values, all big-endian.
 */
#include "array_rows.h"

enum { MAGIC_SIZE = 4, DIMENSION_SIZE = 4, FIRST_TYPE = 0x08, LAST_TYPE = 0x0e, MOST_DIMENSIONS = 8 };

bool idx_is_likely(const char *bytes, size_t n, bool is_whole)
{
    (void)is_whole;
    return n >= MAGIC_SIZE && bytes[0] == 0 && bytes[1] == 0 && bytes[2] >= FIRST_TYPE &&
           bytes[2] <= LAST_TYPE && bytes[3] >= 1 && bytes[3] <= MOST_DIMENSIONS;
}

static bool read_type(char type, struct array_layout *layout)
{
    static const struct {
        enum value_kind kind;
        size_t size; /* 0: there is no such type */
    } types[LAST_TYPE - FIRST_TYPE + 1] = {
        {VALUE_UNSIGNED, 1}, {VALUE_SIGNED, 1}, {VALUE_SIGNED, 0}, {VALUE_SIGNED, 2},
        {VALUE_SIGNED, 4},   {VALUE_FLOAT, 4},  {VALUE_FLOAT, 8},
    };
    layout->kind = types[type - FIRST_TYPE].kind;
    layout->value_size = types[type - FIRST_TYPE].size;
    layout->is_big_endian = true;
    return layout->value_size > 0;
}

static dedpul_status read_header(struct array_rows *rows)
{
    const struct row_source *source = &rows->source;
    size_t dimension[MOST_DIMENSIONS];
    bool has_bytes;
    TRY(array_rows_need(rows, MAGIC_SIZE, &has_bytes)); /* idx_is_likely has seen them */
    if (!read_type(rows->bytes[2], &rows->layout))
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s is an IDX file with values of unknown type %d", source->stream->name,
                         rows->bytes[2]);
    const size_t n = (size_t)rows->bytes[3], size = MAGIC_SIZE + n * DIMENSION_SIZE;
    TRY(array_rows_need(rows, size, &has_bytes));
    if (!has_bytes)
        return array_rows_cut_header(rows);
    for (size_t i = 0; i < n; i++)
        dimension[i] =
            (size_t)array_load(rows->bytes + MAGIC_SIZE + i * DIMENSION_SIZE, DIMENSION_SIZE, true);
    rows->begin = size;
    if (!array_layout_set_dimensions(&rows->layout, n, dimension))
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s is an IDX file of %zu dimensions; at most 4 can be read: rows, height, width, "
                         "channels",
                         source->stream->name, n);
    return DEDPUL_OK;
}

dedpul_status idx_rows_open(const struct row_source *common, struct row_source **source)
{
    return array_rows_open(common, read_header, source);
}
