/*
 * Rows of CIFAR-10's binary files. A record is a label, 0 to 9, and three planes (red, green, blue) of 32 x
 * 32 bytes. Rows are images with the channels last.
 */
#include "array_rows.h"

enum { LARGEST_LABEL = 9, SIDE = 32, PLANE = SIDE * SIDE, CHANNELS = 3, RECORD = 1 + CHANNELS * PLANE };

/* Neither ASCII nor UTF-8 text has these bytes. */
static bool is_never_text(unsigned char byte)
{
    return byte < '\t' || (byte > '\r' && byte < ' ') || byte >= 0xf8;
}

bool cifar_is_likely(const char *bytes, size_t n, bool is_whole)
{
    (void)is_whole;
    if (n < RECORD || (unsigned char)bytes[0] > LARGEST_LABEL ||
        (n > RECORD && (unsigned char)bytes[RECORD] > LARGEST_LABEL))
        return false;
    for (size_t i = 0; i < RECORD; i++)
        if (is_never_text((unsigned char)bytes[i]))
            return true;
    return false;
}

static dedpul_status next(struct row_source *source, bool *has_row)
{
    bool has_next;
    TRY(array_rows_format.next(source, &has_next));
    if (has_next && source->cell[0].number > LARGEST_LABEL)
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s: row %zu has label %g, but CIFAR-10 has 0 to %d; it is damaged, or of another "
                         "format",
                         source->stream->name, source->number, source->cell[0].number, LARGEST_LABEL);
    *has_row = has_next;
    return DEDPUL_OK;
}

static void free_rows(struct row_source *source)
{
    array_rows_format.free(source);
}

static dedpul_status set_layout(struct array_rows *rows)
{
    rows->layout = (struct array_layout){
        .kind = VALUE_UNSIGNED,
        .value_size = 1,
        .has_any_rows = true,
        .n_columns = RECORD,
        .image = {SIDE, SIDE, CHANNELS},
    };
    return DEDPUL_OK;
}

dedpul_status cifar_rows_open(const struct row_source *common, struct row_source **source)
{
    static const struct row_format format = {.next = next, .free = free_rows};
    TRY(array_rows_open(common, set_layout, source));
    (*source)->format = &format;
    (*source)->begins_with_label = true;
    for (size_t channel = 0; channel < CHANNELS; channel++)
        for (size_t i = 0; i < PLANE; i++)
            (*source)->cell[1 + channel * PLANE + i].column = 1 + CHANNELS * i + channel;
    return DEDPUL_OK;
}
