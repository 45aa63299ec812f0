#include "row_copies.h"

#include "sort.h"

#include <math.h>
#include <string.h>

/* ---- equal rows ---- */

/* A hash of a row's features (FNV-1a, one feature at a time) as a double, so that it can be sorted. */
static double row_key(size_t width, const float *x)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t j = 0; j < width; j++) {
        uint32_t bits;
        memcpy(&bits, &x[j], sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3;
        hash ^= hash >> 29;
    }
    return (double)(hash >> 12); /* 52 bits are exact in a double */
}

static bool are_apart(const struct fit_rows *rows, uint32_t a, uint32_t b)
{
    return rows->groups == NULL || rows->groups->of_row[a] != rows->groups->of_row[b];
}

dedpul_status row_copies_find(struct context *context, const struct fit_rows *rows, struct row_copies *copies)
{
    const size_t n = rows->table->n_rows;
    uint32_t *equal = context_allocate(context, n, sizeof *equal);
    struct block *mark = context_mark(context);
    double *key = context_allocate(context, n, sizeof *key);
    uint32_t *row = context_allocate(context, n, sizeof *row);
    size_t counted = 0, n_copies = 0, n_groups = 0;
    if (equal == NULL || key == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        if (rows->stratum[i] != STRATUM_WEIGHTLESS) {
            key[counted] = row_key(rows->width, rows->x + i * rows->width);
            row[counted++] = (uint32_t)i;
        } else {
            equal[i] = (uint32_t)n_groups++;
        }
    TRY(sort_with_rows(context, counted, key, row));
    for (size_t i = 0; i < counted; i++) {
        const bool repeats = i > 0 && key[i] == key[i - 1];
        n_copies += repeats && are_apart(rows, row[i], row[i - 1]);
        n_groups += !repeats;
        equal[row[i]] = (uint32_t)(n_groups - 1);
    }
    context_release(context, mark);
    *copies = (struct row_copies){counted, n_copies, {n_groups, equal}};
    return DEDPUL_OK;
}

/* ---- continuous columns ---- */

/* Lists the first row with weight of each group of equal rows. */
static dedpul_status list_first(struct context *context, const struct fit_rows *rows,
                                const struct row_groups *equal, size_t *n_first, uint32_t **first)
{
    bool *is_listed = context_allocate(context, equal->n, sizeof *is_listed);
    *first = context_allocate(context, equal->n, sizeof **first);
    *n_first = 0;
    if (is_listed == NULL || *first == NULL)
        return DEDPUL_NO_MEMORY;
    memset(is_listed, 0, equal->n * sizeof *is_listed);
    for (size_t i = 0; i < rows->table->n_rows; i++)
        if (rows->stratum[i] != STRATUM_WEIGHTLESS && !is_listed[equal->of_row[i]]) {
            is_listed[equal->of_row[i]] = true;
            (*first)[(*n_first)++] = (uint32_t)i;
        }
    return DEDPUL_OK;
}

/*
 * Leaving copies out, nine of ten values occur but once, and there are not many times as many rows as values,
 * as there would be with codes that name what equal rows have in common.
 */
static dedpul_status is_continuous(struct context *context, const double *number, size_t n_rows,
                                   size_t n_first, const uint32_t *first, bool *result)
{
    struct block *mark = context_mark(context);
    double *value = context_allocate(context, n_first, sizeof *value);
    uint32_t *place = context_allocate(context, n_first, sizeof *place);
    size_t n = 0, distinct = 0;
    bool is_whole = true;
    if (value == NULL || place == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < n_first; k++)
        if (!isnan(number[first[k]])) {
            place[n] = (uint32_t)k;
            value[n] = number[first[k]];
            is_whole = is_whole && value[n] == floor(value[n]);
            n++;
        }
    TRY(sort_numbers(context, n, value, place));
    for (size_t i = 0; i < n; i++)
        distinct += i == 0 || value[i] != value[i - 1];
    *result = !is_whole && 10 * distinct >= 9 * n_first && 10 * distinct >= n_rows;
    context_release(context, mark);
    return DEDPUL_OK;
}

dedpul_status row_copies_are_sure(struct context *context, const struct fit_rows *rows,
                                  const struct row_copies *copies, bool *are_sure)
{
    struct block *mark = context_mark(context);
    const struct table *table = rows->table;
    size_t n_first;
    uint32_t *first;
    *are_sure = image_shape_is_set(table->image);
    if (table->n_columns < 2 || rows->width < 2) /* every value that repeats makes an equal row */
        return DEDPUL_OK;
    TRY(list_first(context, rows, &copies->equal, &n_first, &first));
    for (size_t c = 0; c < table->n_columns && !*are_sure; c++)
        if (table->column[c].schema.kind == COLUMN_NUMBER)
            TRY(is_continuous(context, table->column[c].number, copies->n_rows, n_first, first, are_sure));
    context_release(context, mark);
    return DEDPUL_OK;
}
