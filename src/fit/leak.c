#include "leak.h"

#include "column_summary.h"
#include "diagnose.h"
#include "parallel.h"
#include "train.h"
#include "weighted.h"

#include <math.h>
#include <string.h>

/*
 * The limits were set by 63 public tables with shares of positives from 0.05 to 0.6, and by leaks that were
 * put into ten of them: docs/ARCHITECTURE.md has the numbers. Honest columns that are this strong mostly have
 * others beside them that are nearly as strong; a leak stands out.
 */
static const double lowest_auc = 0.85;     /* of the column */
static const double least_part = 0.85;     /* of what the classifier tells beyond chance */
static const double least_lead = 1.3;      /* over what the next best column tells beyond chance */
static const double fewest_expected = 200; /* unlabeled rows with a level, if all of them were positive */
static const double least_alone = 0.1;     /* share of the labeled rows with that level */

enum { MOST_ROWS = 5000 }; /* of either label: enough for an AUC to 0.01, and a bounded cost */

/* ---- a sample of the rows ---- */

struct sampled {
    const struct table *table;
    struct table rows;             /* labels and weights; no columns */
    size_t *row;                   /* (rows.n_rows) in the table */
    struct column_summary *column; /* (table->n_columns) */
};

/* Takes rows that count, at equal steps among those of their label. */
static dedpul_status take_rows(struct context *context, const struct table *table, struct sampled *sampled)
{
    size_t all[2] = {0, 0}, seen[2] = {0, 0}, n = 0;
    for (size_t i = 0; i < table->n_rows; i++)
        all[table->label[i]] += weight_at(table->weight, i) > 0;
    const size_t most[2] = {all[0] < MOST_ROWS ? all[0] : MOST_ROWS, all[1] < MOST_ROWS ? all[1] : MOST_ROWS};
    *sampled = (struct sampled){.table = table, .rows = {.n_rows = most[0] + most[1]}};
    sampled->row = context_allocate(context, sampled->rows.n_rows, sizeof *sampled->row);
    sampled->rows.label = context_allocate(context, sampled->rows.n_rows, 1);
    sampled->rows.weight = context_allocate(context, sampled->rows.n_rows, sizeof(double));
    sampled->column = context_allocate(context, table->n_columns, sizeof *sampled->column);
    if (sampled->row == NULL || sampled->rows.label == NULL || sampled->rows.weight == NULL ||
        sampled->column == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < table->n_rows; i++) {
        const unsigned char label = table->label[i];
        if (!(weight_at(table->weight, i) > 0))
            continue;
        const size_t before = seen[label]++;
        if (before * most[label] / all[label] == seen[label] * most[label] / all[label])
            continue;
        sampled->row[n] = i;
        sampled->rows.label[n] = label;
        sampled->rows.weight[n++] = weight_at(table->weight, i);
    }
    return DEDPUL_OK;
}

