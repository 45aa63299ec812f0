#include "kinds.h"

#include "number.h"
#include "weighted.h"

#include <string.h>

/* What the labeled rows have in the column. */
struct tally {
    size_t *rows; /* (table->n_kinds) with a weight */
    bool *joins;  /* (table->n_kinds) too few: part of the joint kind */
    size_t n_labeled, n_used, n_frequent, n_joined, rows_joined;
};

static const char *quoted_name(char buffer[QUOTE_SIZE], const struct table *table, size_t kind)
{
    return quote_text(buffer, table->kind_name[kind], strlen(table->kind_name[kind]));
}

static dedpul_status check_row(struct context *context, const struct table *table, size_t row)
{
    char quoted[QUOTE_SIZE];
    const bool has_kind = table->kind[row] != KIND_NONE;
    if (table->label[row] == 0 && has_kind)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "row %zu is unlabeled, but has the kind %s: kinds are those of labeled rows. Leave "
                         "the cell empty, or name the column of kinds (--kind COL)",
                         row + 1, quoted_name(quoted, table, table->kind[row]));
    if (table->label[row] == 1 && !has_kind)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "row %zu is labeled, but has no kind: give it one. If the kinds of some labeled "
                         "rows are not known, call that a kind, such as 'unknown'",
                         row + 1);
    return DEDPUL_OK;
}

static dedpul_status count_rows(struct context *context, const struct table *table, struct tally *tally)
{
    tally->rows = context_allocate(context, table->n_kinds + 1, sizeof *tally->rows);
    tally->joins = context_allocate(context, table->n_kinds + 1, sizeof *tally->joins);
    if (tally->rows == NULL || tally->joins == NULL)
        return DEDPUL_NO_MEMORY;
    memset(tally->rows, 0, (table->n_kinds + 1) * sizeof *tally->rows);
    for (size_t i = 0; i < table->n_rows; i++) {
        TRY(check_row(context, table, i));
        if (table->label[i] == 1 && weight_at(table->weight, i) > 0) {
            tally->n_used += tally->rows[table->kind[i]]++ == 0;
            tally->n_labeled++;
        }
    }
    return DEDPUL_OK;
}

static dedpul_status check_variety(struct context *context, const struct table *table,
                                   const struct tally *tally)
{
    char quoted[QUOTE_SIZE];
    if (tally->n_used == 1) {
        size_t only = 0;
        while (tally->rows[only] == 0)
            only++;
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "all labeled rows are of the kind %s: there must be at least two kinds. With one, "
                         "leave --kind out",
                         quoted_name(quoted, table, only));
    }
    if (tally->n_used == tally->n_labeled)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "each of the %zu labeled rows has a kind of its own: a column of identifiers is not "
                         "one of kinds (--id)",
                         tally->n_labeled);
    return DEDPUL_OK;
}

/* Joins the kinds with too few rows. If these are too few together, the smallest other kind joins them. */
static void join_rare(const struct table *table, struct tally *tally)
{
    for (size_t k = 0; k < table->n_kinds; k++) {
        tally->joins[k] = tally->rows[k] > 0 && tally->rows[k] < FEWEST_OF_KIND;
        tally->n_joined += tally->joins[k];
        tally->n_frequent += tally->rows[k] >= FEWEST_OF_KIND;
        tally->rows_joined += tally->joins[k] ? tally->rows[k] : 0;
    }
    size_t smallest = table->n_kinds;
    for (size_t k = 0; k < table->n_kinds; k++)
        if (tally->rows[k] > 0 && !tally->joins[k] &&
            (smallest == table->n_kinds || tally->rows[k] < tally->rows[smallest]))
            smallest = k;
    if (tally->n_joined > 0 && tally->rows_joined < FEWEST_OF_KIND && smallest < table->n_kinds) {
        tally->joins[smallest] = true;
        tally->n_joined++;
        tally->rows_joined += tally->rows[smallest];
    }
}

static dedpul_status check_number(struct context *context, const struct tally *tally, size_t n)
{
    if (n < 2)
        return error_set(
            context->error, DEDPUL_INVALID_DATA,
            "of %zu kinds, %zu have at least %d labeled rows: at least two must. Join kinds that "
            "are alike, or leave --kind out",
            tally->n_used, tally->n_frequent, FEWEST_OF_KIND);
    if (n > MOST_KINDS)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "%zu kinds have at least %d labeled rows: at most %d are supported. Join kinds that "
                         "are alike",
                         n, FEWEST_OF_KIND, MOST_KINDS);
    return DEDPUL_OK;
}

