#include "column_summary.h"

#include "parallel.h"
#include "sample.h"
#include "train.h"
#include "weighted.h"

#include <float.h>
#include <math.h>

struct summarising {
    const struct table *table;
    struct column_summary *summary;
};

static double at_least_half(double auc)
{
    return 0.5 + fabs(auc - 0.5);
}

/* ---- numbers ---- */

/* The rows of one label by their numbers; those without one are first. */
struct side {
    size_t n; /* of rows that have a number */
    const double *number, *weight;
    double missing, total; /* weight */
};

static dedpul_status side_make(struct context *context, const struct scored_rows *rows,
                               const unsigned char *label, unsigned char wanted, struct side *side)
{
    struct sample sample;
    size_t first = 0;
    double missing = 0;
    TRY(sample_sort(context, rows, label, wanted, &sample));
    for (; first < sample.n && sample.logit[first] == -DBL_MAX; first++)
        missing += weight_at(sample.weight, first);
    *side = (struct side){.n = sample.n - first,
                          .number = sample.logit + first,
                          .weight = sample.weight != NULL ? sample.weight + first : NULL,
                          .missing = missing,
                          .total = sample.total};
    return DEDPUL_OK;
}

static double auc_of_sides(const struct side *u, const struct side *p)
{
    const double missing_p = p->missing / p->total, missing_u = u->missing / u->total;
    const double both = (1 - missing_p) * (1 - missing_u), tied = missing_p * missing_u / 2;
    const double present =
        p->n > 0 && u->n > 0
            ? both * weighted_auc(p->n, p->number, p->weight, u->n, u->number, u->weight) + tied
            : tied;
    const double lowest = present + (1 - missing_p) * missing_u; /* if missing numbers are below all others */
    const double highest = present + missing_p * (1 - missing_u);
    return fmax(at_least_half(lowest), at_least_half(highest));
}

static double median_of(const struct side *side)
{
    return side->n > 0 ? weighted_quantile(side->n, side->number, side->weight, 0.5) : NAN;
}

static dedpul_status summarise_numbers(struct context *context, const struct table *table,
                                       const struct column *column, struct column_summary *summary)
{
    double *value = context_allocate(context, table->n_rows, sizeof *value);
    struct side side[2];
    if (value == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < table->n_rows; i++)
        value[i] = isnan(column->number[i]) ? -DBL_MAX : column->number[i];
    const struct scored_rows rows = {.n = table->n_rows, .logit = value, .weight = table->weight};
    for (unsigned char label = 0; label < 2; label++) {
        TRY(side_make(context, &rows, table->label, label, &side[label]));
        summary->median[label] = median_of(&side[label]);
    }
    summary->auc = auc_of_sides(&side[0], &side[1]);
    summary->missing = (side[0].missing + side[1].missing) / (side[0].total + side[1].total);
    return DEDPUL_OK;
}

/* ---- texts ---- */

/* Weight of the rows by level, of either half and label. The last level stands for a missing text. */
struct level_counts {
    size_t n;
    double *weight; /* (n, 2, 2) level, half, label */
};

static double *weight_of(const struct level_counts *counts, size_t level, size_t half, unsigned char label)
{
    return &counts->weight[(level * 2 + half) * 2 + label];
}

static size_t level_of(const struct column *column, size_t row)
{
    return column->code[row] == LEVEL_MISSING ? column->schema.n_levels : column->code[row];
}

/* The share of labeled rows with a level in a half; where there are few rows, it is near that of all rows. */
static double labeled_share(const struct level_counts *counts, size_t level, size_t half, double of_all)
{
    const double p = *weight_of(counts, level, half, 1), u = *weight_of(counts, level, half, 0);
    return (p + of_all) / (p + u + 1);
}

static dedpul_status auc_of_levels(struct context *context, const struct table *table,
                                   const struct column *column, const struct level_counts *counts,
                                   double of_all, double *auc)
{
    double *value = context_allocate(context, table->n_rows, sizeof *value);
    size_t seen[2] = {0, 0};
    if (value == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < table->n_rows; i++) {
        const size_t half = seen[table->label[i]]++ % 2;
        value[i] = labeled_share(counts, level_of(column, i), 1 - half, of_all);
    }
    TRY(auc_by(context, table, value, auc));
    *auc = fmax(*auc, 0.5);
    return DEDPUL_OK;
}

/* Finds the most frequent level of rows with a label. Returns the weight of those that have one. */
static double find_level(const struct level_counts *counts, unsigned char label,
                         struct column_summary *summary)
{
    double total = 0, most = 0;
    for (size_t level = 0; level + 1 < counts->n; level++) {
        const double weight = *weight_of(counts, level, 0, label) + *weight_of(counts, level, 1, label);
        total += weight;
        if (weight > most) {
            most = weight;
            summary->level[label] = (uint32_t)level;
        }
    }
    summary->share[label] = total > 0 ? most / total : 0;
    return total;
}

static dedpul_status summarise_texts(struct context *context, const struct table *table,
                                     const struct column *column, struct column_summary *summary)
{
    struct level_counts counts = {.n = column->schema.n_levels + 1};
    double total[2] = {0, 0};
    size_t seen[2] = {0, 0};
    counts.weight = context_allocate(context, counts.n * 4, sizeof *counts.weight);
    if (counts.weight == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < counts.n * 4; k++)
        counts.weight[k] = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        const unsigned char label = table->label[i];
        const double weight = weight_at(table->weight, i);
        *weight_of(&counts, level_of(column, i), seen[label]++ % 2, label) += weight;
        total[label] += weight;
    }
    const double all = total[0] + total[1];
    const double present = find_level(&counts, 0, summary) + find_level(&counts, 1, summary);
    summary->missing = fmax(1 - present / all, 0); /* sums of weights in two orders differ a little */
    return auc_of_levels(context, table, column, &counts, total[1] / all, &summary->auc);
}

/* ---- all columns ---- */

static dedpul_status summarise(struct context *context, void *argument, size_t index)
{
    const struct summarising *all = argument;
    const struct column *column = &all->table->column[index];
    struct column_summary *summary = &all->summary[index];
    struct block *mark = context_mark(context);
    *summary = (struct column_summary){.median = {NAN, NAN}, .level = {LEVEL_MISSING, LEVEL_MISSING}};
    TRY((column->number != NULL ? summarise_numbers : summarise_texts)(context, all->table, column, summary));
    context_release(context, mark);
    return DEDPUL_OK;
}

dedpul_status summarise_columns(struct context *context, const struct table *table,
                                struct column_summary *summary)
{
    struct summarising all = {table, summary};
    return parallel_for(context, table->n_columns, summarise, &all);
}
