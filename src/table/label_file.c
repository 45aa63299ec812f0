#include "label_file.h"

#include "selection.h"

#include <string.h>

dedpul_status label_file_open(struct label_file *file, struct stream *stream, const char *column,
                              const struct text_format *format, const dedpul_allocator *allocator,
                              dedpul_error *error)
{
    *file = (struct label_file){.name = column};
    TRY(row_source_open(stream, format, allocator, error, &file->source));
    if (row_source_numbered(file->source) == 1 && !file->source->begins_with_label)
        file->name = "1";
    if (file->source->has_names && file->source->n_columns == 1 &&
        !row_source_find(file->source, file->name, &file->column)) {
        char wanted[QUOTE_SIZE], first[QUOTE_SIZE];
        const char *const begins = file->source->names.text[0];
        return error_set(error, DEDPUL_INVALID_DATA,
                         "%s has no column %s: the first line of a text file of labels names its column, but "
                         "here it is %s. "
                         "Add such a line, or name the column (--label COL)",
                         stream->name, quote_text(wanted, column, strlen(column)),
                         quote_text(first, begins, strlen(begins)));
    }
    return selection_find_role(file->source, TARGET_LABEL, file->name, "", &file->column);
}

dedpul_status label_file_next(struct label_file *file, const struct cell **label)
{
    struct row_source *source = file->source;
    bool has_row;
    TRY(source->format->next(source, &has_row));
    const struct cell *cell = source->cell;
    while (has_row && cell->column != file->column)
        cell++;
    *label = has_row ? cell : NULL;
    return DEDPUL_OK;
}

void label_file_free(struct label_file *file)
{
    row_source_free(file->source);
}
