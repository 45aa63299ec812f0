#include "column_summary.h"

#include "parallel.h"
#include "sample.h"
#include "weighted.h"

#include <float.h>
#include <math.h>

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

/* ---- levels ---- */

enum { CUTS_OF_LABEL = 9 }; /* a number's bins end at the deciles of labeled and of unlabeled rows */

/* The levels of a column: those of its texts, or bins of its numbers. The last one is for missing values. */
struct levels {
    const struct column *column;
    size_t n;
    double *weight; /* (n, 2, 2) of the rows, by level, half and label */
    double cut[2 * CUTS_OF_LABEL];
};

static double *weight_of(const struct levels *levels, size_t level, size_t half, unsigned char label)
{
    return &levels->weight[(level * 2 + half) * 2 + label];
}

static size_t level_of(const struct levels *levels, size_t row)
{
    const struct column *column = levels->column;
    if (column->number == NULL)
        return column->code[row] == LEVEL_MISSING ? levels->n - 1 : column->code[row];
    if (isnan(column->number[row]))
        return levels->n - 1;
    size_t level = 0;
    while (level + 2 < levels->n && column->number[row] > levels->cut[level])
        level++;
    return level;
}

/* Counts the rows of a table. They are of either half in turn, labeled and unlabeled ones apart. */
static dedpul_status levels_count(struct context *context, const struct table *table, struct levels *levels)
{
    size_t seen[2] = {0, 0};
    levels->weight = context_allocate(context, levels->n * 4, sizeof *levels->weight);
    if (levels->weight == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < levels->n * 4; k++)
        levels->weight[k] = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        const unsigned char label = table->label[i];
        *weight_of(levels, level_of(levels, i), seen[label]++ % 2, label) += weight_at(table->weight, i);
    }
    return DEDPUL_OK;
}

/* The share of labeled rows with a level in a half; where there are few rows, it is near that of all rows. */
static double labeled_share(const struct levels *levels, size_t level, size_t half, double of_all)
{
    const double p = *weight_of(levels, level, half, 1), u = *weight_of(levels, level, half, 0);
    return (p + of_all) / (p + u + 1);
}

/* The AUC if the score of a row is how many rows with its level are labeled in the other half. */
static dedpul_status levels_auc(struct context *context, const struct levels *levels, double *auc)
{
    double total[2] = {0, 0};
    double *value = context_allocate(context, levels->n * 4, sizeof *value);
    unsigned char *label = context_allocate(context, levels->n * 4, 1);
    struct sample side[2];
    if (value == NULL || label == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < levels->n * 4; k++) {
        label[k] = k % 2;
        total[k % 2] += levels->weight[k];
    }
    for (size_t k = 0; k < levels->n * 4; k++)
        value[k] = labeled_share(levels, k / 4, 1 - k / 2 % 2, total[1] / (total[0] + total[1]));
    const struct scored_rows rows = {.n = levels->n * 4, .logit = value, .weight = levels->weight};
    for (unsigned char of = 0; of < 2; of++)
        TRY(sample_sort(context, &rows, label, of, &side[of]));
    *auc =
        fmax(weighted_auc(side[1].n, side[1].logit, side[1].weight, side[0].n, side[0].logit, side[0].weight),
             0.5);
    return DEDPUL_OK;
}

/* Cuts numbers into bins, between which the labeled share may rise and fall. */
static struct levels levels_of_numbers(const struct column *column, const struct side side[2])
{
    struct levels levels = {.column = column};
    size_t n = 0;
    for (size_t of = 0; of < 2; of++)
        for (size_t k = 1; k <= CUTS_OF_LABEL && side[of].n > 0; k++) {
            const double cut = weighted_quantile(side[of].n, side[of].number, side[of].weight,
                                                 (double)k / (CUTS_OF_LABEL + 1));
            size_t place = n++;
            for (; place > 0 && levels.cut[place - 1] > cut; place--)
                levels.cut[place] = levels.cut[place - 1];
            levels.cut[place] = cut;
        }
    levels.n = n + 2; /* above the last cut, and missing */
    return levels;
}

/* ---- numbers and texts ---- */

