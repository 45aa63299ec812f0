/* Rows of cells to typed columns. */
#include "column_store.h"
#include "context.h"
#include "labels.h"
#include "row_source.h"
#include "selection.h"
#include "table.h"

#include <math.h>
#include <string.h>

struct table_reader {
    dedpul_allocator allocator;
    dedpul_error *error;
    struct table_request request;
    struct row_source *source;
    struct selection selection;
    struct column_store store;
    struct labels labels;
    bool is_finished; /* a table without schema was handed out */
    bool at_end;
};

/* ---- opening ---- */

/* The columns there are before the first row. */
static dedpul_status add_columns(struct table_reader *reader)
{
    const struct row_source *source = reader->source;
    const struct table_request *request = &reader->request;
    char number[NUMBER_SIZE];
    for (size_t i = 0; request->schema != NULL && i < request->n_schema; i++)
        TRY(column_store_add_known(&reader->store, &request->schema[i]));
    if (request->schema != NULL || source->is_sparse)
        return DEDPUL_OK;
    for (size_t i = 0; i < source->n_columns; i++)
        if (reader->selection.target[i] == TARGET_NEW) {
            reader->selection.target[i] = reader->store.table.n_columns;
            TRY(column_store_add(&reader->store, row_source_name(source, i, number)));
        }
    return DEDPUL_OK;
}

static dedpul_status open_reader(struct table_reader *reader, struct stream *stream)
{
    const struct table_request *request = &reader->request;
    TRY(row_source_open(stream, &reader->allocator, reader->error, &reader->source));
    reader->store.is_sparse = reader->source->is_sparse;
    TRY(selection_init(&reader->selection, reader->source, request));
    if (request->label != NULL)
        TRY(labels_init(&reader->labels, stream->name, reader->source->unit, request->label,
                        request->positive, reader->error));
    return add_columns(reader);
}

dedpul_status table_reader_open(struct stream *stream, const struct table_request *request,
                                const dedpul_allocator *allocator, dedpul_error *error,
                                struct table_reader **reader)
{
    const dedpul_allocator used = allocator_or_default(allocator);
    struct table_reader *opened = used.resize(used.context, NULL, sizeof *opened);
    if (opened == NULL)
        return error_set(error, DEDPUL_NO_MEMORY, "out of memory reading %s", stream->name);
    *opened = (struct table_reader){
        .allocator = used,
        .error = error,
        .request = *request,
        .selection = {.allocator = used},
        .store = {.allocator = used,
                  .error = error,
                  .file = stream->name,
                  .most_levels = request->most_levels,
                  .has_schema = request->schema != NULL,
                  .has_label = request->label != NULL,
                  .has_weight = request->weight != NULL},
    };
    const dedpul_status status = open_reader(opened, stream);
    if (status != DEDPUL_OK) {
        table_reader_free(opened);
        return status;
    }
    *reader = opened;
    return DEDPUL_OK;
}

void table_reader_free(struct table_reader *reader)
{
    if (reader == NULL)
        return;
    row_source_free(reader->source);
    selection_free(&reader->selection);
    column_store_free(&reader->store);
    (void)reader->allocator.resize(reader->allocator.context, reader, 0);
}

size_t table_reader_numbered(const struct table_reader *reader)
{
    const struct row_source *source = reader->source;
    return source->has_names || source->is_sparse ? 0 : source->n_columns;
}

/* ---- rows ---- */

static dedpul_status put_label(struct table_reader *reader, const struct cell *cell)
{
    char digits[NUMBER_SIZE];
    const char *text = cell->text;
    size_t length = cell->length;
    if (text == NULL) {
        text = isfinite(cell->number) ? format_double(digits, cell->number) : "nan";
        length = strlen(text);
    }
    return labels_code(&reader->labels, text, length, reader->source->number, reader->error,
                       &reader->store.table.label[reader->store.table.n_rows]);
}

/* A column of a sparse file that no row before had. */
static dedpul_status add_sparse_column(struct table_reader *reader, size_t column, size_t *target)
{
    char number[NUMBER_SIZE];
    *target = reader->store.table.n_columns;
    if (!selection_set(&reader->selection, column, *target))
        return row_source_no_memory(reader->source);
    return column_store_add(&reader->store, row_source_name(reader->source, column, number));
}

static dedpul_status read_row(struct table_reader *reader)
{
    const struct row_source *source = reader->source;
    struct column_store *store = &reader->store;
    const struct place place = {source->stream->name, source->unit, source->number};
    TRY(column_store_reserve(store));
    if (source->is_sparse && store->has_weight)
        store->table.weight[store->table.n_rows] = 0;
    for (size_t i = 0; i < source->n_cells; i++) {
        const struct cell *cell = &source->cell[i];
        size_t target = selection_get(&reader->selection, cell->column);
        if (target == TARGET_NEW)
            TRY(add_sparse_column(reader, cell->column, &target));
        if (target < store->table.n_columns)
            TRY(column_store_put(store, target, &place, cell));
        else if (target == TARGET_LABEL)
            TRY(put_label(reader, cell));
        else if (target == TARGET_WEIGHT)
            TRY(cell_weight(cell, &place, reader->request.weight, reader->error,
                            &store->table.weight[store->table.n_rows]));
    }
    store->table.n_rows++;
    return DEDPUL_OK;
}

/* From codes to 1 and 0. */
static dedpul_status decide_labels(struct table_reader *reader)
{
    struct table *table = &reader->store.table;
    bool is_positive[MOST_LABELS + 1];
    TRY(labels_decide(&reader->labels, reader->at_end, reader->error, is_positive));
    for (size_t row = 0; row < table->n_rows; row++)
        table->label[row] = is_positive[table->label[row]];
    return DEDPUL_OK;
}

/* What only a table as a whole can have or lack. */
static dedpul_status finish_table(struct table_reader *reader)
{
    const struct table *table = &reader->store.table;
    const char *const name = reader->source->stream->name;
    if (table->n_rows == 0)
        return error_set(reader->error, DEDPUL_INVALID_DATA, "%s has %sno rows", name,
                         reader->source->has_names ? "a header but " : "");
    if (table->n_columns == 0)
        return error_set(reader->error, DEDPUL_INVALID_DATA,
                         "%s has no columns beside those of labels, of weights and to leave out", name);
    reader->is_finished = true;
    return column_store_finish(&reader->store);
}

dedpul_status table_reader_next(struct table_reader *reader, size_t most_rows, struct table **table)
{
    struct column_store *store = &reader->store;
    if (reader->is_finished && !reader->at_end)
        return error_set(reader->error, DEDPUL_INVALID_ARGUMENT,
                         "%s: without a schema, all rows must be read in one call",
                         reader->source->stream->name);
    column_store_clear(store);
    while (!reader->at_end && store->table.n_rows < most_rows) {
        bool has_row;
        TRY(reader->source->format->next(reader->source, &has_row));
        reader->at_end = !has_row;
        if (has_row)
            TRY(read_row(reader));
    }
    if (!store->has_schema && !reader->is_finished)
        TRY(finish_table(reader));
    if (store->has_label)
        TRY(decide_labels(reader));
    *table = &store->table;
    return DEDPUL_OK;
}
