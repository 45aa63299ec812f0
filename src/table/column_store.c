#include "column_store.h"

#include "dialect.h"
#include "number.h"
#include "too_many_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROWS = 16, FIRST_COLUMNS = 16 };

static dedpul_status no_memory(const struct column_store *store)
{
    return error_set(store->error, DEDPUL_NO_MEMORY, "out of memory reading %s", store->file);
}

/* Returns the array with room for count elements; without memory, as it was, with *failed set. */
static void *grow(const struct column_store *store, void *array, size_t count, size_t size, bool *failed)
{
    void *grown = NULL;
    if (count <= SIZE_MAX / size)
        grown = store->allocator.resize(store->allocator.context, array, count * size);
    *failed = *failed || grown == NULL;
    return grown != NULL ? grown : array;
}

static void release(const struct column_store *store, void *array)
{
    (void)store->allocator.resize(store->allocator.context, array, 0);
}

/* ---- room ---- */

/* The code of "0" in a text column: an absent cell of a sparse file is a 0. */
static uint32_t code_of_zero(const struct texts *texts)
{
    const uint32_t code = texts_find(texts, "0", 1);
    return code == NO_TEXT ? LEVEL_UNSEEN : code;
}

/* Fills rows of a sparse file with 0, the value of absent cells. */
static void fill_absent(struct column_store *store, size_t index, size_t begin, size_t end)
{
    struct column *column = &store->table.column[index];
    if (!store->is_sparse || begin == end)
        return;
    if (column->schema.kind == COLUMN_NUMBER) {
        memset(column->number + begin, 0, (end - begin) * sizeof *column->number);
        return;
    }
    const uint32_t code = code_of_zero(&store->texts[index].texts);
    for (size_t row = begin; row < end; row++)
        column->code[row] = code;
}

/* Gives the column room for `capacity` rows; it has room for `before`. */
static void grow_column(struct column_store *store, size_t index, size_t before, size_t capacity,
                        bool *failed)
{
    struct column *column = &store->table.column[index];
    bool column_failed = false;
    if (capacity == 0)
        return;
    if (column->schema.kind == COLUMN_NUMBER)
        column->number = grow(store, column->number, capacity, sizeof *column->number, &column_failed);
    else
        column->code = grow(store, column->code, capacity, sizeof *column->code, &column_failed);
    if (!column_failed)
        fill_absent(store, index, before, capacity);
    *failed = *failed || column_failed;
}

dedpul_status column_store_reserve(struct column_store *store, size_t n)
{
    struct table *table = &store->table;
    bool failed = false;
    if (n <= store->capacity - table->n_rows)
        return DEDPUL_OK;
    if (n > UINT32_MAX - table->n_rows)
        return error_set(store->error, DEDPUL_INVALID_DATA,
                         "%s has more than %lu rows, the most a table holds", store->file,
                         (unsigned long)UINT32_MAX);
    size_t capacity = store->capacity > 0 ? 2 * store->capacity : FIRST_ROWS;
    while (capacity < table->n_rows + n)
        capacity *= 2;
    for (size_t i = 0; i < table->n_columns && !failed; i++)
        grow_column(store, i, store->capacity, capacity, &failed);
    if (store->has_label)
        table->label = grow(store, table->label, capacity, sizeof *table->label, &failed);
    if (store->has_weight)
        table->weight = grow(store, table->weight, capacity, sizeof *table->weight, &failed);
    if (store->has_truth)
        table->truth = grow(store, table->truth, capacity, sizeof *table->truth, &failed);
    if (store->has_group)
        table->group = grow(store, table->group, capacity, sizeof *table->group, &failed);
    if (store->has_kind)
        table->kind = grow(store, table->kind, capacity, sizeof *table->kind, &failed);
    if (store->has_propensity)
        table->propensity = grow(store, table->propensity, capacity, sizeof *table->propensity, &failed);
    if (failed)
        return no_memory(store);
    store->capacity = capacity;
    return DEDPUL_OK;
}

static dedpul_status add_column(struct column_store *store, struct column column)
{
    struct table *table = &store->table;
    bool failed = false;
    if (table->n_columns == store->most_columns) {
        const size_t most = store->most_columns > 0 ? 2 * store->most_columns : FIRST_COLUMNS;
        table->column = grow(store, table->column, most, sizeof *table->column, &failed);
        store->texts = grow(store, store->texts, most, sizeof *store->texts, &failed);
        if (failed) {
            if (!store->has_schema)
                release(store, column.schema.name);
            return no_memory(store);
        }
        store->most_columns = most;
    }
    const size_t index = table->n_columns++;
    table->column[index] = column;
    store->texts[index] = (struct column_texts){.first = 0};
    if (column.schema.kind == COLUMN_TEXT && !texts_borrow(&store->texts[index].texts, &store->allocator,
                                                           column.schema.n_levels, column.schema.level))
        return no_memory(store);
    grow_column(store, index, 0, store->capacity, &failed);
    return failed ? no_memory(store) : DEDPUL_OK;
}

