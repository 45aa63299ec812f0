/* Rows of NumPy's .npy files. */
#include "npy_header.h"

enum { LONGEST_HEADER = 1 << 16 };

/* Reads the magic, the version, the header's length and its text. */
static dedpul_status read_header(struct array_rows *rows)
{
    const struct row_source *source = &rows->source;
    const char *const name = source->stream->name;
    bool has_bytes = false;
    TRY(array_rows_need(rows, 12, &has_bytes));
    const unsigned version = has_bytes ? (unsigned char)rows->bytes[6] : 0;
    const size_t begin = version == 1 ? 10 : 12;
    if (has_bytes && (version < 1 || version > 3))
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s is in version %u of NumPy's format; versions 1 to 3 can be read", name, version);
    const size_t length = has_bytes ? (size_t)array_load(rows->bytes + 8, begin - 8, false) : 0;
    if (length > LONGEST_HEADER)
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s has a NumPy header of %zu bytes; at most %d can be read", name, length,
                         LONGEST_HEADER);
    if (has_bytes)
        TRY(array_rows_need(rows, begin + length, &has_bytes));
    if (!has_bytes)
        return array_rows_cut_header(rows);
    rows->begin = begin + length;
    return npy_header_parse(rows->bytes + begin, length, name, source->error, &rows->layout);
}

dedpul_status npy_rows_open(const struct row_source *common, struct row_source **source)
{
    return array_rows_open(common, read_header, source);
}
