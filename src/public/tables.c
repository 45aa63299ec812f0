#include "tables.h"

#include "arrays.h"
#include "cell.h"
#include "columns.h"
#include "groups.h"
#include "handle.h"
#include "ids.h"
#include "number.h"
#include "sort.h"
#include "suggest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dedpul_table *create(const dedpul_allocator *allocator, dedpul_error *error)
{
    dedpul_table *table = handle_allocate(allocator, sizeof *table, error);
    if (table == NULL)
        return NULL;
    *table = (dedpul_table){.reader = NULL};
    arena_init(&table->memory, allocator);
    return table;
}

void dedpul_table_free(dedpul_table *table)
{
    if (table == NULL)
        return;
    const dedpul_allocator allocator = table->memory.allocator;
    table_reader_free(table->reader);
    texts_free(&table->kinds, &allocator);
    arena_free(&table->memory);
    handle_free(allocator, table);
}

size_t dedpul_table_rows(const dedpul_table *table)
{
    return table->rows->n_rows;
}

const unsigned char *dedpul_table_labels(const dedpul_table *table)
{
    return table->rows->label;
}

const double *dedpul_table_weights(const dedpul_table *table)
{
    return table->rows->weight;
}

/* The table's rows, to be changed: those of a file stay as they were read. */
static struct table *own_rows(dedpul_table *table)
{
    if (table->rows != &table->own)
        table->own = *table->rows;
    table->rows = &table->own;
    return &table->own;
}

const dedpul_ids *dedpul_table_ids(const dedpul_table *table)
{
    return table->ids.name != NULL ? &table->ids : NULL;
}

const uint32_t *dedpul_table_groups(const dedpul_table *table)
{
    return table->rows->group;
}

static dedpul_status check_pixels(const struct table *table, dedpul_error *error)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        const struct column *column = &table->column[c];
        const char *name = column->schema.name;
        char quoted[QUOTE_SIZE];
        if (column->schema.kind != COLUMN_NUMBER)
            return error_set(error, DEDPUL_INVALID_DATA,
                             "column %s holds text, but the pixels of an image are numbers",
                             quote_text(quoted, name, strlen(name)));
        for (size_t i = 0; i < table->n_rows; i++)
            if (isnan(column->number[i]))
                return error_set(error, DEDPUL_INVALID_DATA,
                                 "row %zu, column %s is missing, but an image must have all its pixels",
                                 i + 1, quote_text(quoted, name, strlen(name)));
    }
    return DEDPUL_OK;
}

