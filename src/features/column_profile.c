#include "column_profile.h"

#include "parallel.h"
#include "sort.h"
#include "vectorized.h"
#include "weighted.h"

#include <math.h>
#include <string.h>

/* ---- learning ---- */

struct learning {
    const struct encoding *encoding;
    const struct table *table;
    struct column_profile *column;
    double total; /* weight of the unlabeled rows */
};

/* Returns the weight of an unlabeled row; 0 for a labeled one. */
static double weight_unlabeled(const struct table *table, size_t row)
{
    return table->label[row] == 0 ? weight_at(table->weight, row) : 0;
}

/* Cuts sorted numbers into bins of a tenth of the weight; more if they are tied, or in the last bin. */
static void cut_bins(const struct table *table, size_t n, const double *number /* (n) ascending */,
                     const uint32_t *row, struct column_profile *profile)
{
    double total = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        total += weight_unlabeled(table, row[i]);
    for (size_t i = 0; i < n; i++) {
        const double share = weight_unlabeled(table, row[i]) / total;
        size_t b = profile->n_bins - 1;
        if (i == 0 || (number[i] > number[i - 1] && profile->n_bins < PROFILE_BINS_MOST &&
                       profile->share[b] * PROFILE_BINS_MOST >= 1 - 1e-9)) {
            b = profile->n_bins++;
            profile->low[b] = number[i];
            profile->share[b] = 0;
        }
        profile->high[b] = number[i];
        profile->share[b] += share;
        sum += share * number[i];
    }
    profile->mean = isfinite(sum) ? sum : 0; /* rounding may pass the largest double */
}

static dedpul_status learn_numbers(struct context *context, const struct learning *learning, size_t c)
{
    const struct table *table = learning->table;
    const double *number = table->column[c].number;
    double *sorted = context_allocate(context, table->n_rows, sizeof *sorted), missing = 0;
    uint32_t *row = context_allocate(context, table->n_rows, sizeof *row);
    size_t n = 0;
    if (sorted == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < table->n_rows; i++) {
        if (isnan(number[i])) {
            missing += weight_unlabeled(table, i);
        } else if (weight_unlabeled(table, i) > 0) {
            sorted[n] = number[i];
            row[n++] = (uint32_t)i;
        }
    }
    TRY(sort_numbers(context, n, sorted, row));
    learning->column[c].missing = missing / learning->total;
    cut_bins(table, n, sorted, row, &learning->column[c]);
    return DEDPUL_OK;
}

static dedpul_status learn_texts(struct context *context, const struct learning *learning, size_t c)
{
    const struct table *table = learning->table;
    const struct column *column = &table->column[c];
    struct column_profile *profile = &learning->column[c];
    uint32_t *known_as;
    double missing = 0;
    TRY(encoding_match_levels(context, &learning->encoding->column[c].schema, &column->schema, &known_as));
    for (size_t i = 0; i < table->n_rows; i++) {
        const double weight = weight_unlabeled(table, i);
        if (column->code[i] == LEVEL_MISSING)
            missing += weight;
        else if (weight > 0)
            profile->share[known_as[column->code[i]]] += weight;
    }
    for (size_t b = 0; b < profile->n_bins && learning->total > missing; b++)
        profile->share[b] /= learning->total - missing;
    profile->missing = missing / learning->total;
    return DEDPUL_OK;
}

static dedpul_status learn_column(struct context *context, void *argument, size_t c)
{
    const struct learning *learning = argument;
    if (learning->encoding->column[c].width == 0)
        return DEDPUL_OK;
    return learning->table->column[c].number != NULL ? learn_numbers(context, learning, c)
                                                     : learn_texts(context, learning, c);
}

/* Makes empty profiles, with room for their bins. */
static dedpul_status make_profiles(struct context *context, const struct encoding *encoding,
                                   struct arena *memory, struct column_profile **column)
{
    *column = context_allocate_in(context, memory, encoding->n_columns, sizeof **column);
    if (*column == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < encoding->n_columns; c++) {
        const struct column_schema *schema = &encoding->column[c].schema;
        struct column_profile *profile = &(*column)[c];
        *profile = (struct column_profile){.n_bins = schema->n_levels};
        if (schema->kind == COLUMN_NUMBER) {
            profile->low = context_allocate_in(context, memory, PROFILE_BINS_MOST, sizeof *profile->low);
            profile->high = context_allocate_in(context, memory, PROFILE_BINS_MOST, sizeof *profile->high);
            if (profile->low == NULL || profile->high == NULL)
                return DEDPUL_NO_MEMORY;
        }
        const size_t most = schema->kind == COLUMN_NUMBER ? PROFILE_BINS_MOST : schema->n_levels;
        profile->share = context_allocate_in(context, memory, most, sizeof *profile->share);
        if (profile->share == NULL)
            return DEDPUL_NO_MEMORY;
        for (size_t b = 0; b < most; b++)
            profile->share[b] = 0;
    }
    return DEDPUL_OK;
}

