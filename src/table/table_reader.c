/* Rows of cells to typed columns. */
#include "column_store.h"
#include "context.h"
#include "groups.h"
#include "label_file.h"
#include "labels.h"
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
    struct label_file label_file; /* if the request names one */
    struct labels labels, truth;
    size_t n_read;    /* rows so far */
    bool is_finished; /* a table without schema was handed out */
    bool at_end;
};

/* ---- opening ---- */

/* Adds a column of the file to the table. */
static dedpul_status add_new_column(struct table_reader *reader, size_t column, size_t *target)
{
    char number[NUMBER_SIZE];
    *target = reader->store.table.n_columns;
    if (!selection_set(&reader->selection, column, *target))
        return row_source_no_memory(reader->source);
    return column_store_add(&reader->store, row_source_name(reader->source, column, number));
}

/* Adds the columns known before the first row. In a sparse file, these are only the pixels of images. */
static dedpul_status add_columns(struct table_reader *reader)
{
    const struct row_source *source = reader->source;
    const struct table_request *request = &reader->request;
    const size_t n = source->is_sparse ? 1 + image_shape_size(request->image) : source->n_columns;
    size_t target;
    for (size_t i = 0; request->schema != NULL && i < request->n_schema; i++)
        TRY(column_store_add_known(&reader->store, &request->schema[i]));
    for (size_t i = 0; request->schema == NULL && i < n; i++)
        if (selection_get(&reader->selection, i) == TARGET_NEW)
            TRY(add_new_column(reader, i, &target));
    return DEDPUL_OK;
}

/* Tells the source which columns are needed. */
static dedpul_status want_columns(struct table_reader *reader)
{
    struct row_source *source = reader->source;
    const struct column_format *columns = source->format->columns;
    for (size_t i = 0; columns != NULL && i < source->n_columns; i++)
        if (selection_get(&reader->selection, i) != TARGET_NONE)
            TRY(columns->want(source, i));
    return DEDPUL_OK;
}

/* Makes the columns that the source calls categories text columns, unless their kinds are known. */
static dedpul_status set_categories(struct table_reader *reader)
{
    const struct row_source *source = reader->source;
    if (source->is_category == NULL || reader->store.has_schema || image_shape_is_set(reader->request.image))
        return DEDPUL_OK;
    for (size_t i = 0; i < source->n_columns; i++) {
        const size_t target = selection_get(&reader->selection, i);
        if (source->is_category[i] && target < reader->store.table.n_columns)
            TRY(column_store_make_text(&reader->store, target));
    }
    return DEDPUL_OK;
}

/* Makes the columns whose numbers are codes text columns. */
static dedpul_status set_categorical(struct table_reader *reader)
{
    const char *names = reader->request.categorical;
    if (names != NULL &&
        (image_shape_is_set(reader->request.image) || image_shape_is_set(reader->source->image)))
        return error_set(reader->error, DEDPUL_INVALID_DATA,
                         "%s: the pixels of images are numbers, so none can be a code (--categorical)",
                         reader->source->stream->name);
    while (names != NULL) {
        size_t column, target;
        TRY(selection_take_name(reader->source, &names, "of codes (--categorical)", &column));
        if (column == NO_COLUMN)
            continue;
        target = selection_get(&reader->selection, column);
        if (target == TARGET_NEW) /* of a sparse file */
            TRY(add_new_column(reader, column, &target));
        if (target >= reader->store.table.n_columns)
            return selection_refuse_two(reader->source, column, target, "of codes (--categorical)");
        TRY(column_store_make_text(&reader->store, target));
    }
    return DEDPUL_OK;
}

/* The shape of rows that are images must fit the columns. */
static dedpul_status check_image(const struct table_reader *reader)
{
    const struct table *table = &reader->store.table;
    char shape[IMAGE_SHAPE_TEXT];
    if (!image_shape_is_set(table->image) || image_shape_fits(table->image, table->n_columns))
        return DEDPUL_OK;
    return error_set(reader->error, DEDPUL_INVALID_DATA,
                     "%s has %zu columns beside those of labels, of weights and to leave out, but images of "
                     "%s have %zu pixels (--shape)",
                     reader->store.file, table->n_columns, image_shape_format(shape, table->image),
                     image_shape_size(table->image));
}

/* Opens the file of labels, if there is one. */
static dedpul_status open_labels(struct table_reader *reader)
{
    const struct table_request *request = &reader->request;
    const struct row_source *source = reader->source;
    const char *column = request->label;
    if (request->labels != NULL) {
        TRY(label_file_open(&reader->label_file, request->labels, request->label, &request->format,
                            &reader->allocator, reader->error));
        source = reader->label_file.source;
        column = reader->label_file.name;
    }
    const struct place place = {source->stream->name, source->unit, 0, source->decimal};
    return labels_init(&reader->labels, place, column, request->positive, reader->error);
}

