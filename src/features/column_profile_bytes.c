/* Profiles as bytes, for model files. */
#include "column_profile.h"

#include <math.h>

void column_profiles_save(const struct column_profiles *profiles, const struct encoding *encoding,
                          struct bytes *bytes)
{
    bytes_put_f64(bytes, profiles->rows);
    for (size_t c = 0; profiles->rows > 0 && c < encoding->n_columns; c++) {
        const struct column_profile *profile = &profiles->column[c];
        bytes_put_f64(bytes, profile->missing);
        bytes_put_f64(bytes, profile->mean);
        bytes_put_u64(bytes, profile->n_bins);
        bytes_put_f64s(bytes, profile->n_bins, profile->share);
        if (profile->low != NULL) {
            bytes_put_f64s(bytes, profile->n_bins, profile->low);
            bytes_put_f64s(bytes, profile->n_bins, profile->high);
        }
    }
}

static dedpul_status get_numbers(struct context *context, struct bytes_reader *bytes, struct arena *memory,
                                 size_t n, double **number)
{
    *number = context_allocate_in(context, memory, n, sizeof **number);
    if (*number == NULL)
        return DEDPUL_NO_MEMORY;
    bytes_get_f64s(bytes, n, *number);
    return DEDPUL_OK;
}

/* Rounding may take them a little beyond 1. */
static bool are_shares(size_t n, const double *share)
{
    double sum = 0;
    for (size_t b = 0; b < n; b++) {
        if (!(share[b] >= 0))
            return false;
        sum += share[b];
    }
    return sum <= 1 + 1e-6;
}

static bool are_bins(size_t n, const double *low, const double *high)
{
    for (size_t b = 0; b < n; b++)
        if (!(low[b] <= high[b]) || (b > 0 && !(high[b - 1] < low[b])))
            return false;
    return n <= PROFILE_BINS_MOST;
}

static dedpul_status load_profile(struct context *context, struct bytes_reader *bytes,
                                  const struct column_schema *schema, struct arena *memory,
                                  struct column_profile *profile)
{
    *profile = (struct column_profile){.missing = bytes_get_f64(bytes)};
    bytes_get_f64s(bytes, 1, &profile->mean);
    profile->n_bins = bytes_get_count(bytes, sizeof(double));
    TRY(get_numbers(context, bytes, memory, profile->n_bins, &profile->share));
    bool is_valid = are_shares(1, &profile->missing) && are_shares(profile->n_bins, profile->share);
    if (schema->kind == COLUMN_NUMBER) {
        TRY(get_numbers(context, bytes, memory, profile->n_bins, &profile->low));
        TRY(get_numbers(context, bytes, memory, profile->n_bins, &profile->high));
        is_valid = is_valid && are_bins(profile->n_bins, profile->low, profile->high);
    } else {
        is_valid = is_valid && profile->n_bins == schema->n_levels;
    }
    bytes->failed = bytes->failed || !is_valid;
    return DEDPUL_OK;
}

dedpul_status column_profiles_load(struct context *context, struct bytes_reader *bytes,
                                   const struct encoding *encoding, struct arena *memory,
                                   struct column_profiles *profiles)
{
    *profiles = (struct column_profiles){.rows = 0};
    const double rows = bytes_get_f64(bytes);
    if (!(rows >= 0 && rows < INFINITY))
        bytes->failed = true;
    if (bytes->failed || rows == 0)
        return DEDPUL_OK;
    profiles->column = context_allocate_in(context, memory, encoding->n_columns, sizeof *profiles->column);
    if (profiles->column == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; !bytes->failed && c < encoding->n_columns; c++)
        TRY(load_profile(context, bytes, &encoding->column[c].schema, memory, &profiles->column[c]));
    profiles->rows = rows;
    return DEDPUL_OK;
}