dedpul_status dedpul_table_set_shape(dedpul_table *table, size_t height, size_t width, size_t channels,
                                     dedpul_error *error)
{
    const struct image_shape image = {height, width, channels};
    if (table == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table must not be NULL");
    if (!image_shape_fits(image, table->rows->n_columns))
        return error_set(
            error, DEDPUL_INVALID_DATA,
            "the table has %zu columns, which are not images of %zu x %zu pixels with %zu values",
            table->rows->n_columns, height, width, channels);
    TRY(check_pixels(table->rows, error));
    own_rows(table)->image = image;
    return DEDPUL_OK;
}

/* Makes codes 0, 1, ... of any numbers. */
static dedpul_status code_groups(struct context *context, size_t n, const uint32_t *group, uint32_t *code,
                                 size_t *n_groups)
{
    struct block *mark = context_mark(context);
    double *number = context_allocate(context, n, sizeof *number);
    uint32_t *row = context_allocate(context, n, sizeof *row);
    if (number == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        number[i] = group[i];
        row[i] = (uint32_t)i;
    }
    TRY(sort_with_rows(context, n, number, row));
    *n_groups = 0;
    for (size_t i = 0; i < n; i++) {
        *n_groups += i == 0 || number[i] != number[i - 1];
        code[row[i]] = (uint32_t)(*n_groups - 1);
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

dedpul_status dedpul_table_set_groups(dedpul_table *table, const uint32_t *group, dedpul_error *error)
{
    if (table == NULL || group == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table and group must not be NULL");
    struct context context = context_of(&table->memory, NULL, error);
    const size_t n = table->rows->n_rows;
    size_t n_groups;
    uint32_t *code = context_allocate(&context, n, sizeof *code);
    if (code == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(code_groups(&context, n, group, code, &n_groups));
    arena_free_spare(&table->memory);
    struct table *own = own_rows(table);
    own->n_groups = n_groups;
    own->group = code;
    return DEDPUL_OK;
}

dedpul_status table_check_labels(const dedpul_table *table, dedpul_error *error)
{
    return table->rows->label != NULL
               ? DEDPUL_OK
               : error_set(error, DEDPUL_INVALID_DATA,
                           "the table has no labels; name their column, or call dedpul_table_set_labels");
}

static const char find_kinds_word[] = "auto";

static bool finds_kinds(const dedpul_columns *columns)
{
    return columns->kind != NULL && strcmp(columns->kind, find_kinds_word) == 0;
}

/* A column of this name may have been meant. */
static dedpul_status check_no_kind_column(const struct table *rows, dedpul_error *error)
{
    for (size_t c = 0; c < rows->n_columns; c++)
        if (strcmp(rows->column[c].schema.name, find_kinds_word) == 0)
            return error_set(error, DEDPUL_INVALID_DATA,
                             "the table has a column 'auto', but --kind auto finds kinds among the labeled "
                             "rows. If it has the kinds, give the column another name; if not, leave it out "
                             "(--ignore auto)");
    return DEDPUL_OK;
}

/* ---- propensities ---- */

static const char *column_name(const void *table, size_t index)
{
    return ((const struct table *)table)->column[index].schema.name;
}

/* Finds the column of a name, which is the first of those that commas separate. */
static dedpul_status find_column(struct context *context, const struct table *rows, const char *file,
                                 const char **names, size_t *column)
{
    const char *text = *names;
    size_t length = strcspn(text, ",");
    *names = text[length] == ',' ? text + length + 1 : NULL;
    trim_blanks(&text, &length);
    char *name = context_allocate(context, length + 1, 1), hint[NAME_HINT_SIZE], quoted[QUOTE_SIZE];
    if (name == NULL)
        return DEDPUL_NO_MEMORY;
    memcpy(name, text, length);
    name[length] = '\0';
    *column = name_find(column_name, rows, rows->n_columns, name);
    return *column < rows->n_columns
               ? DEDPUL_OK
               : error_set(context->error, DEDPUL_INVALID_DATA,
                           "%s has no feature %s, on which labels are said to depend (--propensity); %s",
                           file, quote_text(quoted, name, length),
                           name_hint(hint, column_name, rows, rows->n_columns, name));
}

/* `file` is how messages call the table. */
static dedpul_status set_propensity(dedpul_table *table, const char *file, const char *names,
                                    dedpul_error *error)
{
    struct context context = context_of(&table->memory, NULL, error);
    struct table *rows = own_rows(table);
    size_t n = 0, *column = context_allocate(&context, rows->n_columns, sizeof *column);
    char quoted[QUOTE_SIZE];
    if (column == NULL)
        return DEDPUL_NO_MEMORY;
    while (names != NULL) {
        size_t next;
        TRY(find_column(&context, rows, file, &names, &next));
        for (size_t k = 0; k < n; k++)
            if (column[k] == next)
                return error_set(
                    error, DEDPUL_INVALID_DATA, "propensity: the column %s is named twice",
                    quote_text(quoted, column_name(rows, next), strlen(column_name(rows, next))));
        column[n++] = next;
    }
    rows->propensity_column = column;
    rows->n_propensity_columns = n;
    return DEDPUL_OK;
}

dedpul_status dedpul_table_set_propensity(dedpul_table *table, const char *names, dedpul_error *error)
{
    if (table == NULL || names == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table and names must not be NULL");
    return set_propensity(table, ARROW_NAME, names, error);
}

/* ---- from a file ---- */

static dedpul_status read_stream(struct stream *stream, struct stream *labels, const dedpul_columns *columns,
                                 struct image_shape image, dedpul_table *table, dedpul_error *error)
{
    struct table_request request = {
        .label = columns->label,
        .labels = labels,
        .positive = columns->positive,
        .weight = columns->weight,
        .id = columns->id,
        .group = columns->group,
        .kind = finds_kinds(columns) ? NULL : columns->kind,
        .propensity = columns->propensity_value,
        .ignore = columns->ignore,
        .categorical = columns->categorical,
        .most_levels = columns->most_levels,
        .image = image,
    };
    struct table *rows;
    TRY(text_format_read(columns->decimal, columns->header, &request.format, error));
    TRY(table_reader_open(stream, &request, &table->memory.allocator, error, &table->reader));
    TRY(table_reader_next(table->reader, SIZE_MAX, &rows));
    if (rows->n_rows == 0)
        return error_set(error, DEDPUL_INVALID_DATA, "%s has no rows", stream->name);
    if (finds_kinds(columns))
        TRY(check_no_kind_column(rows, error));
    rows->finds_kinds = finds_kinds(columns);
    table->rows = rows;
    table->n_numbered = table_reader_numbered(table->reader);
    if (columns->propensity != NULL)
        TRY(set_propensity(table, stream->name, columns->propensity, error));
    return columns->id != NULL ? ids_show(&table->memory, columns->id, &rows->id, &table->ids, error)
                               : DEDPUL_OK;
}

/* Reads the table and, if there is one, the file of labels. */
static dedpul_status read_with_labels(struct stream *stream, const dedpul_columns *columns,
                                      struct image_shape image, dedpul_table *table, dedpul_error *error)
{
    struct stream labels;
    stream_watch(stream, columns->progress, columns->progress_context);
    if (columns->labels == NULL)
        return read_stream(stream, NULL, columns, image, table, error);
    TRY(stream_open(&labels, columns->labels, error));
    const dedpul_status status = read_stream(stream, &labels, columns, image, table, error);
    stream_close(&labels);
    return status;
}

/* Makes a table of a stream of any kind. */
static dedpul_status table_of_stream(struct stream *stream, const dedpul_columns *columns,
                                     const dedpul_allocator *allocator, dedpul_table **result,
                                     dedpul_error *error)
{
    struct image_shape image = {0, 0, 0};
    char quoted[QUOTE_SIZE];
    if (result == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table must not be NULL");
    if (columns->shape != NULL && !image_shape_parse(columns->shape, &image))
        return error_set(
            error, DEDPUL_INVALID_ARGUMENT,
            "shape: %s is not a shape of images; it is HEIGHTxWIDTH or HEIGHTxWIDTHxCHANNELS, such "
            "as 32x32x3, of at most %d values",
            quote_text(quoted, columns->shape, strlen(columns->shape)), LARGEST_IMAGE);
    dedpul_table *table = create(allocator, error);
    if (table == NULL)
        return DEDPUL_NO_MEMORY;
    const dedpul_status status = read_with_labels(stream, columns, image, table, error);
    if (status != DEDPUL_OK)
        dedpul_table_free(table);
    else
        *result = table;
    return status;
}

dedpul_status dedpul_table_read(const char *path, const dedpul_columns *given,
                                const dedpul_allocator *allocator, dedpul_table **result, dedpul_error *error)
{
    dedpul_columns columns;
    struct stream stream;
    TRY(columns_read(given, &columns, error));
    if (path == NULL || result == NULL || columns.label == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "path, table and the name of the label column must not be NULL");
    if (columns.labels != NULL && strcmp(path, "-") == 0 && strcmp(columns.labels, "-") == 0)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the table and its labels cannot both come from standard input");
    TRY(stream_open(&stream, path, error));
    const dedpul_status status = table_of_stream(&stream, &columns, allocator, result, error);
    stream_close(&stream);
    return status;
}

dedpul_status dedpul_table_from_arrow(struct ArrowArrayStream *rows, const dedpul_columns *given,
                                      const dedpul_allocator *allocator, dedpul_table **result,
                                      dedpul_error *error)
{
    dedpul_columns columns;
    struct stream stream;
    if (rows == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "rows must not be NULL");
    stream_open_arrow(&stream, ARROW_NAME, rows);
    dedpul_status status = columns_read(given, &columns, error);
    if (status == DEDPUL_OK && columns.labels != NULL)
        status = error_set(error, DEDPUL_INVALID_ARGUMENT,
                           "labels in a file of their own are those of a file; set these with "
                           "dedpul_table_set_labels");
    if (status == DEDPUL_OK)
        status = table_of_stream(&stream, &columns, allocator, result, error);
    stream_close(&stream);
    return status;
}

/* ---- from a matrix ---- */

bool matrix_is_valid(const dedpul_matrix *matrix)
{
    return (matrix->f64 == NULL) != (matrix->f32 == NULL);
}

struct matrix matrix_of(const dedpul_matrix *matrix)
{
    return (struct matrix){matrix->n, matrix->width, matrix->f64, matrix->f32};
}

/* Returns a copy in memory, or NULL with the error set. */
static void *copy_array(struct context *context, size_t n, size_t size, const void *from,
                        struct arena *memory)
{
    void *copy = context_allocate_in(context, memory, n, size);
    if (copy != NULL)
        memcpy(copy, from, n * size);
    return copy;
}

static dedpul_status copy_labels(dedpul_table *table, const unsigned char *label, const double *weight,
                                 dedpul_error *error)
{
    struct arena *memory = &table->memory;
    struct context context = context_of(memory, NULL, error);
    const size_t n = table->rows->n_rows;
    TRY(check_labels(n, label, error));
    TRY(check_weights("", n, weight, error));
    unsigned char *own_label = copy_array(&context, n, sizeof *label, label, memory);
    double *own_weight = weight != NULL ? copy_array(&context, n, sizeof *weight, weight, memory) : NULL;
    if (own_label == NULL || (weight != NULL && own_weight == NULL))
        return DEDPUL_NO_MEMORY;
    own_rows(table)->label = own_label;
    if (weight != NULL)
        own_rows(table)->weight = own_weight;
    return DEDPUL_OK;
}

dedpul_status dedpul_table_set_labels(dedpul_table *table, size_t n, const unsigned char *label,
                                      const double *weight, dedpul_error *error)
{
    if (table == NULL || label == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table and label must not be NULL");
    if (n != table->rows->n_rows)
        return error_set(error, DEDPUL_INVALID_DATA, "there are %zu labels, but the table has %zu rows", n,
                         table->rows->n_rows);
    return copy_labels(table, label, weight, error);
}

dedpul_status dedpul_table_set_propensity_values(dedpul_table *table, const double *propensity,
                                                 dedpul_error *error)
{
    if (table == NULL || propensity == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table and propensity must not be NULL");
    struct context context = context_of(&table->memory, NULL, error);
    double *own = copy_array(&context, table->rows->n_rows, sizeof *propensity, propensity, &table->memory);
    if (own == NULL)
        return DEDPUL_NO_MEMORY;
    own_rows(table)->propensity = own;
    return DEDPUL_OK;
}

static dedpul_status copy_rows(dedpul_table *table, const dedpul_matrix *matrix, const unsigned char *label,
                               const double *weight, dedpul_error *error)
{
    struct context context = context_of(&table->memory, NULL, error);
    const struct matrix rows = matrix_of(matrix);
    TRY(table_of_matrix(&context, &rows, 0, rows.n, &table->memory, &table->own));
    table->rows = &table->own;
    table->n_numbered = rows.width;
    return copy_labels(table, label, weight, error);
}

dedpul_status dedpul_table_from_matrix(const dedpul_matrix *matrix, const unsigned char *label,
                                       const double *weight, const dedpul_allocator *allocator,
                                       dedpul_table **result, dedpul_error *error)
{
    if (matrix == NULL || label == NULL || result == NULL || !matrix_is_valid(matrix))
        return error_set(
            error, DEDPUL_INVALID_ARGUMENT,
            "matrix, label and table must not be NULL, and one of the matrix's arrays must be given");
    if (matrix->n > UINT32_MAX || matrix->n == 0)
        return error_set(error, DEDPUL_INVALID_DATA, "%zu rows: from 1 to %lu are supported", matrix->n,
                         (unsigned long)UINT32_MAX);
    dedpul_table *table = create(allocator, error);
    if (table == NULL)
        return DEDPUL_NO_MEMORY;
    const dedpul_status status = copy_rows(table, matrix, label, weight, error);
    if (status != DEDPUL_OK)
        dedpul_table_free(table);
    else
        *result = table;
    return status;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Copies names to `own`. It is an error if a name is empty or occurs twice. */
static dedpul_status copy_names(struct context *context, size_t n, const char *const *names, char **own)
{
    for (size_t c = 0; c < n; c++) {
        if (names[c] == NULL || names[c][0] == '\0')
            return error_set(context->error, DEDPUL_INVALID_DATA, "column %zu has no name", c + 1);
        const size_t size = strlen(names[c]) + 1;
        own[c] = context_allocate(context, size, 1);
        if (own[c] == NULL)
            return DEDPUL_NO_MEMORY;
        memcpy(own[c], names[c], size);
    }
    struct block *mark = context_mark(context);
    char quoted[QUOTE_SIZE];
    char **sorted = context_allocate(context, n, sizeof *sorted);
    if (sorted == NULL)
        return DEDPUL_NO_MEMORY;
    memcpy(sorted, own, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_names);
    for (size_t c = 1; c < n; c++)
        if (strcmp(sorted[c - 1], sorted[c]) == 0)
            return error_set(context->error, DEDPUL_INVALID_DATA, "two columns are called %s",
                             quote_text(quoted, sorted[c], strlen(sorted[c])));
    context_release(context, mark);
    return DEDPUL_OK;
}

dedpul_status dedpul_table_set_kinds(dedpul_table *table, const char *const *kind, dedpul_error *error)
{
    if (table == NULL || kind == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table and kind must not be NULL");
    struct context context = context_of(&table->memory, NULL, error);
    struct table *rows = own_rows(table);
    uint32_t *code = context_allocate(&context, rows->n_rows, sizeof *code);
    if (code == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < rows->n_rows; i++) {
        const char *name = kind[i] != NULL ? kind[i] : "";
        const bool is_coded =
            groups_code(&table->kinds, &table->memory.allocator, name, strlen(name), &code[i]);
        rows->kind_name = table->kinds.text; /* which may have moved */
        if (!is_coded)
            return error_set(error, DEDPUL_NO_MEMORY, "out of memory");
    }
    rows->kind = code;
    rows->n_kinds = table->kinds.n;
    rows->finds_kinds = false; /* they are known now */
    return DEDPUL_OK;
}

dedpul_status dedpul_table_find_kinds(dedpul_table *table, dedpul_error *error)
{
    if (table == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table must not be NULL");
    if (table->rows->kind != NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "the table has kinds, so there are none to find");
    own_rows(table)->finds_kinds = true;
    return DEDPUL_OK;
}

dedpul_status dedpul_table_set_names(dedpul_table *table, const char *const *names, dedpul_error *error)
{
    if (table == NULL || names == NULL || table->reader != NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "names must not be NULL, and the table must be one of a matrix");
    struct context context = context_of(&table->memory, NULL, error);
    struct table *rows = &table->own;
    char **own = context_allocate(&context, rows->n_columns, sizeof *own);
    if (own == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(copy_names(&context, rows->n_columns, names, own));
    for (size_t c = 0; c < rows->n_columns; c++)
        rows->column[c].schema.name = own[c];
    table->n_numbered = 0;
    return DEDPUL_OK;
}
