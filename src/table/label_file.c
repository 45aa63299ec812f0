#include "label_file.h"

#include "selection.h"

dedpul_status label_file_open(struct label_file *file, struct stream *stream, const char *column,
                              const dedpul_allocator *allocator, dedpul_error *error)
{
    *file = (struct label_file){.name = column};
    TRY(row_source_open(stream, allocator, error, &file->source));
    if (row_source_numbered(file->source) == 1 && !file->source->begins_with_label)
        file->name = "1";
    return selection_find_role(file->source, TARGET_LABEL, file->name, &file->column);
}

dedpul_status label_file_next(struct label_file *file, const struct cell **label)
{
    struct row_source *source = file->source;
    bool has_row;
    *label = NULL;
    TRY(source->format->next(source, &has_row));
    for (size_t i = 0; has_row && *label == NULL; i++)
        if (source->cell[i].column == file->column)
            *label = &source->cell[i];
    return DEDPUL_OK;
}

void label_file_free(struct label_file *file)
{
    row_source_free(file->source);
}
