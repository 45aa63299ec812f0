/* Rows of a stream of Arrow's arrays. */
#include "arrow_values.h"
#include "row_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct arrow_column {
    struct arrow_values values;     /* or the indices of the dictionary */
    struct arrow_values dictionary; /* if there is one */
    bool has_dictionary, is_wanted;
};

struct arrow_rows {
    struct row_source source;    /* first: a struct row_source * is a struct arrow_rows * */
    struct arrow_column *column; /* (n_columns) */
    bool *is_category;           /* (n_columns) */
    struct ArrowArray array;     /* the present one; its release is NULL if there is none */
    struct arrow_values record;  /* which rows of the array are null as a whole */
    size_t first, n;             /* the present rows of the array */
    char digits[NUMBER_SIZE];    /* of an integer that a double may not have, such as an identifier */
};

/* ---- errors ---- */

static dedpul_status stream_failed(const struct row_source *source, int code)
{
    struct ArrowArrayStream *stream = source->stream->arrow;
    const char *const reason = stream->get_last_error != NULL ? stream->get_last_error(stream) : NULL;
    char message[NAME_TEXT_SIZE];
    return error_set(source->error, DEDPUL_IO, "cannot read %s: %s", source->stream->name,
                     reason != NULL ? escape_text(message, sizeof message, reason, strlen(reason))
                                    : strerror(code));
}

/* An array is not as the specification says. */
static dedpul_status refuse_column(const struct row_source *source, size_t column, const char *problem)
{
    char number[NUMBER_SIZE], quoted[QUOTE_SIZE];
    const char *const name = row_source_name(source, column, number);
    return error_set(source->error, DEDPUL_INVALID_DATA, "%s: column %s: %s", source->stream->name,
                     quote_text(quoted, name, strlen(name)), problem);
}

static dedpul_status refuse_stream(const struct row_source *source, const char *problem)
{
    return error_set(source->error, DEDPUL_INVALID_DATA, "%s: %s", source->stream->name, problem);
}

/* ---- columns ---- */

static dedpul_status want(struct row_source *source, size_t column)
{
    struct arrow_column *wanted = &((struct arrow_rows *)source)->column[column];
    const struct arrow_type type = wanted->has_dictionary ? wanted->dictionary.type : wanted->values.type;
    char number[NUMBER_SIZE], quoted[QUOTE_SIZE];
    const char *const name = row_source_name(source, column, number);
    if (type.kind == ARROW_REFUSED)
        return error_set(source->error, DEDPUL_INVALID_DATA,
                         "%s: column %s is of the type '%s', which cannot be read: %s, or leave it out "
                         "(--ignore COL)",
                         source->stream->name, quote_text(quoted, name, strlen(name)),
                         type.name != NULL ? type.name : "unknown", type.way_out);
    wanted->is_wanted = true;
    return DEDPUL_OK;
}

static dedpul_status check_schema(const struct row_source *source, const struct ArrowSchema *schema)
{
    if (schema->format == NULL || strcmp(schema->format, "+s") != 0)
        return refuse_stream(source, "the stream's arrays have no columns; give it those of a whole table");
    if (schema->n_children < 1 || schema->n_children > MOST_NUMBERED_COLUMNS || schema->children == NULL)
        return error_set(source->error, DEDPUL_INVALID_DATA, "%s has %lld columns; a table has 1 to %d",
                         source->stream->name, (long long)schema->n_children, MOST_NUMBERED_COLUMNS);
    for (int64_t i = 0; i < schema->n_children; i++) {
        const struct ArrowSchema *child = schema->children[i];
        if (child == NULL || child->format == NULL ||
            (child->dictionary != NULL && child->dictionary->format == NULL))
            return refuse_stream(source, "a column has no type");
    }
    return DEDPUL_OK;
}

