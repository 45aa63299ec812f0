/* Score files, and which columns of a file hold what. */
#include "score_table.h"

#include "columns.h"
#include "handle.h"

#include <string.h>

_Static_assert(TRUTH_NOT_KNOWN == DEDPUL_TRUTH_UNKNOWN, "unknown classes agree");

/* The public rows, and the data that they show. */
struct score_file {
    dedpul_score_table public; /* first: a dedpul_score_table * is a struct score_file * */
    struct score_table table;
};

void dedpul_columns_init_sized(dedpul_columns *columns, size_t size)
{
    const dedpul_columns standard = columns_default();
    sized_write(&standard, sizeof standard, columns, size);
}

dedpul_columns columns_default(void)
{
    return (dedpul_columns){
        .size = sizeof(dedpul_columns), .label = "label", .score = "score", .most_levels = 256};
}

dedpul_status columns_read(const dedpul_columns *given, dedpul_columns *columns, dedpul_error *error)
{
    *columns = columns_default();
    return given == NULL ? DEDPUL_OK
                         : sized_read("columns", given, SIZE_UP_TO(dedpul_columns, shape), sizeof *columns,
                                      columns, error);
}

void dedpul_score_table_free(dedpul_score_table *public)
{
    struct score_file *file = (struct score_file *)public;
    if (file == NULL)
        return;
    const dedpul_allocator allocator = file->table.allocator;
    score_table_free(&file->table);
    handle_free(allocator, file);
}

dedpul_status score_table_from_stream(struct stream *stream, const dedpul_columns *columns,
                                      const dedpul_allocator *allocator, dedpul_score_table **result,
                                      dedpul_error *error)
{
    struct score_file *file = handle_allocate(allocator, sizeof *file, error);
    if (file == NULL)
        return DEDPUL_NO_MEMORY;
    const struct score_columns wanted = {.label = columns->label,
                                         .score = columns->score,
                                         .weight = columns->weight,
                                         .positive = columns->positive,
                                         .truth = columns->truth};
    const dedpul_status status = score_table_read(stream, &wanted, allocator, &file->table, error);
    if (status != DEDPUL_OK) {
        dedpul_score_table_free(&file->public);
        return status;
    }
    file->public.rows = (dedpul_sample){file->table.n, file->table.score, file->table.weight};
    file->public.label = file->table.label;
    file->public.truth = file->table.truth;
    *result = &file->public;
    return DEDPUL_OK;
}

dedpul_status dedpul_score_table_read(const char *path, const dedpul_columns *given,
                                      const dedpul_allocator *allocator, dedpul_score_table **table,
                                      dedpul_error *error)
{
    dedpul_columns columns;
    struct stream stream;
    TRY(columns_read(given, &columns, error));
    if (path == NULL || table == NULL || columns.label == NULL || columns.score == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "path, table and the names of the columns must not be NULL");
    TRY(stream_open(&stream, path, error));
    const dedpul_status status = score_table_from_stream(&stream, &columns, allocator, table, error);
    stream_close(&stream);
    return status;
}
