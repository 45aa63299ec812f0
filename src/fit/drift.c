#include "drift.h"

#include "c_locale.h"
#include "two_samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Smaller differences do not matter. */
static const double least_distance = 0.05, least_novel = 0.01;

/* Each column has three tests: of missing values, of values that are new, and of the others. */
enum { TESTS = 3 };

/* One column of both samples. */
struct column_pair {
    const struct column_schema *schema;
    const struct column_profile *profile;
    const struct column_counts *counts;
    double rows_before, rows; /* in all */
    struct cell_counts known; /* rows that have a value */
};

static struct column_pair pair_columns(const struct encoding *encoding,
                                       const struct column_profiles *profiles,
                                       const struct column_counts *counts, size_t rows, size_t c)
{
    const struct column_profile *profile = &profiles->column[c];
    return (struct column_pair){
        .schema = &encoding->column[c].schema,
        .profile = profile,
        .counts = &counts[c],
        .rows_before = profiles->rows,
        .rows = (double)rows,
        .known = {profiles->rows * fmax(1 - profile->missing, 0), (double)(rows - counts[c].missing)},
    };
}

/* ---- the tests ---- */

/* Both sides count. The fit's count is rounded towards no difference. */
static double missing_chance(const struct column_pair *at)
{
    const double before = at->profile->missing * at->rows_before, now = (double)at->counts->missing;
    const double n = floor(at->rows_before);
    const double rise = rise_chance(fmin(ceil(before), n), n, now, at->rows);
    const double fall = rise_chance(now, at->rows, fmin(floor(before), n), n);
    return fmin(2 * fmin(rise, fall), 1);
}

static struct cell_counts bin_counts(const struct column_pair *at, size_t bin)
{
    return (struct cell_counts){at->profile->share[bin] * at->known.first, (double)at->counts->bin[bin]};
}

static void add_cell(struct cell_counts *to, struct cell_counts from)
{
    to->first += from.first;
    to->second += from.second;
}

/*
 * The new values that are beyond all of the fit's lie in two of the n + 1 gaps that n values leave. A gap is
 * as likely as any other to hold a new value, so this is as if one value of the fit were there.
 */
static double range_chance(const struct column_pair *at)
{
    const double n = floor(at->known.first);
    return rise_chance(fmin(1, n), n, (double)(at->counts->below + at->counts->above), at->known.second);
}

/* Joins neighbouring bins of numbers until each has enough rows. Returns how many are left. */
static size_t join_neighbours(const struct column_pair *at, struct cell_counts *cell)
{
    const size_t n_bins = at->profile->n_bins;
    struct cell_counts open = {0, (double)at->counts->below};
    size_t n = 0;
    for (size_t b = 0; b < n_bins; b++) {
        add_cell(&open, bin_counts(at, b));
        open.second += b + 1 == n_bins ? (double)at->counts->above : 0;
        if (!has_enough_rows(&open, &at->known))
            continue;
        cell[n++] = open;
        open = (struct cell_counts){0, 0};
    }
    if (n > 0)
        add_cell(&cell[n - 1], open);
    return n;
}

/*
 * Joins rare levels, and those that the fit had not seen. What is rare is decided by the rows of both
 * samples, so that it favours neither: levels that were rare in one sample are less so in the next.
 */
static size_t join_rare(const struct column_pair *at, struct cell_counts *cell, struct cell_counts *rare)
{
    size_t n = 0;
    *rare = (struct cell_counts){0, (double)at->counts->unseen};
    for (size_t b = 0; b < at->profile->n_bins; b++) {
        const struct cell_counts level = bin_counts(at, b);
        if (has_enough_rows(&level, &at->known))
            cell[n++] = level;
        else
            add_cell(rare, level);
    }
    if (has_enough_rows(rare, &at->known))
        cell[n++] = *rare;
    return n;
}

static double rare_chance(const struct column_pair *at, const struct cell_counts *rare)
{
    const double n = floor(at->known.first);
    return rise_chance(fmin(ceil(rare->first), n), n, rare->second, at->known.second);
}

struct chances {
    double missing, novel, values;
};

