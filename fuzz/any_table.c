#include "any_table.h"

#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Memory with a limit. A short libsvm file can ask for much, since its table is dense, and filling that takes
 * most of the time; the buffers of all formats fit.
 */
enum { MOST_BYTES = 1 << 22, HEAD = 16 };

static void *resize(void *context, void *block, size_t size)
{
    size_t *const used = context;
    char *head = block != NULL ? (char *)block - HEAD : NULL;
    size_t before = 0;
    if (head != NULL)
        memcpy(&before, head, sizeof before);
    if (size == 0) {
        *used -= before;
        free(head);
        return NULL;
    }
    if (size > MOST_BYTES || *used - before + size > MOST_BYTES)
        return NULL;
    head = realloc(head, size + HEAD);
    if (head == NULL)
        abort();
    *used = *used - before + size;
    memcpy(head, &size, sizeof size);
    return head + HEAD;
}

static void check_column(const struct column *column, size_t n_rows)
{
    const struct column_schema *schema = &column->schema;
    for (size_t i = 1; i < schema->n_levels; i++)
        if (strcmp(schema->level[i - 1], schema->level[i]) >= 0)
            abort();
    for (size_t row = 0; row < n_rows; row++)
        if (schema->kind == COLUMN_NUMBER
                ? isinf(column->number[row])
                : column->code[row] >= schema->n_levels && column->code[row] != LEVEL_MISSING &&
                      column->code[row] != LEVEL_UNSEEN)
            abort();
}

static void check_table(const struct table *table)
{
    const bool is_image = image_shape_is_set(table->image);
    if (is_image && !image_shape_fits(table->image, table->n_columns))
        abort();
    for (size_t i = 0; is_image && i < table->n_columns; i++)
        for (size_t row = 0; row < table->n_rows; row++)
            if (table->column[i].schema.kind != COLUMN_NUMBER || isnan(table->column[i].number[row]))
                abort();
    for (size_t i = 0; i < table->n_columns; i++)
        check_column(&table->column[i], table->n_rows);
    for (size_t row = 0; row < table->n_rows; row++)
        if ((table->label != NULL && table->label[row] > 1) ||
            (table->weight != NULL && !(table->weight[row] >= 0 && table->weight[row] <= LARGEST_WEIGHT)) ||
            (table->group != NULL && table->group[row] >= table->n_groups) ||
            (table->propensity != NULL && (table->propensity[row] < 0 || table->propensity[row] > 1)) ||
            (table->kind != NULL && table->kind[row] != KIND_NONE && table->kind[row] >= table->n_kinds) ||
            (table->id.offset != NULL && table->id.offset[row + 1] < table->id.offset[row]))
            abort();
    if (table->id.offset != NULL && table->id.n != table->n_rows)
        abort();
}

static const struct table_request *choose_request(unsigned choice, bool has_labels)
{
    static char *levels[] = {"1", "blue", "red"};
    static const struct column_schema schema[] = {{"1", COLUMN_NUMBER, 0, NULL},
                                                  {"2", COLUMN_TEXT, 3, levels}};
    static const struct table_request requests[] = {
        {.most_levels = 8},
        {.label = "label", .id = "id", .most_levels = 8},
        {.label = "1",
         .positive = "1",
         .weight = "2",
         .group = "3",
         .kind = "4",
         .propensity = "5",
         .most_levels = 8},
        {.most_levels = 8, .n_schema = 2, .schema = schema, .n_numbered = 3},
        {.label = "label", .most_levels = 8, .n_schema = 2, .schema = schema},
        {.label = "label", .most_levels = 8, .image = {1, 2, 1}},
        {.label = "1", .categorical = "2,3", .most_levels = 8, .format = {.no_header = true}},
        {.categorical = "c", .weight = "w", .most_levels = 8, .format = {.decimal = ','}},
    };
    static const struct table_request with_labels[] = {
        {.label = "label", .most_levels = 8},
        {.label = "y", .positive = "1,2", .weight = "2", .most_levels = 8},
        {.label = "label", .most_levels = 8, .n_schema = 2, .schema = schema, .n_numbered = 3},
        {.label = "label", .ignore = "label", .most_levels = 8, .image = {1, 2, 1}},
        {.label = "1", .most_levels = 8, .format = {.no_header = true}},
    };
    return has_labels ? &with_labels[choice % (sizeof with_labels / sizeof *with_labels)]
                      : &requests[choice % (sizeof requests / sizeof *requests)];
}

void read_any_table(unsigned choice, struct stream *stream, struct stream *labels)
{
    struct table_request request = *choose_request(choice, labels != NULL);
    size_t used = 0;
    const dedpul_allocator allocator = {&used, resize};
    struct table_reader *reader;
    struct table *table;
    dedpul_error error;
    request.labels = labels;
    if (table_reader_open(stream, &request, &allocator, &error, &reader) == DEDPUL_OK) {
        while (table_reader_next(reader, request.schema != NULL ? 3 : SIZE_MAX, &table) == DEDPUL_OK &&
               table->n_rows > 0)
            check_table(table);
        table_reader_free(reader);
    }
    if (used != 0)
        abort();
}
