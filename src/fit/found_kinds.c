#include "found_kinds.h"

#include "contributions.h"
#include "folds.h"
#include "kmeans.h"
#include "rng.h"
#include "sort.h"
#include "train.h"
#include "weighted.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Centers are found on this many labeled rows at most; each row is then given to the nearest center. */
enum { MOST_CLUSTERED = 10000, ROWS_AT_ONCE = 8192 };

/* The stream of the choice of rows; those below it are of contributions.c. */
enum { STREAM_OF_ROWS = 16 };

/* ---- clusters ---- */

struct clusters {
    const struct fit_rows *rows;
    const struct contributor *contributor;
    size_t k;
    double *center; /* (k, width) */
};

/* Lists labeled rows: all of them, or some random ones of those that have a weight. */
static dedpul_status choose_rows(struct context *context, const struct fit_rows *rows, size_t *n,
                                 uint32_t **row)
{
    size_t n_chosen, n_labeled = 0;
    TRY(folds_choose(context, rows->table->n_rows, rows->stratum, MOST_CLUSTERED,
                     rng_stream(STREAM_FOUND_KINDS, STREAM_OF_ROWS), &n_chosen, row));
    for (size_t i = 0; i < n_chosen; i++)
        if (rows->table->label[(*row)[i]] == 1)
            (*row)[n_labeled++] = (*row)[i];
    *n = n_labeled;
    return DEDPUL_OK;
}

/*
 * Rows far below the best scores are left out where centers are looked for (their weight becomes 0): these
 * rows look like negatives, and would be a cluster for this alone. They are not of a kind that was just
 * labeled less often, unless it was so by more than this factor.
 */
static const double largest_factor = 10;

static dedpul_status keep_core(struct context *context, size_t n, size_t width, const float *x,
                               double *weight)
{
    double *score = context_allocate(context, n, sizeof *score);
    double *sorted = context_allocate(context, n, sizeof *sorted), *by_score;
    uint32_t *row = context_allocate(context, n, sizeof *row);
    by_score = context_allocate(context, n, sizeof *by_score);
    if (score == NULL || sorted == NULL || by_score == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        score[i] = 0;
        for (size_t c = 0; c < width; c++)
            score[i] += (double)x[i * width + c];
        sorted[i] = score[i];
        row[i] = (uint32_t)i;
    }
    TRY(sort_numbers(context, n, sorted, row));
    for (size_t i = 0; i < n; i++)
        by_score[i] = weight[row[i]];
    const double least = weighted_quantile(n, sorted, by_score, 0.9) - log(largest_factor);
    for (size_t i = 0; i < n; i++)
        weight[i] = score[i] >= least ? weight[i] : 0;
    return DEDPUL_OK;
}

