#include "strata.h"

#include "number.h"
#include "search.h"
#include "sort.h"
#include "weighted.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_BINS = 8, ROWS_OF_BIN = 25, FEWEST_OF_VALUE = 15, FEWEST_DISTINCT = 10 };

static bool is_labeled(const struct table *table, size_t row)
{
    return table->label[row] == 1 && weight_at(table->weight, row) > 0;
}

static dedpul_status allocate(struct context *context, size_t n, struct strata *strata)
{
    strata->n = n;
    strata->name = context_allocate(context, n, sizeof *strata->name);
    strata->labeled = context_allocate(context, n, sizeof *strata->labeled);
    return strata->name != NULL && strata->labeled != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

/* Sorts the numbers of a column: of labeled rows, or of all. */
static dedpul_status sort_values(struct context *context, const struct table *table, const double *number,
                                 bool of_labeled, double **sorted, size_t *n)
{
    uint32_t *row = context_allocate(context, table->n_rows, sizeof *row);
    *sorted = context_allocate(context, table->n_rows, sizeof **sorted);
    if (row == NULL || *sorted == NULL)
        return DEDPUL_NO_MEMORY;
    *n = 0;
    for (size_t i = 0; i < table->n_rows; i++)
        if (!isnan(number[i]) && (!of_labeled || is_labeled(table, i))) {
            (*sorted)[*n] = number[i] + 0.0; /* no -0.0 */
            row[(*n)++] = (uint32_t)i;
        }
    return sort_numbers(context, *n, *sorted, row);
}

/* ---- bins of numbers ---- */

/* Fills where bins begin among the sorted numbers of labeled rows; equal numbers are in one bin. */
static size_t find_bins(size_t n, const double *sorted, size_t begin[MOST_BINS])
{
    const size_t most = n / ROWS_OF_BIN, wanted = most < 2 ? 2 : most > MOST_BINS ? MOST_BINS : most;
    size_t found = 1;
    begin[0] = 0;
    for (size_t k = 1; k < wanted; k++) {
        size_t at = k * n / wanted;
        while (at > 0 && sorted[at - 1] == sorted[at])
            at--;
        if (at > begin[found - 1])
            begin[found++] = at;
    }
    return found;
}

/* A bin goes from one number to below another; NaN: there is no end on this side. */
static char *bin_name(struct context *context, double low, double high)
{
    char text[2 * NUMBER_SIZE + 8], from[NUMBER_SIZE], to[NUMBER_SIZE];
    if (isnan(low) && isnan(high))
        return context_copy_text(context, context->arena, "any number");
    if (isnan(low))
        (void)snprintf(text, sizeof text, "below %s", format_double(to, high));
    else if (isnan(high))
        (void)snprintf(text, sizeof text, "from %s", format_double(from, low));
    else
        (void)snprintf(text, sizeof text, "%s to %s", format_double(from, low), format_double(to, high));
    return context_copy_text(context, context->arena, text);
}

static dedpul_status make_bins(struct context *context, const struct table *table, const double *number,
                               struct strata *strata)
{
    double *sorted, low[MOST_BINS];
    size_t n, begin[MOST_BINS + 1];
    bool has_missing = false;
    TRY(sort_values(context, table, number, true, &sorted, &n));
    const size_t n_bins = strata->n_bins = find_bins(n, sorted, begin);
    begin[n_bins] = n;
    for (size_t k = 0; k < n_bins; k++)
        low[k] = k > 0 ? sorted[begin[k]] : -INFINITY;
    for (size_t i = 0; i < table->n_rows; i++) {
        has_missing = has_missing || isnan(number[i]);
        strata->of_row[i] = (uint32_t)(isnan(number[i]) ? n_bins : first_above(n_bins, low, number[i]) - 1);
    }
    TRY(allocate(context, n_bins + has_missing, strata));
    strata->center = context_allocate(context, n_bins, sizeof *strata->center);
    if (strata->center == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < n_bins; k++) {
        strata->center[k] = n > 0 ? sorted[(begin[k] + begin[k + 1] - 1) / 2] : 0;
        strata->name[k] = bin_name(context, k > 0 ? low[k] : NAN, k + 1 < n_bins ? low[k + 1] : NAN);
    }
    if (has_missing)
        strata->name[n_bins] = context_copy_text(context, context->arena, "missing");
    return DEDPUL_OK;
}

/* ---- values ---- */

/* The values of a column; the last is that of cells that are missing. */
struct values {
    size_t n;
    const double *number; /* (n - 1) ascending; NULL: values are levels of text */
    uint32_t *of_row;     /* (n_rows) below n */
};

static char *value_name(struct context *context, const struct column *column, const struct values *values,
                        size_t value)
{
    char digits[NUMBER_SIZE];
    if (value == values->n - 1)
        return context_copy_text(context, context->arena, "missing");
    return context_copy_text(context, context->arena,
                             values->number == NULL ? column->schema.level[value]
                                                    : format_double(digits, values->number[value]));
}

/* Each value that enough labeled rows have is a stratum; the others are one, the last. */
static dedpul_status make_levels(struct context *context, const struct table *table,
                                 const struct values *values, struct strata *strata)
{
    size_t *labeled = context_allocate(context, values->n, sizeof *labeled), rare = 0;
    uint32_t *number = context_allocate(context, values->n, sizeof *number), frequent = 0;
    if (number == NULL || labeled == NULL)
        return DEDPUL_NO_MEMORY;
    memset(labeled, 0, values->n * sizeof *labeled);
    for (size_t i = 0; i < table->n_rows; i++)
        labeled[values->of_row[i]] += is_labeled(table, i);
    for (size_t v = 0; v < values->n; v++)
        frequent += labeled[v] >= FEWEST_OF_VALUE;
    for (size_t i = 0; i < table->n_rows; i++)
        rare += labeled[values->of_row[i]] < FEWEST_OF_VALUE;
    TRY(allocate(context, frequent + (rare > 0), strata));
    for (uint32_t v = 0, next = 0; v < values->n; v++) {
        number[v] = labeled[v] >= FEWEST_OF_VALUE ? next++ : frequent;
        if (number[v] < frequent)
            strata->name[number[v]] = value_name(context, strata->column, values, v);
    }
    if (rare > 0)
        strata->name[frequent] = context_copy_text(context, context->arena, "others");
    for (size_t i = 0; i < table->n_rows; i++)
        strata->of_row[i] = number[values->of_row[i]];
    return DEDPUL_OK;
}

static void code_texts(const struct table *table, const struct column *column, struct values *values)
{
    const uint32_t missing = (uint32_t)column->schema.n_levels;
    values->n = (size_t)missing + 1;
    for (size_t i = 0; i < table->n_rows; i++)
        values->of_row[i] = column->code[i] < missing ? column->code[i] : missing;
}

/* `distinct` has n numbers, ascending. */
static void code_numbers(const struct table *table, const double *number, size_t n, const double *distinct,
                         struct values *values)
{
    values->n = n + 1;
    values->number = distinct;
    for (size_t i = 0; i < table->n_rows; i++)
        values->of_row[i] = (uint32_t)(isnan(number[i]) ? n : first_above(n, distinct, number[i]) - 1);
}

/* ---- the whole ---- */

static dedpul_status check(struct context *context, const struct table *table, struct strata *strata)
{
    const char *name = strata->column->schema.name;
    char quoted[QUOTE_SIZE];
    size_t used = 0;
    memset(strata->labeled, 0, strata->n * sizeof *strata->labeled);
    for (size_t i = 0; i < table->n_rows; i++)
        strata->labeled[strata->of_row[i]] += is_labeled(table, i);
    for (size_t s = 0; s < strata->n; s++) {
        if (strata->name[s] == NULL)
            return DEDPUL_NO_MEMORY;
        used += strata->labeled[s] > 0;
    }
    if (used < 2)
        return error_set(
            context->error, DEDPUL_INVALID_DATA,
            "column %s does not tell labeled rows apart, so labels cannot depend on it: at least "
            "two of its values need labeled rows, %d or more. Leave it out of --propensity",
            quote_text(quoted, name, strlen(name)), FEWEST_OF_VALUE);
    return DEDPUL_OK;
}

/* Sorts rows into strata by bins or by values. */
static dedpul_status sort_rows(struct context *context, const struct table *table, struct strata *strata)
{
    const struct column *column = strata->column;
    struct values values = {.of_row = context_allocate(context, table->n_rows, sizeof *values.of_row)};
    if (values.of_row == NULL)
        return DEDPUL_NO_MEMORY;
    if (column->number == NULL) {
        code_texts(table, column, &values);
    } else {
        double *sorted;
        size_t n, distinct = 0;
        TRY(sort_values(context, table, column->number, false, &sorted, &n));
        for (size_t i = 0; i < n; i++)
            if (i == 0 || sorted[i] > sorted[distinct - 1])
                sorted[distinct++] = sorted[i];
        if (distinct >= FEWEST_DISTINCT)
            return make_bins(context, table, column->number, strata);
        code_numbers(table, column->number, distinct, sorted, &values);
    }
    return make_levels(context, table, &values, strata);
}

dedpul_status strata_make(struct context *context, const struct table *table, size_t column,
                          struct strata *strata)
{
    *strata = (struct strata){.column = &table->column[column]};
    strata->of_row = context_allocate(context, table->n_rows, sizeof *strata->of_row);
    if (strata->of_row == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(sort_rows(context, table, strata));
    return check(context, table, strata);
}