static dedpul_status summarise_one(struct context *context, void *argument, size_t index)
{
    struct sampled *sampled = argument;
    const struct column *from = &sampled->table->column[index];
    const size_t n = sampled->rows.n_rows;
    struct block *mark = context_mark(context);
    struct column column = {.schema = from->schema};
    if (from->number != NULL)
        column.number = context_allocate(context, n, sizeof *column.number);
    else
        column.code = context_allocate(context, n, sizeof *column.code);
    if (column.number == NULL && column.code == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        if (from->number != NULL)
            column.number[i] = from->number[sampled->row[i]];
        else
            column.code[i] = from->code[sampled->row[i]];
    TRY(summarise_column(context, &sampled->rows, &column, &sampled->column[index]));
    context_release(context, mark);
    return DEDPUL_OK;
}

static dedpul_status auc_by_logits(struct context *context, const struct sampled *sampled,
                                   const double *logit, double *auc)
{
    double *value = context_allocate(context, sampled->rows.n_rows, sizeof *value);
    if (value == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < sampled->rows.n_rows; i++)
        value[i] = logit[sampled->row[i]];
    return auc_by(context, &sampled->rows, value, auc);
}

/* ---- what they say ---- */

/* What the columns tell of the labels. */
struct finding {
    size_t strongest; /* the column with the highest AUC */
    double next_auc;  /* of the second one; NaN: there is none */
    size_t exclusive; /* the column of the level that most labeled rows have, and no unlabeled one */
};

static struct finding look(const struct encoding *encoding, const struct column_summary *column)
{
    struct finding finding = {.next_auc = NAN};
    bool is_first = true;
    for (size_t c = 0; c < encoding->n_columns; c++) {
        if (encoding->column[c].width == 0)
            continue;
        if (is_first)
            finding.strongest = finding.exclusive = c;
        const bool is_stronger = column[c].shape_auc > column[finding.strongest].shape_auc;
        if (!is_first)
            finding.next_auc = fmax(finding.next_auc, column[is_stronger ? finding.strongest : c].shape_auc);
        finding.strongest = is_stronger ? c : finding.strongest;
        finding.exclusive = column[c].alone > column[finding.exclusive].alone ? c : finding.exclusive;
        is_first = false;
    }
    return finding;
}

/* A single column carries all by necessity. */
static bool is_leak(double auc, double next_auc, double auc_of_all)
{
    return auc >= PERFECT_AUC || (auc >= lowest_auc && auc - 0.5 >= least_part * (auc_of_all - 0.5) &&
                                  auc - 0.5 >= least_lead * (next_auc - 0.5));
}

static const char *quote_name(char quoted[QUOTE_SIZE], const struct column *column)
{
    return quote_text(quoted, column->schema.name, strlen(column->schema.name));
}

static void tell_strongest(struct context *context, const char *name, double auc, double all)
{
    if (auc >= PERFECT_AUC)
        context_warn(context, DEDPUL_WARNING_PERFECT_SCORES,
                     "column %s alone tells labeled from unlabeled rows (AUC %.4f): it seems to hold the "
                     "label. Leave it out (--ignore)",
                     name, auc);
    else
        context_warn(context, DEDPUL_WARNING_LEAKING_COLUMN,
                     "column %s alone tells labeled from unlabeled rows (AUC %.3f) nearly as well as all "
                     "columns do (%.3f). If it came with the labeling, alpha is too low: leave it out "
                     "(--ignore)",
                     name, auc, all);
}

static void tell_exclusive(struct context *context, const char *name, const struct column_summary *summary,
                           const struct column *column)
{
    char level[QUOTE_SIZE] = "a number";
    if (summary->level_alone != LEVEL_MISSING) {
        const char *text = column->schema.level[summary->level_alone];
        (void)quote_text(level, text, strlen(text));
    }
    context_warn(context, DEDPUL_WARNING_LEAKING_COLUMN,
                 "%.0f%% of the labeled rows have %s in column %s, but hardly any unlabeled row has. If it "
                 "came with the labeling, alpha is too low: leave it out (--ignore)",
                 100 * summary->alone, level, name);
}

static double unlabeled_weight(const struct table *rows)
{
    double total = 0;
    for (size_t i = 0; i < rows->n_rows; i++)
        total += rows->label[i] == 0 ? rows->weight[i] : 0;
    return total;
}

dedpul_status warn_of_leak(struct context *context, const struct encoding *encoding,
                           const struct table *table, const double *logit)
{
    struct block *mark = context_mark(context);
    struct sampled sampled;
    double auc_of_all;
    char name[QUOTE_SIZE];
    TRY(take_rows(context, table, &sampled));
    TRY(parallel_for(context, table->n_columns, summarise_one, &sampled));
    TRY(auc_by_logits(context, &sampled, logit, &auc_of_all));
    const struct finding finding = look(encoding, sampled.column);
    const struct column_summary *strongest = &sampled.column[finding.strongest];
    const struct column_summary *exclusive = &sampled.column[finding.exclusive];
    if (is_leak(strongest->shape_auc, finding.next_auc, auc_of_all))
        tell_strongest(context, quote_name(name, &table->column[finding.strongest]), strongest->shape_auc,
                       auc_of_all);
    else if (exclusive->alone >= least_alone &&
             exclusive->alone * unlabeled_weight(&sampled.rows) >= fewest_expected)
        tell_exclusive(context, quote_name(name, &table->column[finding.exclusive]), exclusive,
                       &table->column[finding.exclusive]);
    context_release(context, mark);
    return DEDPUL_OK;
}