static dedpul_status summarise_numbers(struct context *context, const struct table *table,
                                       const struct column *column, struct column_summary *summary)
{
    double *value = context_allocate(context, table->n_rows, sizeof *value);
    struct side side[2];
    double by_bins;
    if (value == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < table->n_rows; i++)
        value[i] = isnan(column->number[i]) ? -DBL_MAX : column->number[i];
    const struct scored_rows rows = {.n = table->n_rows, .logit = value, .weight = table->weight};
    for (unsigned char label = 0; label < 2; label++) {
        TRY(side_make(context, &rows, table->label, label, &side[label]));
        summary->median[label] = median_of(&side[label]);
    }
    struct levels levels = levels_of_numbers(column, side);
    TRY(levels_count(context, table, &levels));
    TRY(levels_auc(context, &levels, &by_bins));
    summary->auc = auc_of_sides(&side[0], &side[1]);
    summary->shape_auc = fmax(summary->auc, by_bins);
    summary->missing = (side[0].missing + side[1].missing) / (side[0].total + side[1].total);
    summary->alone = side[0].n == 0 ? 1 - side[1].missing / side[1].total : 0;
    return DEDPUL_OK;
}

static double weight_of_both(const struct levels *levels, size_t level, unsigned char label)
{
    return *weight_of(levels, level, 0, label) + *weight_of(levels, level, 1, label);
}

/* Finds the most frequent level of rows with a label. Returns the weight of those that have none. */
static double find_level(const struct levels *levels, unsigned char label, struct column_summary *summary,
                         double *total)
{
    double present = 0, most = 0;
    for (size_t level = 0; level + 1 < levels->n; level++) {
        const double weight = weight_of_both(levels, level, label);
        present += weight;
        if (weight > most) {
            most = weight;
            summary->level[label] = (uint32_t)level;
        }
    }
    const double missing = weight_of_both(levels, levels->n - 1, label);
    summary->share[label] = present > 0 ? most / present : 0;
    *total = present + missing;
    return missing;
}

/* Finds the level that most labeled rows have, and no unlabeled one. */
static void find_alone(const struct levels *levels, double labeled, struct column_summary *summary)
{
    for (size_t level = 0; level + 1 < levels->n; level++) {
        const double share = weight_of_both(levels, level, 1) / labeled;
        if (weight_of_both(levels, level, 0) == 0 && share > summary->alone) {
            summary->alone = share;
            summary->level_alone = (uint32_t)level;
        }
    }
}

static dedpul_status summarise_texts(struct context *context, const struct table *table,
                                     const struct column *column, struct column_summary *summary)
{
    struct levels levels = {.column = column, .n = column->schema.n_levels + 1};
    double total[2];
    TRY(levels_count(context, table, &levels));
    const double missing =
        find_level(&levels, 0, summary, &total[0]) + find_level(&levels, 1, summary, &total[1]);
    summary->missing = missing / (total[0] + total[1]);
    find_alone(&levels, total[1], summary);
    TRY(levels_auc(context, &levels, &summary->auc));
    summary->shape_auc = summary->auc;
    return DEDPUL_OK;
}

/* ---- all columns ---- */

dedpul_status summarise_column(struct context *context, const struct table *table,
                               const struct column *column, struct column_summary *summary)
{
    struct block *mark = context_mark(context);
    *summary = (struct column_summary){
        .median = {NAN, NAN}, .level = {LEVEL_MISSING, LEVEL_MISSING}, .level_alone = LEVEL_MISSING};
    TRY((column->number != NULL ? summarise_numbers : summarise_texts)(context, table, column, summary));
    context_release(context, mark);
    return DEDPUL_OK;
}

struct summarising {
    const struct table *table;
    struct column_summary *summary;
};

static dedpul_status summarise(struct context *context, void *argument, size_t index)
{
    const struct summarising *all = argument;
    return summarise_column(context, all->table, &all->table->column[index], &all->summary[index]);
}

dedpul_status summarise_columns(struct context *context, const struct table *table,
                                struct column_summary *summary)
{
    struct summarising all = {table, summary};
    return parallel_for(context, table->n_columns, summarise, &all);
}
