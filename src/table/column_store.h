/* Columns while their rows come in. */
#ifndef DEDPUL_TABLE_COLUMN_STORE_H
#define DEDPUL_TABLE_COLUMN_STORE_H

#include "cell.h"
#include "table.h"
#include "texts.h"

#include <math.h>

/*
 * A column begins as numbers, and turns into text at its first cell that is neither a number nor missing. One
 * that was made text before the first row keeps the level "None", which elsewhere means missing. Columns of a
 * schema stay what they are. After a failure the store can only be freed.
 */
struct column_store {
    dedpul_allocator allocator;
    dedpul_error *error;
    const char *file; /* for messages */
    size_t most_levels;
    bool has_schema; /* names and levels are borrowed */
    bool is_sparse;  /* cells that a row does not have are 0 */
    /* whether the table gets these arrays */
    bool has_label, has_weight, has_truth, has_group, has_kind, has_propensity;

    struct table table;  /* if it has images, all cells must be numbers */
    size_t capacity;     /* how many rows the arrays have room for */
    size_t most_columns; /* how many columns there is room for */
    struct column_texts {
        struct texts texts; /* the levels; the first one turned the column into text */
        size_t first;       /* line or row of that text; 0: it was text from the beginning */
    } * texts;              /* (most_columns) */
    struct texts groups;    /* their names, by code */
    struct texts kinds;     /* the same */
};

/* Adds a column of numbers. */
dedpul_status column_store_add(struct column_store *store, const char *name);

/* Adds a column of the schema. */
dedpul_status column_store_add_known(struct column_store *store, const struct column_schema *schema);

/* Makes a column of numbers one of text, before the first row. */
dedpul_status column_store_make_text(struct column_store *store, size_t index);

/* Forgets all rows. */
void column_store_clear(struct column_store *store);

/* Makes room for n rows from number table.n_rows on. The caller raises table.n_rows when they are complete.
 */
dedpul_status column_store_reserve(struct column_store *store, size_t n);

/* Sets the column's value in that row, from a cell of any kind. */
dedpul_status column_store_convert(struct column_store *store, size_t index, const struct place *place,
                                   const struct cell *cell);

/* The same, but fast for finite numbers: binary files have many of them. */
static inline dedpul_status column_store_put(struct column_store *store, size_t index,
                                             const struct place *place, const struct cell *cell)
{
    const struct column *column = &store->table.column[index];
    if (cell->text != NULL || !isfinite(cell->number) || column->schema.kind != COLUMN_NUMBER)
        return column_store_convert(store, index, place, cell);
    column->number[store->table.n_rows] = cell->number;
    return DEDPUL_OK;
}

/* Sorts the levels and gives back spare room, after the last row of a table without a schema. */
dedpul_status column_store_finish(struct column_store *store);

void column_store_free(struct column_store *store);

#endif