/* Finds centers of at most clusters->k clusters. */
static dedpul_status find_centers(struct context *context, struct clusters *clusters)
{
    const size_t width = clusters->rows->width;
    size_t n;
    uint32_t *row;
    TRY(choose_rows(context, clusters->rows, &n, &row));
    float *x = context_allocate(context, n, width * sizeof *x);
    double *weight = context_allocate(context, n, sizeof *weight);
    clusters->center = context_allocate(context, clusters->k * width, sizeof *clusters->center);
    if (x == NULL || weight == NULL || clusters->center == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(contributions_find(context, clusters->contributor, n, row, x));
    for (size_t i = 0; i < n; i++)
        weight[i] = weight_at(clusters->rows->table->weight, row[i]);
    TRY(keep_core(context, n, width, x, weight));
    const struct kmeans_rows rows = {n, width, x, weight};
    return kmeans(context, &rows, &clusters->k, clusters->center);
}

/* Gives a batch of labeled rows to their nearest centers. */
static dedpul_status assign_rows(struct context *context, const struct clusters *clusters, size_t n,
                                 const uint32_t *row, uint32_t *of_row)
{
    struct block *mark = context_mark(context);
    const size_t width = clusters->rows->width;
    float *x = context_allocate(context, n, width * sizeof *x);
    if (x == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(contributions_find(context, clusters->contributor, n, row, x));
    for (size_t i = 0; i < n; i++)
        of_row[row[i]] = kmeans_nearest(clusters->k, width, clusters->center, x + i * width, NULL);
    context_release(context, mark);
    return DEDPUL_OK;
}

static dedpul_status assign_all(struct context *context, const struct clusters *clusters, struct kinds *kinds)
{
    const struct table *table = clusters->rows->table;
    uint32_t row[ROWS_AT_ONCE];
    size_t n = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        kinds->of_row[i] = MOST_KINDS;
        if (table->label[i] == 1)
            row[n++] = (uint32_t)i;
        if (n == ROWS_AT_ONCE || (n > 0 && i + 1 == table->n_rows)) {
            TRY(assign_rows(context, clusters, n, row, kinds->of_row));
            n = 0;
        }
    }
    return DEDPUL_OK;
}

static void count_kinds(const struct table *table, size_t n, struct kinds *kinds)
{
    for (size_t k = 0; k < n; k++) {
        kinds->rows[k] = 0;
        kinds->weight[k] = 0;
    }
    for (size_t i = 0; i < table->n_rows; i++)
        if (table->label[i] == 1) {
            kinds->rows[kinds->of_row[i]] += weight_at(table->weight, i) > 0;
            kinds->weight[kinds->of_row[i]] += weight_at(table->weight, i);
        }
    kinds->n = n;
}

/*
 * Clusters with too few rows are dropped, the smallest first; their rows then go to the nearest of the other
 * centers.
 */
static dedpul_status drop_rare(struct context *context, struct clusters *clusters, struct kinds *kinds)
{
    const size_t width = clusters->rows->width;
    for (;;) {
        TRY(assign_all(context, clusters, kinds));
        count_kinds(clusters->rows->table, clusters->k, kinds);
        size_t rarest = 0;
        for (size_t k = 1; k < kinds->n; k++)
            rarest = kinds->rows[k] < kinds->rows[rarest] ? k : rarest;
        if (clusters->k == 1 || kinds->rows[rarest] >= FEWEST_OF_KIND)
            return DEDPUL_OK;
        clusters->k--;
        memmove(clusters->center + rarest * width, clusters->center + (rarest + 1) * width,
                (clusters->k - rarest) * width * sizeof *clusters->center);
    }
}

/* ---- kinds ---- */

/* Puts the kinds in order by their weights, and gives unlabeled rows the number that stands for none. */
static void sort_kinds(const struct table *table, struct kinds *kinds)
{
    uint32_t place[MOST_KINDS];
    for (uint32_t k = 0; k < kinds->n; k++) {
        place[k] = 0;
        for (uint32_t j = 0; j < kinds->n; j++)
            place[k] +=
                kinds->weight[j] > kinds->weight[k] || (kinds->weight[j] == kinds->weight[k] && j < k);
    }
    for (size_t i = 0; i < table->n_rows; i++)
        kinds->of_row[i] = table->label[i] == 1 ? place[kinds->of_row[i]] : (uint32_t)kinds->n;
}

static dedpul_status name_kinds(struct context *context, struct kinds *kinds)
{
    enum { NAME_SIZE = 32 };
    char *text = context_allocate(context, kinds->n, NAME_SIZE);
    if (text == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < kinds->n; k++) {
        kinds->name[k] = text + k * NAME_SIZE;
        (void)snprintf(text + k * NAME_SIZE, NAME_SIZE, "kind %zu", k + 1);
    }
    return DEDPUL_OK;
}

dedpul_status found_kinds_check(struct context *context, const struct table *table)
{
    size_t n = 0;
    for (size_t i = 0; i < table->n_rows; i++)
        n += table->label[i] == 1 && weight_at(table->weight, i) > 0;
    return n >= 2 * FEWEST_OF_KIND
               ? DEDPUL_OK
               : error_set(context->error, DEDPUL_INVALID_DATA,
                           "there are %zu labeled rows%s: to find kinds among them, at "
                           "least %d are needed. Leave --kind out",
                           n, table->weight != NULL ? " with a weight above 0" : "", 2 * FEWEST_OF_KIND);
}

dedpul_status found_kinds_find(struct context *context, const struct fit_rows *rows,
                               const struct fit_plan *plan, size_t n_kinds, struct kinds *kinds)
{
    const struct table *table = rows->table;
    const struct examples examples = train_examples(rows);
    struct contributor *contributor = NULL;
    struct clusters clusters = {.rows = rows, .k = n_kinds};
    TRY(found_kinds_check(context, table));
    *kinds = (struct kinds){
        .name = context_allocate(context, n_kinds, sizeof *kinds->name),
        .rows = context_allocate(context, n_kinds, sizeof *kinds->rows),
        .weight = context_allocate(context, n_kinds, sizeof *kinds->weight),
        .of_row = context_allocate(context, table->n_rows, sizeof *kinds->of_row),
    };
    if (kinds->name == NULL || kinds->rows == NULL || kinds->weight == NULL || kinds->of_row == NULL)
        return DEDPUL_NO_MEMORY;
    struct block *mark = context_mark(context);
    dedpul_status status =
        contributor_train(context, &examples, rows->stratum, &plan->training, &contributor);
    clusters.contributor = contributor;
    if (status == DEDPUL_OK)
        status = find_centers(context, &clusters);
    if (status == DEDPUL_OK)
        status = drop_rare(context, &clusters, kinds);
    contributor_close(contributor);
    TRY(status);
    context_release(context, mark);
    sort_kinds(table, kinds);
    count_kinds(table, kinds->n, kinds);
    return name_kinds(context, kinds);
}
