#include "fit_groups.h"

#include "row_copies.h"

/* ---- groups that are given, and those of copies ---- */

static const char *const kind_of_label[] = {"unlabeled", "labeled"};

/* The groups that have rows of a label; rows without weight do not count. */
struct spread {
    size_t n_groups, n_rows, largest;
};

static dedpul_status measure_groups(struct context *context, const struct fit_rows *rows,
                                    const struct row_groups *groups, struct spread spread[2])
{
    struct block *mark = context_mark(context);
    size_t(*count)[2] = context_allocate(context, groups->n, sizeof *count);
    if (count == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t g = 0; g < groups->n; g++)
        count[g][0] = count[g][1] = 0;
    for (size_t i = 0; i < rows->table->n_rows; i++)
        if (rows->stratum[i] != STRATUM_WEIGHTLESS)
            count[groups->of_row[i]][rows->stratum[i]]++;
    for (int label = 0; label < 2; label++) {
        spread[label] = (struct spread){0, 0, 0};
        for (size_t g = 0; g < groups->n; g++) {
            const size_t n = count[g][label];
            spread[label].n_groups += n > 0;
            spread[label].n_rows += n;
            spread[label].largest = n > spread[label].largest ? n : spread[label].largest;
        }
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

static bool is_large(const struct spread *spread)
{
    return spread->largest > spread->n_rows / 2;
}

static dedpul_status check_groups(struct context *context, unsigned n_folds, const struct spread spread[2])
{
    for (int label = 1; label >= 0; label--) {
        const char *kind = kind_of_label[label];
        const struct spread *of = &spread[label];
        if (of->n_groups < 2)
            return error_set(context->error, DEDPUL_INVALID_DATA,
                             "all %zu %s rows are of one group: models that score it would have none to "
                             "learn from. At least 2 groups must have %s rows",
                             of->n_rows, kind, kind);
        if (of->n_groups < n_folds)
            return error_set(context->error, DEDPUL_INVALID_DATA,
                             "the %s rows are of %zu groups, which is too few for %u folds: use at most "
                             "%zu folds (--folds %zu)",
                             kind, of->n_groups, n_folds, of->n_groups, of->n_groups);
        if (is_large(of))
            context_warn(context, DEDPUL_WARNING_LARGE_GROUP,
                         "one group has %zu of the %zu %s rows: the models that score it have learned from "
                         "the other %zu alone, so their scores are worse than those of other rows",
                         of->largest, of->n_rows, kind, of->n_rows - of->largest);
    }
    return DEDPUL_OK;
}

/* Groups that nobody asked for are not taken if folds would be in trouble. */
static bool fit_folds(unsigned n_folds, const struct spread spread[2])
{
    for (int label = 0; label < 2; label++)
        if (spread[label].n_groups < n_folds || is_large(&spread[label]))
            return false;
    return true;
}

/* ---- copies ---- */

/* If all features have but few values, equal rows are to be expected. */
static bool may_have_copies(const struct encoding *encoding, const struct fit_rows *rows)
{
    bool result = image_shape_is_set(rows->table->image);
    for (size_t c = 0; c < encoding->n_columns; c++)
        result = result || encoding->column[c].use == USE_RANK;
    return result;
}

static dedpul_status group_copies(struct context *context, unsigned n_folds, const struct row_copies *copies,
                                  struct fit_rows *rows)
{
    struct spread spread[2];
    bool are_sure;
    TRY(row_copies_are_sure(context, rows, copies, &are_sure));
    TRY(measure_groups(context, rows, &copies->equal, spread));
    struct row_groups *groups = context_allocate(context, 1, sizeof *groups);
    if (groups == NULL)
        return DEDPUL_NO_MEMORY;
    *groups = copies->equal;
    if (are_sure && fit_folds(n_folds, spread))
        rows->groups = groups;
    return DEDPUL_OK;
}

/* Copies in different folds are a leak: models have then seen the rows that they score. */
static dedpul_status look_for_copies(struct context *context, unsigned n_folds, struct fit_rows *rows)
{
    struct row_copies copies;
    struct block *mark = context_mark(context);
    const bool has_groups = rows->groups != NULL;
    TRY(row_copies_find(context, rows, &copies));
    const bool are_many = copies.n_copies > copies.n_rows / 5;
    if (are_many && !has_groups)
        TRY(group_copies(context, n_folds, &copies, rows));
    if (are_many && !has_groups && rows->groups != NULL) {
        context_warn(context, DEDPUL_WARNING_REPEATED_ROWS,
                     "%zu of %zu rows are copies of others. Copies were kept in one fold, so that no model "
                     "scores a row that it has learned from, but each counts as a row: keep one of each if "
                     "it should not",
                     copies.n_copies, copies.n_rows);
        return DEDPUL_OK;
    }
    if (are_many)
        context_warn(
            context, DEDPUL_WARNING_REPEATED_ROWS,
            "%zu of %zu rows repeat %s. If they are copies, alpha comes out too low: keep one of each, "
            "and give their number (--weight), or keep copies in one fold (--group)",
            copies.n_copies, copies.n_rows, has_groups ? "rows of other groups" : "others");
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- the whole ---- */

dedpul_status fit_groups_choose(struct context *context, unsigned n_folds, const struct encoding *encoding,
                                struct fit_rows *rows)
{
    const struct table *table = rows->table;
    if (table->group != NULL) {
        struct spread spread[2];
        struct row_groups *groups = context_allocate(context, 1, sizeof *groups);
        if (groups == NULL)
            return DEDPUL_NO_MEMORY;
        *groups = (struct row_groups){table->n_groups, table->group};
        rows->groups = groups;
        TRY(measure_groups(context, rows, groups, spread));
        TRY(check_groups(context, n_folds, spread));
    }
    return may_have_copies(encoding, rows) ? look_for_copies(context, n_folds, rows) : DEDPUL_OK;
}