dedpul_status column_store_add(struct column_store *store, const char *name)
{
    const size_t size = strlen(name) + 1;
    char *copy = store->allocator.resize(store->allocator.context, NULL, size);
    if (copy == NULL)
        return no_memory(store);
    memcpy(copy, name, size);
    return add_column(store, (struct column){.schema = {.name = copy, .kind = COLUMN_NUMBER}});
}

dedpul_status column_store_add_known(struct column_store *store, const struct column_schema *schema)
{
    return add_column(store, (struct column){.schema = *schema});
}

dedpul_status column_store_make_text(struct column_store *store, size_t index)
{
    struct texts *texts = &store->texts[index].texts;
    store->table.column[index].schema.kind = COLUMN_TEXT;
    if (store->is_sparse && texts->n == 0 && !texts_add(texts, &store->allocator, "0", 1))
        return no_memory(store);
    return DEDPUL_OK;
}

void column_store_clear(struct column_store *store)
{
    for (size_t i = 0; i < store->table.n_columns; i++)
        fill_absent(store, i, 0, store->capacity);
    store->table.n_rows = 0;
    row_texts_clear(&store->table.id);
}

/* ---- values ---- */

/* Finds the code of a level. A new level is added; with a schema, it is LEVEL_UNSEEN. */
static dedpul_status find_level(struct column_store *store, size_t index, const struct place *place,
                                const char *text, size_t length, uint32_t *code)
{
    struct texts *texts = &store->texts[index].texts;
    const uint32_t found = texts_find(texts, text, length);
    if (found != NO_TEXT || store->has_schema) {
        *code = found != NO_TEXT ? found : LEVEL_UNSEEN;
        return DEDPUL_OK;
    }
    if (texts->n >= store->most_levels || texts->n >= MOST_TEXTS)
        return too_many_levels(texts, store->texts[index].first, store->table.column[index].schema.name,
                               store->most_levels, place, store->error);
    if (!texts_add(texts, &store->allocator, text, length))
        return no_memory(store);
    *code = (uint32_t)texts->n - 1;
    return DEDPUL_OK;
}

static dedpul_status find_number_level(struct column_store *store, size_t index, const struct place *place,
                                       double number, uint32_t *code)
{
    char digits[NUMBER_SIZE];
    if (isnan(number)) {
        *code = LEVEL_MISSING;
        return DEDPUL_OK;
    }
    (void)format_double(digits, number);
    return find_level(store, index, place, digits, strlen(digits), code);
}

/* Turns a column of numbers into text. The text that asks for it becomes the first level. */
static dedpul_status turn_into_text(struct column_store *store, size_t index, const struct place *place,
                                    const char *text, size_t length)
{
    struct column *column = &store->table.column[index];
    bool failed = false;
    uint32_t code;
    column->code = grow(store, NULL, store->capacity, sizeof *column->code, &failed);
    if (failed)
        return no_memory(store);
    store->texts[index].first = place->number;
    TRY(find_level(store, index, place, text, length, &code));
    for (size_t row = 0; row < store->table.n_rows; row++)
        TRY(find_number_level(store, index, place, column->number[row], &column->code[row]));
    release(store, column->number);
    column->number = NULL;
    column->schema.kind = COLUMN_TEXT;
    return DEDPUL_OK;
}

static dedpul_status refuse(const struct column_store *store, size_t index, const struct place *place,
                            const struct cell *cell, const char *problem)
{
    const char *const name = store->table.column[index].schema.name;
    char column[QUOTE_SIZE], value[QUOTE_SIZE];
    return error_set(store->error, DEDPUL_INVALID_DATA, "%s: %s %zu, column %s: %s %s", place->file,
                     place->unit, place->number, quote_text(column, name, strlen(name)),
                     quote_cell(value, cell), problem);
}

/* In a column that was asked for as text, "None" is a level. With a schema, it is one if it was. */
static bool keeps_none(const struct column_store *store, size_t index, const char *text, size_t length)
{
    return store->table.column[index].schema.kind == COLUMN_TEXT && store->texts[index].first == 0 &&
           !store->has_schema && is_none_text(text, length);
}