static bool is_kind(const struct table *table, const char *name)
{
    for (size_t k = 0; k < table->n_kinds; k++)
        if (strcmp(table->kind_name[k], name) == 0)
            return true;
    return false;
}

/* The names of the kinds that were joined, with plus signs between them, and behind them if there is such a
 * kind. */
static const char *joint_name(struct context *context, const struct table *table, const struct tally *tally)
{
    size_t size = table->n_kinds + 1;
    for (size_t k = 0; k < table->n_kinds; k++)
        size += tally->joins[k] ? strlen(table->kind_name[k]) + 1 : 0;
    char *name = context_allocate(context, size, 1), *end = name;
    if (name == NULL)
        return NULL;
    for (size_t k = 0; k < table->n_kinds; k++)
        if (tally->joins[k]) {
            const size_t length = strlen(table->kind_name[k]);
            if (end > name)
                *end++ = '+';
            memcpy(end, table->kind_name[k], length);
            end += length;
        }
    *end = '\0';
    while (is_kind(table, name)) {
        *end++ = '+';
        *end = '\0';
    }
    return name;
}

static void warn_of_rare(struct context *context, const char *name, const struct tally *tally)
{
    char quoted[QUOTE_SIZE];
    context_warn(context, DEDPUL_WARNING_RARE_KINDS,
                 "%zu kinds are counted as one, %s, because some of them have fewer than %d labeled rows: "
                 "their joint share is right only if they were labeled at the same rate",
                 tally->n_joined, quote_text(quoted, name, strlen(name)), FEWEST_OF_KIND);
}

/* Gives each kind its number; that of the joint kind is the last, and that of one without weight is n. */
static dedpul_status name_kinds(struct context *context, const struct table *table, const struct tally *tally,
                                uint32_t *number, struct kinds *kinds)
{
    uint32_t next = 0;
    for (size_t k = 0; k < table->n_kinds; k++) {
        number[k] = (uint32_t)kinds->n - (tally->rows[k] > 0);
        if (tally->rows[k] == 0 || tally->joins[k])
            continue;
        kinds->name[next] = table->kind_name[k];
        number[k] = next++;
    }
    if (tally->n_joined == 0)
        return DEDPUL_OK;
    kinds->name[next] = joint_name(context, table, tally);
    if (kinds->name[next] == NULL)
        return DEDPUL_NO_MEMORY;
    warn_of_rare(context, kinds->name[next], tally);
    return DEDPUL_OK;
}

dedpul_status kinds_read(struct context *context, const struct table *table, struct kinds *kinds)
{
    struct tally tally = {.n_labeled = 0};
    TRY(count_rows(context, table, &tally));
    TRY(check_variety(context, table, &tally));
    join_rare(table, &tally);
    const size_t n = tally.n_used - tally.n_joined + (tally.n_joined > 0);
    TRY(check_number(context, &tally, n));
    *kinds = (struct kinds){
        .n = n,
        .name = context_allocate(context, n, sizeof *kinds->name),
        .rows = context_allocate(context, n, sizeof *kinds->rows),
        .weight = context_allocate(context, n, sizeof *kinds->weight),
        .of_row = context_allocate(context, table->n_rows, sizeof *kinds->of_row),
    };
    uint32_t *number = context_allocate(context, table->n_kinds, sizeof *number);
    if (kinds->name == NULL || kinds->rows == NULL || kinds->weight == NULL || kinds->of_row == NULL ||
        number == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(name_kinds(context, table, &tally, number, kinds));
    memset(kinds->rows, 0, n * sizeof *kinds->rows);
    for (size_t k = 0; k < n; k++)
        kinds->weight[k] = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        kinds->of_row[i] = table->label[i] == 1 ? number[table->kind[i]] : (uint32_t)n;
        if (kinds->of_row[i] < n) {
            kinds->rows[kinds->of_row[i]] += weight_at(table->weight, i) > 0;
            kinds->weight[kinds->of_row[i]] += weight_at(table->weight, i);
        }
    }
    return DEDPUL_OK;
}
