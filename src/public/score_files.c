/* Score files, and which columns of a file hold what. */
#include "columns.h"
#include "handle.h"
#include "models.h"
#include "score_labeled.h"

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

static struct score_columns wanted_columns(const dedpul_columns *columns)
{
    return (struct score_columns){.label = columns->label,
                                  .score = columns->score,
                                  .weight = columns->weight,
                                  .positive = columns->positive,
                                  .truth = columns->truth};
}

/* Hands out the rows, or frees them after a failure. */
static dedpul_status finish(struct score_file *file, dedpul_status status, dedpul_score_table **result)
{
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

dedpul_status score_table_from_stream(struct stream *stream, const dedpul_columns *columns,
                                      const dedpul_allocator *allocator, dedpul_score_table **result,
                                      dedpul_error *error)
{
    struct score_file *file = handle_allocate(allocator, sizeof *file, error);
    if (file == NULL)
        return DEDPUL_NO_MEMORY;
    const struct score_columns wanted = wanted_columns(columns);
    return finish(file, score_table_read(stream, &wanted, allocator, &file->table, error), result);
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

/* ---- rows scored by a model ---- */

static dedpul_status score_stream(const dedpul_model *model, struct stream *stream,
                                  const dedpul_columns *columns, unsigned threads, struct score_file *file,
                                  dedpul_error *error)
{
    const struct score_columns wanted = wanted_columns(columns);
    struct arena arena;
    arena_init(&arena, &model->model.memory.allocator);
    struct context context = context_of(&arena, NULL, error);
    context.threads = threads_or_default(threads);
    const dedpul_status status = score_labeled(&context, &model->model, stream, &wanted, &file->table);
    arena_free(&arena);
    return status;
}

dedpul_status dedpul_model_score_file(const dedpul_model *model, const char *path,
                                      const dedpul_columns *given, unsigned threads,
                                      dedpul_score_table **table, dedpul_error *error)
{
    dedpul_columns columns;
    struct stream stream;
    TRY(columns_read(given, &columns, error));
    if (model == NULL || path == NULL || table == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "model, path and table must not be NULL");
    TRY(model_check_complete(model, error));
    if (columns.label == NULL && model->model.kept.n == 0)
        return error_set(error, DEDPUL_INVALID_DATA,
                         "the model was fitted by dedpul %s, whose models keep no scores: it has no labeled "
                         "rows, so the file must have some (--label)",
                         model->model.version);
    struct score_file *file = handle_allocate(&model->model.memory.allocator, sizeof *file, error);
    if (file == NULL)
        return DEDPUL_NO_MEMORY;
    file->table = (struct score_table){.allocator = model->model.memory.allocator};
    dedpul_status status = stream_open(&stream, path, error);
    if (status == DEDPUL_OK) {
        status = score_stream(model, &stream, &columns, threads, file, error);
        stream_close(&stream);
    }
    return finish(file, status, table);
}