static dedpul_status open_truth(struct table_reader *reader)
{
    const struct row_source *source = reader->source;
    const struct place place = {source->stream->name, source->unit, 0, source->decimal};
    return labels_init(&reader->truth, place, reader->request.truth, reader->request.positive, reader->error);
}

/* If the model's images and the file's have a shape, it must be the same. */
static dedpul_status check_same_image(const struct table_reader *reader)
{
    const struct image_shape wanted = reader->request.image, given = reader->source->image;
    char wanted_text[IMAGE_SHAPE_TEXT], given_text[IMAGE_SHAPE_TEXT];
    if (!image_shape_is_set(wanted) || !image_shape_is_set(given) ||
        (wanted.height == given.height && wanted.width == given.width && wanted.channels == given.channels))
        return DEDPUL_OK;
    return error_set(reader->error, DEDPUL_INVALID_DATA,
                     "%s has images of %s (height, width, channels), but the model was fitted on %s",
                     reader->source->stream->name, image_shape_format(given_text, given),
                     image_shape_format(wanted_text, wanted));
}

/* A model of a matrix cannot know how the columns of arrays are called: they count by their numbers. */
static void forget_names(struct table_reader *reader, const struct table_request *request)
{
    size_t column;
    if (request->n_numbered > 0 && reader->source->stream->arrow != NULL &&
        !row_source_find(reader->source, request->schema[0].name, &column))
        reader->source->has_names = false;
}

static dedpul_status open_reader(struct table_reader *reader, struct stream *stream)
{
    const struct table_request *request = &reader->request;
    TRY(row_source_open(stream, &request->format, &reader->allocator, reader->error, &reader->source));
    forget_names(reader, request);
    reader->store.is_sparse = reader->source->is_sparse;
    reader->store.table.is_comma_guess = reader->source->is_comma_guess;
    TRY(selection_init(&reader->selection, reader->source, request));
    if (request->label != NULL)
        TRY(open_labels(reader));
    if (request->truth != NULL)
        TRY(open_truth(reader));
    TRY(want_columns(reader));
    TRY(add_columns(reader));
    TRY(set_categories(reader));
    TRY(set_categorical(reader));
    if (request->schema != NULL)
        return check_same_image(reader);
    reader->store.table.image = image_shape_is_set(request->image) ? request->image : reader->source->image;
    return check_image(reader);
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
                  .has_weight = request->weight != NULL,
                  .has_truth = request->truth != NULL,
                  .has_group = request->group != NULL,
                  .has_kind = request->kind != NULL,
                  .has_propensity = request->propensity != NULL},
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
    label_file_free(&reader->label_file);
    selection_free(&reader->selection);
    column_store_free(&reader->store);
    (void)reader->allocator.resize(reader->allocator.context, reader, 0);
}

size_t table_reader_numbered(const struct table_reader *reader)
{
    return row_source_numbered(reader->source);
}

/* ---- rows ---- */

/* A cell's text; a number is written to `digits`. */
static const char *text_of(const struct cell *cell, char digits[NUMBER_SIZE], size_t *length)
{
    const char *text = cell->text;
    *length = cell->length;
    if (text == NULL) {
        text = isfinite(cell->number) ? format_double(digits, cell->number) : "nan";
        *length = strlen(text);
    }
    return text;
}

static dedpul_status put_label(struct table_reader *reader, const struct row_source *source,
                               const struct cell *cell)
{
    char digits[NUMBER_SIZE];
    size_t length;
    const char *text = text_of(cell, digits, &length);
    return labels_code(&reader->labels, text, length, source->number, reader->error,
                       &reader->store.table.label[reader->store.table.n_rows]);
}

static dedpul_status put_truth(struct table_reader *reader, const struct cell *cell)
{
    char digits[NUMBER_SIZE];
    size_t length;
    const char *text = text_of(cell, digits, &length);
    return labels_code_truth(&reader->truth, text, length, reader->source->number, reader->error,
                             &reader->store.table.truth[reader->store.table.n_rows]);
}

/*
 * The text of a cell that tells rows apart, an identifier or a group. Numbers must have at most 15 digits:
 * longer ones may have been rounded to the same double, and would be written as powers of ten.
 */
