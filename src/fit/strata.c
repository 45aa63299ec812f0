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

static char *copy_text(struct context *context, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = context_allocate(context, size, 1);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
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
    char text[80];
    if (isnan(low) && isnan(high))
        return copy_text(context, "any number");
    if (isnan(low))
        (void)snprintf(text, sizeof text, "below %.6g", high);
    else if (isnan(high))
        (void)snprintf(text, sizeof text, "from %.6g", low);
    else
        (void)snprintf(text, sizeof text, "%.6g to %.6g", low, high);
    return copy_text(context, text);
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
        strata->name[n_bins] = copy_text(context, "missing");
    return DEDPUL_OK;
}

/* ---- values ---- */

/* The values of a column; the last is that of cells that are missing. */
struct values {
    size_t n;
    const double *number; /* (n - 1) ascending; NULL: values are levels of text */
    size_t *labeled;      /* (n) rows */
};

static size_t value_of(const struct column *column, const struct values *values, size_t row)
{
    if (column->number == NULL)
        return column->code[row] < values->n - 1 ? column->code[row] : values->n - 1;
    return isnan(column->number[row]) ? values->n - 1
                                      : first_above(values->n - 1, values->number, column->number[row]) - 1;
}

static char *value_name(struct context *context, const struct column *column, const struct values *values,
                        size_t value)
{
    char digits[NUMBER_SIZE];
    if (value == values->n - 1)
        return copy_text(context, "missing");
    return copy_text(context, column->number == NULL ? column->schema.level[value]
                                                     : format_double(digits, values->number[value]));
}

/* Each value that enough labeled rows have is a stratum; the others are one, the last. */
static dedpul_status make_levels(struct context *context, const struct table *table, struct values *values,
                                 struct strata *strata)
{
    const struct column *column = strata->column;
    uint32_t *number = context_allocate(context, values->n, sizeof *number), frequent = 0;
    size_t rare = 0;
    values->labeled = context_allocate(context, values->n, sizeof *values->labeled);
    if (number == NULL || values->labeled == NULL)
        return DEDPUL_NO_MEMORY;
    memset(values->labeled, 0, values->n * sizeof *values->labeled);
    for (size_t i = 0; i < table->n_rows; i++)
        values->labeled[value_of(column, values, i)] += is_labeled(table, i);
    for (size_t v = 0; v < values->n; v++)
        frequent += values->labeled[v] >= FEWEST_OF_VALUE;
    for (size_t i = 0; i < table->n_rows; i++)
        rare += values->labeled[value_of(column, values, i)] < FEWEST_OF_VALUE;
    TRY(allocate(context, frequent + (rare > 0), strata));
    for (uint32_t v = 0, next = 0; v < values->n; v++) {
        number[v] = values->labeled[v] >= FEWEST_OF_VALUE ? next++ : frequent;
        if (number[v] < frequent)
            strata->name[number[v]] = value_name(context, column, values, v);
    }
    if (rare > 0)
        strata->name[frequent] = copy_text(context, "others");
    for (size_t i = 0; i < table->n_rows; i++)
        strata->of_row[i] = number[value_of(column, values, i)];
    return DEDPUL_OK;
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

dedpul_status strata_make(struct context *context, const struct table *table, size_t column,
                          struct strata *strata)
{
    *strata = (struct strata){.column = &table->column[column]};
    struct values values = {.n = strata->column->schema.n_levels + 1};
    strata->of_row = context_allocate(context, table->n_rows, sizeof *strata->of_row);
    if (strata->of_row == NULL)
        return DEDPUL_NO_MEMORY;
    if (strata->column->number != NULL) {
        double *sorted;
        size_t n, distinct = 0;
        TRY(sort_values(context, table, strata->column->number, false, &sorted, &n));
        for (size_t i = 0; i < n; i++)
            if (i == 0 || sorted[i] > sorted[distinct - 1])
                sorted[distinct++] = sorted[i];
        if (distinct >= FEWEST_DISTINCT) {
            TRY(make_bins(context, table, strata->column->number, strata));
            return check(context, table, strata);
        }
        values.n = distinct + 1;
        values.number = sorted;
    }
    TRY(make_levels(context, table, &values, strata));
    return check(context, table, strata);
}