/* A column's type. The indices of a dictionary are integers. */
static struct arrow_column column_of(const struct ArrowSchema *schema)
{
    struct arrow_column column = {.values.type = arrow_type_parse(schema->format),
                                  .has_dictionary = schema->dictionary != NULL};
    const enum arrow_kind kind = column.values.type.kind;
    if (!column.has_dictionary)
        return column;
    column.dictionary.type = arrow_type_parse(schema->dictionary->format);
    if (schema->dictionary->dictionary != NULL || (kind != ARROW_SIGNED && kind != ARROW_UNSIGNED))
        column.dictionary.type = (struct arrow_type){
            .kind = ARROW_REFUSED, .name = "dictionary of dictionaries", .way_out = "decode it"};
    return column;
}

static dedpul_status set_columns(struct arrow_rows *rows, const struct ArrowSchema *schema)
{
    struct row_source *source = &rows->source;
    const dedpul_allocator *allocator = &source->allocator;
    const size_t n = (size_t)schema->n_children;
    rows->column = allocator->resize(allocator->context, NULL, n * sizeof *rows->column);
    rows->is_category = allocator->resize(allocator->context, NULL, n * sizeof *rows->is_category);
    if (rows->column == NULL || rows->is_category == NULL)
        return row_source_no_memory(source);
    source->n_columns = n;
    source->is_category = rows->is_category;
    for (size_t i = 0; i < n; i++) {
        const char *const name = schema->children[i]->name;
        source->has_names = source->has_names || (name != NULL && *name != '\0');
        rows->column[i] = column_of(schema->children[i]);
        rows->is_category[i] = rows->column[i].has_dictionary;
    }
    for (size_t i = 0; source->has_names && i < n; i++) {
        const char *const name = schema->children[i]->name != NULL ? schema->children[i]->name : "";
        TRY(row_source_add_name(source, name, strlen(name), "", ""));
    }
    return DEDPUL_OK;
}

/* ---- rows ---- */

static void release_array(struct arrow_rows *rows)
{
    if (rows->array.release != NULL)
        rows->array.release(&rows->array);
    rows->array.release = NULL;
}

/* Checks the array of a column that is read, and points to its values. */
static dedpul_status set_column(struct arrow_rows *rows, size_t index)
{
    struct row_source *source = &rows->source;
    struct arrow_column *column = &rows->column[index];
    const struct ArrowArray *child = rows->array.children[index];
    const char *problem = child == NULL ? "the array is missing" : arrow_values_set(&column->values, child);
    if (problem == NULL && column->values.n < rows->record.offset + rows->record.n)
        problem = "the array is shorter than that of the rows";
    if (problem == NULL && column->has_dictionary)
        problem = child->dictionary == NULL ? "the dictionary is missing"
                                            : arrow_values_set(&column->dictionary, child->dictionary);
    return problem == NULL ? DEDPUL_OK : refuse_column(source, index, problem);
}

/* Gets the next array; at the end its release is NULL. */
static dedpul_status next_array(struct arrow_rows *rows)
{
    struct row_source *source = &rows->source;
    struct ArrowArrayStream *stream = source->stream->arrow;
    struct ArrowArray *array = &rows->array;
    release_array(rows);
    source->stream->taken += rows->first;
    rows->first = rows->n = 0;
    TRY(stream_tell(source->stream, source->error));
    const int code = stream->get_next(stream, array);
    if (code != 0) {
        array->release = NULL; /* it was not filled in */
        return stream_failed(source, code);
    }
    if (array->release == NULL)
        return DEDPUL_OK;
    rows->record.type.kind = ARROW_NULL; /* has no buffer of values */
    const char *problem = arrow_values_set(&rows->record, array);
    if (problem == NULL && (array->n_buffers != 1 || array->buffers == NULL))
        problem = "an array of rows has not one buffer";
    else if (problem == NULL && array->null_count != 0)
        rows->record.validity = array->buffers[0];
    if (problem == NULL && (array->n_children != (int64_t)source->n_columns || array->children == NULL))
        problem = "an array has not as many columns as the stream";
    if (problem != NULL)
        return refuse_stream(source, problem);
    for (size_t i = 0; rows->record.n > 0 && i < source->n_columns; i++)
        if (rows->column[i].is_wanted)
            TRY(set_column(rows, i));
    return DEDPUL_OK;
}