static dedpul_status key_of(const struct table_reader *reader, const struct cell *cell,
                            char digits[NUMBER_SIZE], const char **text, size_t *length)
{
    char quoted[QUOTE_SIZE];
    if (cell->text == NULL && fabs(cell->number) >= 1e15)
        return error_set(reader->error, DEDPUL_INVALID_DATA,
                         "%s: %s %zu: %s is too large for the number of a row or a group, which has at most "
                         "15 digits; a file of text (CSV) has any",
                         reader->source->stream->name, reader->source->unit, reader->source->number,
                         quote_cell(quoted, cell));
    *text = text_of(cell, digits, length);
    return DEDPUL_OK;
}

static dedpul_status put_id(struct table_reader *reader, const struct cell *cell)
{
    struct column_store *store = &reader->store;
    char digits[NUMBER_SIZE];
    const char *text;
    size_t length;
    TRY(key_of(reader, cell, digits, &text, &length));
    return row_texts_add(&store->table.id, &store->allocator, text, length)
               ? DEDPUL_OK
               : row_source_no_memory(reader->source);
}

_Static_assert(KIND_NONE == GROUP_NONE, "kinds are coded as groups are");

/* Codes a cell of a column of groups or kinds. */
static dedpul_status put_code(struct table_reader *reader, const struct cell *cell, struct texts *names,
                              uint32_t *code /* (rows) */)
{
    const struct column_store *store = &reader->store;
    char digits[NUMBER_SIZE];
    const char *text;
    size_t length;
    TRY(key_of(reader, cell, digits, &text, &length));
    return groups_code(names, &store->allocator, text, length, &code[store->table.n_rows])
               ? DEDPUL_OK
               : row_source_no_memory(reader->source);
}

/* Cells that a row of a sparse file may lack: they are 0 until one that is there replaces them. */
static dedpul_status begin_sparse_row(struct table_reader *reader)
{
    struct column_store *store = &reader->store;
    const size_t row = store->table.n_rows;
    if (store->has_weight)
        store->table.weight[row] = 0;
    if (store->has_group)
        store->table.group[row] = GROUP_NONE;
    if (store->has_kind)
        store->table.kind[row] = KIND_NONE;
    if (store->has_propensity)
        store->table.propensity[row] = 0;
    return store->has_truth ? put_truth(reader, &(struct cell){.number = 0}) : DEDPUL_OK;
}

static dedpul_status end_sparse_row(struct table_reader *reader)
{
    const struct table *table = &reader->store.table;
    const struct cell zero = {.number = 0};
    if (reader->request.id != NULL && table->id.n == table->n_rows)
        TRY(put_id(reader, &zero));
    if (table->group != NULL && table->group[table->n_rows] == GROUP_NONE)
        TRY(put_code(reader, &zero, &reader->store.groups, table->group));
    return DEDPUL_OK;
}

/* Puts a value where it belongs in row number table.n_rows. */
static inline dedpul_status put_cell(struct table_reader *reader, const struct cell *cell)
{
    const struct row_source *source = reader->source;
    struct column_store *store = &reader->store;
    const struct place place = {source->stream->name, source->unit, source->number, source->decimal};
    size_t target = selection_get(&reader->selection, cell->column);
    if (target == TARGET_NEW)
        TRY(add_new_column(reader, cell->column, &target));
    if (target < store->table.n_columns)
        return column_store_put(store, target, &place, cell);
    if (target == TARGET_LABEL)
        return put_label(reader, source, cell);
    if (target == TARGET_TRUTH)
        return put_truth(reader, cell);
    if (target == TARGET_WEIGHT)
        return cell_weight(cell, &place, reader->request.weight, reader->error,
                           &store->table.weight[store->table.n_rows]);
    if (target == TARGET_ID)
        return put_id(reader, cell);
    if (target == TARGET_GROUP)
        return put_code(reader, cell, &store->groups, store->table.group);
    if (target == TARGET_KIND)
        return put_code(reader, cell, &store->kinds, store->table.kind);
    if (target == TARGET_PROPENSITY)
        return cell_propensity(cell, &place, reader->request.propensity, reader->error,
                               &store->table.propensity[store->table.n_rows]);
    return DEDPUL_OK;
}

/* Adds a row. `label` comes from the file of labels, or is NULL. */
static dedpul_status add_row(struct table_reader *reader, const struct cell *label)
{
    const struct row_source *source = reader->source;
    struct column_store *store = &reader->store;
    TRY(column_store_reserve(store, 1));
    if (source->is_sparse)
        TRY(begin_sparse_row(reader));
    for (size_t i = 0; i < source->n_cells; i++)
        TRY(put_cell(reader, &source->cell[i]));
    if (source->is_sparse)
        TRY(end_sparse_row(reader));
    if (label != NULL)
        TRY(put_label(reader, reader->label_file.source, label));
    store->table.n_rows++;
    reader->n_read++;
    return DEDPUL_OK;
}