dedpul_status column_store_convert(struct column_store *store, size_t index, const struct place *place,
                                   const struct cell *cell)
{
    struct column *column = &store->table.column[index];
    const size_t row = store->table.n_rows;
    const char *text = cell->text;
    size_t length = cell->length;
    double number = cell->number;
    if (column->schema.kind == COLUMN_TEXT && text != NULL) {
        trim_blanks(&text, &length);
        const uint32_t known = texts_find(&store->texts[index].texts, text, length);
        if (known != NO_TEXT) {
            column->code[row] = known;
            return DEDPUL_OK;
        }
    }
    bool is_number = text == NULL || parse_decimal(text, length, place->decimal, &number);
    if (!is_number) {
        trim_blanks(&text, &length);
        if (is_missing_text(text, length) && !keeps_none(store, index, text, length)) {
            number = NAN;
            is_number = true;
        }
    }
    if (is_number && isinf(number))
        return refuse(store, index, place, cell,
                      "is not finite; leave the cell empty where the value is unknown");
    if (image_shape_is_set(store->table.image) && (!is_number || isnan(number)))
        return refuse(store, index, place, cell,
                      is_number ? "is missing, but an image must have all its pixels"
                                : "is not a number, as the pixels of an image are");
    if (column->schema.kind == COLUMN_NUMBER) {
        if (is_number) {
            column->number[row] = number;
            return DEDPUL_OK;
        }
        if (store->has_schema)
            return refuse(store, index, place, cell,
                          is_number_with_comma(text, length)
                              ? "is not a number; if its comma is a decimal comma, say so (--decimal ,)"
                              : "is not a number, but the column held only numbers when the model was "
                                "fitted; leave the cell empty where the value is unknown");
        TRY(turn_into_text(store, index, place, text, length));
    }
    if (is_number)
        return find_number_level(store, index, place, number, &column->code[row]);
    return find_level(store, index, place, text, length, &column->code[row]);
}

/* ---- the end ---- */

static dedpul_status sort_levels(struct column_store *store, size_t index)
{
    struct column *column = &store->table.column[index];
    struct texts *texts = &store->texts[index].texts;
    bool failed = false;
    if (texts->n == 0)
        return DEDPUL_OK; /* all cells are missing */
    uint32_t *before = grow(store, NULL, texts->n, sizeof *before, &failed);
    uint32_t *after = grow(store, NULL, texts->n, sizeof *after, &failed);
    if (!failed && texts_sort(texts, &store->allocator, before)) {
        for (size_t i = 0; i < texts->n; i++)
            after[before[i]] = (uint32_t)i;
        for (size_t row = 0; row < store->table.n_rows; row++)
            if (column->code[row] != LEVEL_MISSING)
                column->code[row] = after[column->code[row]];
        column->schema.n_levels = texts->n;
        column->schema.level = texts->text;
    } else {
        failed = true;
    }
    release(store, before);
    release(store, after);
    return failed ? no_memory(store) : DEDPUL_OK;
}

/* Columns of a sparse file come in any order; their names are numbers. */
static int by_number(const void *a, const void *b)
{
    const char *const name_a = ((const struct column *)a)->schema.name;
    const char *const name_b = ((const struct column *)b)->schema.name;
    const size_t length_a = strlen(name_a), length_b = strlen(name_b);
    return length_a != length_b ? (length_a > length_b) - (length_a < length_b) : strcmp(name_a, name_b);
}

static void give_back_room(struct column_store *store)
{
    struct table *table = &store->table;
    bool ignored = false; /* an array that cannot shrink stays as it is */
    for (size_t i = 0; i < table->n_columns; i++) {
        struct column *column = &table->column[i];
        if (column->schema.kind == COLUMN_NUMBER)
            column->number = grow(store, column->number, table->n_rows, sizeof *column->number, &ignored);
        else
            column->code = grow(store, column->code, table->n_rows, sizeof *column->code, &ignored);
    }
    store->capacity = table->n_rows;
}

dedpul_status column_store_finish(struct column_store *store)
{
    struct table *table = &store->table;
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->column[i].schema.kind == COLUMN_TEXT)
            TRY(sort_levels(store, i));
    if (store->is_sparse && table->n_columns > 0) /* store->texts is only freed from now on, in any order */
        qsort(table->column, table->n_columns, sizeof *table->column, by_number);
    if (table->n_rows > 0)
        give_back_room(store);
    return DEDPUL_OK;
}

void column_store_free(struct column_store *store)
{
    struct table *table = &store->table;
    for (size_t i = 0; i < table->n_columns; i++) {
        release(store, table->column[i].number);
        release(store, table->column[i].code);
        if (!store->has_schema)
            release(store, table->column[i].schema.name);
        texts_free(&store->texts[i].texts, &store->allocator);
    }
    release(store, table->column);
    release(store, store->texts);
    release(store, table->label);
    release(store, table->weight);
    release(store, table->truth);
    release(store, table->group);
    release(store, table->kind);
    release(store, table->propensity);
    row_texts_free(&table->id, &store->allocator);
    texts_free(&store->groups, &store->allocator);
    texts_free(&store->kinds, &store->allocator);
}