static dedpul_status test_column(struct context *context, const struct column_pair *at,
                                 struct chances *chances)
{
    struct block *mark = context_mark(context);
    struct cell_counts *cell = context_allocate(context, at->profile->n_bins + 1, sizeof *cell), rare;
    size_t n;
    if (cell == NULL)
        return DEDPUL_NO_MEMORY;
    chances->missing = missing_chance(at);
    if (at->schema->kind == COLUMN_NUMBER) {
        n = join_neighbours(at, cell);
        chances->novel = range_chance(at);
    } else {
        n = join_rare(at, cell, &rare);
        chances->novel = rare_chance(at, &rare);
    }
    chances->values = homogeneity_chance(n, cell);
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- what changed ---- */

/* The values of a column: each bin, then these. */
enum { OF_MISSING, OF_BELOW, OF_ABOVE, OF_UNSEEN, OTHER_VALUES };

static struct moved_share share_of(const struct column_pair *at, size_t values)
{
    const size_t n_bins = at->profile->n_bins;
    const struct column_counts *counts = at->counts;
    const size_t others[OTHER_VALUES] = {counts->missing, counts->below, counts->above, counts->unseen};
    if (values < n_bins)
        return (struct moved_share){at->profile->share[values] * (1 - at->profile->missing),
                                    (double)counts->bin[values] / at->rows};
    return (struct moved_share){values == n_bins + OF_MISSING ? at->profile->missing : 0,
                                (double)others[values - n_bins] / at->rows};
}

/* Returns the values, from `first` on, whose share rose most. The share of missing ones may have fallen. */
static size_t most_changed(const struct column_pair *at, size_t first)
{
    size_t most = first;
    double most_change = 0;
    for (size_t v = first; v < at->profile->n_bins + OTHER_VALUES; v++) {
        const struct moved_share share = share_of(at, v);
        const double rise = share.now - share.before;
        const double change = v == at->profile->n_bins + OF_MISSING ? fabs(rise) : rise;
        if (change > most_change) {
            most_change = change;
            most = v;
        }
    }
    return most;
}

static int write_values(const struct column_pair *at, size_t values, char *text, size_t size)
{
    const struct column_profile *profile = at->profile;
    const size_t n_bins = profile->n_bins;
    char quoted[QUOTE_SIZE];
    if (values == n_bins + OF_MISSING)
        return snprintf(text, size, "missing");
    if (values == n_bins + OF_UNSEEN)
        return snprintf(text, size, "unseen levels");
    if (values == n_bins + OF_BELOW)
        return snprintf(text, size, "below %.6g", profile->low[0]);
    if (values == n_bins + OF_ABOVE)
        return snprintf(text, size, "above %.6g", profile->high[n_bins - 1]);
    if (at->schema->kind == COLUMN_TEXT)
        return snprintf(text, size, "%s",
                        quote_text(quoted, at->schema->level[values], strlen(at->schema->level[values])));
    if (profile->low[values] == profile->high[values])
        return snprintf(text, size, "%.6g", profile->low[values]);
    return snprintf(text, size, "%.6g to %.6g", profile->low[values], profile->high[values]);
}

static dedpul_status name_values(struct context *context, const struct column_pair *at, size_t values,
                                 struct arena *memory, const char **name)
{
    const struct c_locale locale = c_locale_begin();
    const size_t size = (size_t)write_values(at, values, NULL, 0) + 1;
    char *text = context_allocate_in(context, memory, size, 1);
    if (text != NULL)
        (void)write_values(at, values, text, size);
    c_locale_end(&locale);
    *name = text;
    return text != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

static double distance_between(const struct column_pair *at)
{
    double distance = 0;
    for (size_t v = 0; v < at->profile->n_bins + OTHER_VALUES; v++) {
        const struct moved_share share = share_of(at, v);
        distance += fmax(share.before - share.now, 0);
    }
    return distance;
}

static struct moved_share means_of(const struct column_pair *at)
{
    const bool is_number = at->schema->kind == COLUMN_NUMBER;
    return (struct moved_share){is_number && at->profile->n_bins > 0 ? at->profile->mean : NAN,
                                is_number ? at->counts->sum / at->known.second : NAN};
}

static struct drift drift_of(const struct column_pair *at, double chance)
{
    return (struct drift){
        .column = at->schema->name,
        .missing = {at->profile->missing, (double)at->counts->missing / at->rows},
        .mean = means_of(at),
        .out_of_range = (double)(at->counts->below + at->counts->above) / at->rows,
        .unseen = (double)at->counts->unseen / at->rows,
        .distance = distance_between(at),
        .chance = chance,
    };
}

static bool matters(const struct drift *drift)
{
    const double novel =
        drift->out_of_range + drift->unseen + (drift->missing.before > 0 ? 0 : drift->missing.now);
    return drift->distance >= least_distance || novel >= least_novel;
}

/* Adds the column to the table if it moved. */
static dedpul_status add_if_moved(struct context *context, const struct column_pair *at, struct arena *memory,
                                  struct drift_table *table)
{
    struct chances chances;
    TRY(test_column(context, at, &chances));
    const double least = fmin(fmin(chances.missing, chances.novel), chances.values);
    struct drift drift = drift_of(at, fmin((double)(TESTS * table->n_compared) * least, 1));
    if (drift.chance >= DRIFT_CHANCE || !matters(&drift))
        return DEDPUL_OK;
    const bool is_novel = chances.novel <= least && drift.out_of_range + drift.unseen > 0;
    const size_t values = most_changed(at, is_novel ? at->profile->n_bins + OF_BELOW : 0);
    drift.share = share_of(at, values);
    TRY(name_values(context, at, values, memory, &drift.change));
    table->column[table->n++] = drift;
    return DEDPUL_OK;
}

static int by_distance(const void *left, const void *right)
{
    const struct drift *a = left, *b = right;
    const int nearer = (a->distance < b->distance) - (a->distance > b->distance);
    return nearer != 0 ? nearer : strcmp(a->column, b->column);
}

dedpul_status find_drift(struct context *context, const struct encoding *encoding,
                         const struct column_profiles *profiles, size_t rows,
                         const struct column_counts *counts, struct arena *memory, struct drift_table *table)
{
    *table = (struct drift_table){.n = 0};
    if (rows < DRIFT_ROWS_FEWEST)
        return DEDPUL_OK;
    table->column = context_allocate_in(context, memory, encoding->n_columns, sizeof *table->column);
    if (table->column == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < encoding->n_columns; c++)
        table->n_compared += encoding->column[c].width > 0;
    for (size_t c = 0; c < encoding->n_columns; c++) {
        const struct column_pair at = pair_columns(encoding, profiles, counts, rows, c);
        if (encoding->column[c].width > 0)
            TRY(add_if_moved(context, &at, memory, table));
    }
    qsort(table->column, table->n, sizeof *table->column, by_distance);
    return DEDPUL_OK;
}