/* Adds a column's values in n further rows. */
static dedpul_status put_column(struct table_reader *reader, size_t column, size_t n)
{
    struct row_source *source = reader->source;
    struct table *table = &reader->store.table;
    const size_t target = selection_get(&reader->selection, column), first = table->n_rows;
    dedpul_status status = DEDPUL_OK;
    if (target == TARGET_NONE ||
        (target < table->n_columns && !image_shape_is_set(table->image) &&
         table->column[target].schema.kind == COLUMN_NUMBER &&
         source->format->columns->fill(source, column, table->column[target].number + first)))
        return DEDPUL_OK;
    for (size_t i = 0; i < n && status == DEDPUL_OK; i++, table->n_rows++) {
        struct cell cell = {.column = column};
        source->number = reader->n_read + i + 1;
        status = source->format->columns->get(source, column, i, &cell);
        if (status == DEDPUL_OK)
            status = put_cell(reader, &cell);
    }
    table->n_rows = first;
    return status;
}

/* Adds up to `most` rows of a source that has its values by columns. */
static dedpul_status read_columns(struct table_reader *reader, size_t most)
{
    size_t n;
    TRY(reader->source->format->columns->advance(reader->source, most, &n));
    reader->at_end = n == 0;
    TRY(column_store_reserve(&reader->store, n));
    for (size_t i = 0; n > 0 && i < reader->source->n_columns; i++)
        TRY(put_column(reader, i, n));
    reader->store.table.n_rows += n;
    reader->n_read += n;
    return DEDPUL_OK;
}

/* A row has no label, or a label no row: an error that says how many there are of each. */
static dedpul_status wrong_count(struct table_reader *reader, bool has_row, const struct cell *label)
{
    size_t n_rows = reader->n_read, n_labels = reader->n_read;
    for (; has_row; n_rows++)
        TRY(reader->source->format->next(reader->source, &has_row));
    for (; label != NULL; n_labels++)
        TRY(label_file_next(&reader->label_file, &label));
    return error_set(reader->error, DEDPUL_INVALID_DATA,
                     "%s has %zu rows, but %s %zu labels; there must be one for each row, in the same order",
                     reader->source->stream->name, n_rows, reader->request.labels->name, n_labels);
}

static dedpul_status read_row(struct table_reader *reader)
{
    const bool has_labels = reader->label_file.source != NULL;
    const struct cell *label = NULL;
    bool has_row;
    TRY(reader->source->format->next(reader->source, &has_row));
    if (has_labels)
        TRY(label_file_next(&reader->label_file, &label));
    if (has_labels && has_row != (label != NULL))
        return wrong_count(reader, has_row, label);
    reader->at_end = !has_row;
    return has_row ? add_row(reader, label) : DEDPUL_OK;
}

/* Turns the codes of labels into 1 and 0. */
static dedpul_status decide_labels(struct table_reader *reader)
{
    struct table *table = &reader->store.table;
    bool is_positive[MOST_LABELS + 1];
    TRY(labels_decide(&reader->labels, reader->at_end, reader->error, is_positive));
    for (size_t row = 0; row < table->n_rows; row++)
        table->label[row] = is_positive[table->label[row]];
    return DEDPUL_OK;
}

/* Checks what only a whole table can have or lack. */
static dedpul_status finish_table(struct table_reader *reader)
{
    const struct table *table = &reader->store.table;
    const char *const name = reader->source->stream->name;
    if (table->n_rows == 0)
        return error_set(reader->error, DEDPUL_INVALID_DATA, "%s has %sno rows", name,
                         reader->source->has_names && reader->source->stream->arrow == NULL ? "a header but "
                                                                                            : "");
    if (table->n_columns == 0)
        return error_set(
            reader->error, DEDPUL_INVALID_DATA,
            "%s has no columns beside those of labels, of weights and to leave out; a fit needs columns "
            "that describe the rows",
            name);
    TRY(check_image(reader)); /* a sparse file may have more columns now */
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
        if (reader->source->format->columns != NULL)
            TRY(read_columns(reader, most_rows - store->table.n_rows));
        else
            TRY(read_row(reader));
    }
    if (!store->has_schema && !reader->is_finished)
        TRY(finish_table(reader));
    if (store->has_label)
        TRY(decide_labels(reader));
    if (store->has_truth)
        TRY(labels_decide_truth(&reader->truth, reader->at_end, store->table.n_rows, store->table.truth,
                                reader->error));
    if (store->has_group)
        store->table.n_groups = groups_finish(&store->groups, store->table.n_rows, store->table.group);
    store->table.n_kinds = store->kinds.n;
    store->table.kind_name = store->kinds.text;
    *table = &store->table;
    return DEDPUL_OK;
}
