/* Score files, and which columns of a file hold what. */
#include "columns.h"
#include "handle.h"
#include "ids.h"
#include "models.h"
#include "score_labeled.h"

#include <stdio.h>
#include <string.h>

_Static_assert(TRUTH_NOT_KNOWN == DEDPUL_TRUTH_UNKNOWN, "unknown classes agree");

/* The public rows, and the data that they show. */
struct score_file {
    dedpul_score_table public; /* first: a dedpul_score_table * is a struct score_file * */
    struct score_table table;
    dedpul_ids ids; /* if there are any */
    struct arena memory;
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

/* Gives the index of the text among the choices; that of NULL is 0. */
static dedpul_status choose(const char *name, const char *text, size_t n, const char *const *choices,
                            size_t *chosen, dedpul_error *error)
{
    char quoted[QUOTE_SIZE], list[64] = "";
    for (size_t i = 0; i < n; i++) {
        if (text == NULL || strcmp(text, choices[i]) == 0) {
            *chosen = i;
            return DEDPUL_OK;
        }
        (void)snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? " or " : "",
                       choices[i]);
    }
    return error_set(error, DEDPUL_INVALID_ARGUMENT, "%s: %s is not %s", name,
                     quote_text(quoted, text, strlen(text)), list);
}

dedpul_status text_format_read(const char *decimal, const char *header, struct text_format *format,
                               dedpul_error *error)
{
    static const char *const signs[] = {".", ","}, *const headers[] = {"yes", "no"};
    size_t sign, first;
    TRY(choose("decimal", decimal, 2, signs, &sign, error));
    TRY(choose("header", header, 2, headers, &first, error));
    *format =
        (struct text_format){.decimal = (char)(decimal != NULL ? *signs[sign] : 0), .no_header = first == 1};
    return DEDPUL_OK;
}

void dedpul_score_table_free(dedpul_score_table *public)
{
    struct score_file *file = (struct score_file *)public;
    if (file == NULL)
        return;
    const dedpul_allocator allocator = file->table.allocator;
    score_table_free(&file->table);
    arena_free(&file->memory);
    handle_free(allocator, file);
}

static dedpul_status read_wanted(const dedpul_columns *columns, struct score_columns *wanted,
                                 dedpul_error *error)
{
    static const char *const scales[] = {"probability", "percent", "logit"};
    size_t scale;
    *wanted = (struct score_columns){.label = columns->label,
                                     .score = columns->score,
                                     .weight = columns->weight,
                                     .positive = columns->positive,
                                     .truth = columns->truth,
                                     .id = columns->id,
                                     .squares = columns->squares,
                                     .kind = columns->kind};
    TRY(text_format_read(columns->decimal, columns->header, &wanted->format, error));
    TRY(choose("scale", columns->score_scale, 3, scales, &scale, error));
    wanted->scale = (enum score_scale)scale;
    return DEDPUL_OK;
}

/* Hands out the rows, or frees them after a failure. `id` is the column of identifiers, or NULL. */
static dedpul_status finish(struct score_file *file, dedpul_status status, const char *id,
                            dedpul_score_table **result, dedpul_error *error)
{
    arena_init(&file->memory, &file->table.allocator);
    if (status == DEDPUL_OK && id != NULL)
        status = ids_show(&file->memory, id, &file->table.id, &file->ids, error);
    if (status != DEDPUL_OK) {
        dedpul_score_table_free(&file->public);
        return status;
    }
    file->public.rows = (dedpul_sample){file->table.n, file->table.score, file->table.weight};
    file->public.label = file->table.label;
    file->public.truth = file->table.truth;
    file->public.ids = id != NULL ? &file->ids : NULL;
    file->public.squares = file->table.squares;
    *result = &file->public;
    return DEDPUL_OK;
}

dedpul_status score_table_from_stream(struct stream *stream, const dedpul_columns *columns,
                                      const dedpul_allocator *allocator, dedpul_score_table **result,
                                      dedpul_error *error)
{
    struct score_columns wanted;
    TRY(read_wanted(columns, &wanted, error));
    struct score_file *file = handle_allocate(allocator, sizeof *file, error);
    if (file == NULL)
        return DEDPUL_NO_MEMORY;
    return finish(file, score_table_read(stream, &wanted, allocator, &file->table, error), columns->id,
                  result, error);
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
    stream_watch(&stream, columns.progress, columns.progress_context);
    const dedpul_status status = score_table_from_stream(&stream, &columns, allocator, table, error);
    stream_close(&stream);
    return status;
}

/* ---- rows scored by a model ---- */

static dedpul_status score_stream(const dedpul_model *model, struct stream *stream,
                                  const dedpul_columns *columns, unsigned threads, struct score_file *file,
                                  dedpul_error *error)
{
    struct score_columns wanted;
    struct arena arena;
    TRY(read_wanted(columns, &wanted, error));
    arena_init(&arena, &model->model.memory.allocator);
    struct context context = context_of(&arena, NULL, error);
    context.threads = threads_or_default(threads);
    context.progress = columns->progress;
    context.progress_context = columns->progress_context;
    const dedpul_status status = score_labeled(&context, &model->model, stream, &wanted, &file->table);
    arena_free(&arena);
    return status;
}

static dedpul_status check_kinds(const struct model *model, const dedpul_columns *columns,
                                 dedpul_error *error)
{
    if (columns->kind != NULL && columns->label == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "kinds are those of labeled rows: name the column of labels (--label COL), or leave "
                         "the kinds out");
    return columns->kind != NULL && model->kinds.n == 0
               ? error_set(error, DEDPUL_INVALID_ARGUMENT,
                           "the model was fitted without kinds: leave the column of kinds out")
               : DEDPUL_OK;
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
    if (columns.label == NULL)
        TRY(model_check_kept(&model->model, "the file must have labeled rows (--label COL)", error));
    TRY(check_kinds(&model->model, &columns, error));
    struct score_file *file = handle_allocate(&model->model.memory.allocator, sizeof *file, error);
    if (file == NULL)
        return DEDPUL_NO_MEMORY;
    file->table = (struct score_table){.allocator = model->model.memory.allocator};
    dedpul_status status = stream_open(&stream, path, error);
    if (status == DEDPUL_OK) {
        status = score_stream(model, &stream, &columns, threads, file, error);
        stream_close(&stream);
    }
    return finish(file, status, columns.id, table, error);
}