dedpul_status column_profiles_learn(struct context *context, const struct encoding *encoding,
                                    const struct table *table, struct arena *memory,
                                    struct column_profiles *profiles)
{
    struct learning learning = {.encoding = encoding, .table = table};
    double largest = 0;
    *profiles = (struct column_profiles){.rows = 0};
    if (image_shape_is_set(table->image))
        return DEDPUL_OK;
    for (size_t i = 0; i < table->n_rows; i++) {
        const double weight = weight_unlabeled(table, i);
        learning.total += weight;
        largest = fmax(largest, weight);
    }
    TRY(make_profiles(context, encoding, memory, &learning.column));
    TRY(parallel_for(context, encoding->n_columns, learn_column, &learning));
    *profiles = (struct column_profiles){learning.total / largest, learning.column};
    return DEDPUL_OK;
}

/* ---- counting ---- */

dedpul_status column_counts_make(struct context *context, const struct encoding *encoding,
                                 const struct column_profiles *profiles, struct column_counts **counts)
{
    *counts = context_allocate(context, encoding->n_columns, sizeof **counts);
    if (*counts == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < encoding->n_columns; c++) {
        const size_t n_bins = profiles->column[c].n_bins;
        (*counts)[c] = (struct column_counts){.bin = context_allocate(context, n_bins, sizeof(size_t))};
        if ((*counts)[c].bin == NULL)
            return DEDPUL_NO_MEMORY;
        memset((*counts)[c].bin, 0, n_bins * sizeof(size_t));
    }
    return DEDPUL_OK;
}

/* Numbers are taken in pieces that stay in the processor's first cache while each bound is compared. */
enum { COUNT_ROWS = 1024, LANES = 8 };

VECTORIZED static size_t count_at_least(size_t n, const double *number, double bound)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += number[i] >= bound;
    return count;
}

/* Sums in lanes, which the processor adds up at once. */
VECTORIZED static double sum_known(size_t n, const double *number)
{
    double lane[LANES] = {0}, sum = 0;
    for (size_t i = 0; i < n / LANES * LANES; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lane[k] += isnan(number[i + k]) ? 0 : number[i + k];
    for (size_t i = n / LANES * LANES; i < n; i++)
        sum += isnan(number[i]) ? 0 : number[i];
    for (size_t k = 0; k < LANES; k++)
        sum += lane[k];
    return sum;
}

static void count_numbers(size_t n, const double *number, const struct column_profile *profile,
                          struct column_counts *counts)
{
    const size_t known = count_at_least(n, number, -INFINITY);
    size_t left = known;
    counts->missing += n - known;
    counts->sum += sum_known(n, number);
    if (profile->n_bins == 0)
        return;
    for (size_t b = 0; b < profile->n_bins; b++) {
        const size_t from_here = count_at_least(n, number, profile->low[b]);
        *(b == 0 ? &counts->below : &counts->bin[b - 1]) += left - from_here;
        left = from_here;
    }
    const double beyond = nextafter(profile->high[profile->n_bins - 1], INFINITY);
    const size_t above = count_at_least(n, number, beyond);
    counts->above += above;
    counts->bin[profile->n_bins - 1] += left - above;
}

static void count_texts(size_t n, const uint32_t *code, struct column_counts *counts)
{
    for (size_t i = 0; i < n; i++) {
        if (code[i] == LEVEL_MISSING)
            counts->missing++;
        else if (code[i] == LEVEL_UNSEEN)
            counts->unseen++;
        else
            counts->bin[code[i]]++;
    }
}

struct counting {
    const struct encoding *encoding;
    const struct column_profile *profile;
    const struct table *table;
    struct column_counts *counts;
};

static dedpul_status count_column(struct context *context, void *argument, size_t c)
{
    const struct counting *counting = argument;
    const struct column *column = &counting->table->column[c];
    const size_t n = counting->table->n_rows;
    (void)context;
    if (counting->encoding->column[c].width == 0) /* such a column need not be there */
        return DEDPUL_OK;
    if (column->number == NULL) {
        count_texts(n, column->code, &counting->counts[c]);
        return DEDPUL_OK;
    }
    for (size_t first = 0; first < n; first += COUNT_ROWS)
        count_numbers(n - first < COUNT_ROWS ? n - first : COUNT_ROWS, column->number + first,
                      &counting->profile[c], &counting->counts[c]);
    return DEDPUL_OK;
}

dedpul_status column_counts_add(struct context *context, const struct encoding *encoding,
                                const struct column_profiles *profiles, const struct table *table,
                                struct column_counts *counts)
{
    struct counting counting = {encoding, profiles->column, table, counts};
    return parallel_for(context, encoding->n_columns, count_column, &counting);
}