static dedpul_status advance(struct row_source *source, size_t most, size_t *n)
{
    struct arrow_rows *rows = (struct arrow_rows *)source;
    rows->first += rows->n;
    if (rows->array.release == NULL || rows->first == rows->record.n)
        do
            TRY(next_array(rows));
        while (rows->array.release != NULL && rows->record.n == 0);
    const size_t left = rows->array.release != NULL ? rows->record.n - rows->first : 0;
    rows->n = left < most ? left : most;
    for (size_t i = 0; rows->record.validity != NULL && i < rows->n; i++)
        if (arrow_values_is_null(&rows->record, rows->first + i))
            return refuse_stream(source, "a row is null as a whole; leave such rows out");
    *n = rows->n;
    return DEDPUL_OK;
}

/* Number of a present row in the arrays of the columns. */
static size_t row_of(const struct arrow_rows *rows, size_t row)
{
    return rows->record.offset + rows->first + row;
}

static bool fill(const struct row_source *source, size_t column, double *number)
{
    const struct arrow_rows *rows = (const struct arrow_rows *)source;
    const struct arrow_column *from = &rows->column[column];
    return !from->has_dictionary && arrow_values_fill(&from->values, row_of(rows, 0), rows->n, number);
}

static const char *get_level(const struct arrow_column *column, size_t row, struct cell *cell)
{
    uint64_t index;
    arrow_set_missing(cell);
    if (arrow_values_is_null(&column->values, row))
        return NULL;
    if (!arrow_values_index(&column->values, row, &index) || index >= column->dictionary.n)
        return "an index is not in the dictionary";
    return arrow_values_get(&column->dictionary, (size_t)index, cell);
}

static dedpul_status get(struct row_source *source, size_t column, size_t row, struct cell *cell)
{
    struct arrow_rows *rows = (struct arrow_rows *)source;
    const struct arrow_column *from = &rows->column[column];
    const size_t at = row_of(rows, row);
    const char *const problem =
        from->has_dictionary ? get_level(from, at, cell) : arrow_values_get(&from->values, at, cell);
    char message[128];
    if (problem != NULL) {
        (void)snprintf(message, sizeof message, "row %zu: %s", source->number, problem);
        return refuse_column(source, column, message);
    }
    if (cell->text == NULL && fabs(cell->number) >= 1e15 && !from->has_dictionary &&
        arrow_values_write(&from->values, at, rows->digits)) {
        cell->text = rows->digits;
        cell->length = strlen(rows->digits);
    }
    return DEDPUL_OK;
}

static void free_rows(struct row_source *source)
{
    struct arrow_rows *rows = (struct arrow_rows *)source;
    release_array(rows);
    (void)source->allocator.resize(source->allocator.context, rows->column, 0);
    (void)source->allocator.resize(source->allocator.context, rows->is_category, 0);
}

/* ---- opening ---- */

dedpul_status arrow_rows_open(const struct row_source *common, struct row_source **source)
{
    static const struct column_format columns = {want, advance, fill, get};
    static const struct row_format format = {.free = free_rows, .columns = &columns};
    struct ArrowArrayStream *stream = common->stream->arrow;
    struct ArrowSchema schema = {.release = NULL};
    struct arrow_rows *rows = row_source_allocate(common, sizeof *rows);
    if (rows == NULL)
        return row_source_no_memory(common);
    rows->source.format = &format;
    rows->source.unit = "row";
    if (common->text.decimal != 0)
        rows->source.decimal = common->text.decimal;
    *source = &rows->source;
    if (stream->release == NULL)
        return refuse_stream(*source, "the stream was released, or used up, before");
    const int code = stream->get_schema(stream, &schema);
    if (code != 0)
        return stream_failed(*source, code);
    dedpul_status status = check_schema(*source, &schema);
    if (status == DEDPUL_OK)
        status = set_columns(rows, &schema);
    if (schema.release != NULL)
        schema.release(&schema);
    return status;
}
