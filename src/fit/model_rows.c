#include "model_rows.h"

#include "clock.h"

#include <math.h>

/* Times that are shorter say little. */
static const double shortest_measured = 0.5;

/* A column that the fit dropped may be missing. But if columns are found by number, all must be there. */
static bool is_wanted(const struct encoding *encoding, size_t column)
{
    return encoding->n_numbered > 0 || encoding->column[column].width > 0;
}

dedpul_status model_rows_open(struct context *context, const struct model *model, struct stream *stream,
                              const struct table_request *wanted, struct model_rows *rows)
{
    const struct encoding *encoding = &model->encoding;
    const size_t n = encoding->n_columns;
    struct table_request request = *wanted;
    struct column_schema *schema = context_allocate(context, n, sizeof *schema);
    struct column *column = context_allocate(context, n, sizeof *column);
    if (schema == NULL || column == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < n; c++)
        if (is_wanted(encoding, c))
            schema[request.n_schema++] = encoding->column[c].schema;
    request.schema = schema;
    request.n_numbered = encoding->n_numbered;
    request.image = model->image;
    *rows = (struct model_rows){.encoding = encoding,
                                .table = {.n_columns = n, .column = column},
                                .stream = stream,
                                .began = clock_seconds()};
    return table_reader_open(stream, &request, &context->arena->allocator, context->error, &rows->reader);
}

/* Puts the columns that were read at their places in the encoding. */
dedpul_status model_rows_next(struct model_rows *rows)
{
    struct table *table = &rows->table, *read;
    size_t next = 0;
    TRY(table_reader_next(rows->reader, MODEL_ROWS_PIECE, &read));
    for (size_t c = 0; c < table->n_columns; c++)
        table->column[c] =
            is_wanted(rows->encoding, c) ? read->column[next++] : (struct column){.number = NULL};
    table->n_rows = read->n_rows;
    table->label = read->label;
    table->weight = read->weight;
    table->truth = read->truth;
    table->id = read->id;
    table->kind = read->kind;
    table->kind_name = read->kind_name;
    return DEDPUL_OK;
}

dedpul_status model_rows_report(struct context *context, const struct model_rows *rows, size_t done)
{
    const double share = stream_share(rows->stream), elapsed = clock_seconds() - rows->began;
    dedpul_progress progress = {.stage = "predict", .step = done, .loss = NAN, .unit = DEDPUL_UNIT_ROWS};
    if (share > 0 && elapsed >= shortest_measured)
        progress.left = elapsed * (1 / share - 1);
    return context_report(context, &progress);
}

void model_rows_close(struct model_rows *rows)
{
    table_reader_free(rows->reader);
}
