#include "fit_rows.h"

#include "fit_groups.h"
#include "leak.h"
#include "logistic.h"
#include "number.h"
#include "pca.h"
#include "train.h"
#include "weighted.h"

#include <math.h>
#include <string.h>

/* Fail before training, not after. */
static dedpul_status check_rows(struct context *context, const struct table *table)
{
    size_t n[2] = {0, 0};
    double weight[2] = {0, 0};
    for (size_t i = 0; i < table->n_rows; i++) {
        n[table->label[i]] += weight_at(table->weight, i) > 0;
        weight[table->label[i]] += weight_at(table->weight, i);
    }
    for (int label = 0; label < 2; label++) {
        const char *kind = label == 1 ? "labeled positive" : "unlabeled";
        if (n[label] < 2)
            return error_set(context->error, DEDPUL_INVALID_DATA,
                             "there are %zu %s rows%s: at least 2 are needed", n[label], kind,
                             table->weight != NULL ? " with a weight above 0" : "");
        if (!(weight[label] >= 2 && weight[label] <= LARGEST_WEIGHT))
            return error_set(
                context->error, DEDPUL_INVALID_DATA,
                "the weights of the %s rows add up to %g: weights are counts of rows, from 2 to %g in "
                "all",
                kind, weight[label], LARGEST_WEIGHT);
    }
    return DEDPUL_OK;
}

/* Copies the table; in the copy, weights next to 0 are 0, so that such rows count nowhere. */
static dedpul_status clean_weights(struct context *context, const struct table *table, struct table **cleaned)
{
    const double least[2] = {least_weight(table->n_rows, table->weight, table->label, 0),
                             least_weight(table->n_rows, table->weight, table->label, 1)};
    *cleaned = context_allocate(context, 1, sizeof **cleaned);
    if (*cleaned == NULL)
        return DEDPUL_NO_MEMORY;
    **cleaned = *table;
    if (table->weight == NULL)
        return DEDPUL_OK;
    double *weight = context_allocate(context, table->n_rows, sizeof *weight);
    if (weight == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < table->n_rows; i++)
        weight[i] = table->weight[i] >= least[table->label[i]] ? table->weight[i] : 0;
    (*cleaned)->weight = weight;
    return DEDPUL_OK;
}

static void fill_strata(const struct table *table, unsigned char *stratum)
{
    for (size_t i = 0; i < table->n_rows; i++)
        stratum[i] = weight_at(table->weight, i) > 0 ? table->label[i] : STRATUM_WEIGHTLESS;
}

static dedpul_status encode(struct context *context, const struct table *table, size_t n_numbered,
                            const struct encoding_plan *plan, struct model *model, struct fit_rows *rows)
{
    TRY(encoding_learn(context, table, n_numbered, plan, &model->memory, &model->encoding));
    const size_t width = model->encoding.width;
    if (width > table->n_rows)
        context_warn(
            context, DEDPUL_WARNING_MORE_COLUMNS_THAN_ROWS,
            "there are more features (%zu) than rows (%zu): a classifier can tell any rows apart. Take "
            "the estimate with care, or leave columns out",
            width, table->n_rows);
    float *x = context_allocate(context, table->n_rows, width * sizeof *x);
    rows->width = width;
    rows->x = x;
    return x != NULL ? encoding_apply(context, &model->encoding, table, x) : DEDPUL_NO_MEMORY;
}

/* ---- from the table to the estimate ---- */

dedpul_status fit_rows_encode(struct context *context, const struct table *given, size_t n_numbered,
                              const struct fit_plan *plan, struct model *model, struct fit_rows *rows)
{
    struct table *table;
    TRY(clean_weights(context, given, &table));
    TRY(check_rows(context, table));
    unsigned char *stratum = context_allocate(context, table->n_rows, 1);
    double *logit = context_allocate(context, table->n_rows, sizeof *logit);
    if (stratum == NULL || logit == NULL)
        return DEDPUL_NO_MEMORY;
    fill_strata(table, stratum);
    *rows = (struct fit_rows){.table = table, .stratum = stratum, .logit = logit};
    model->image = table->image;
    TRY(encode(context, table, n_numbered, &plan->encoding, model, rows));
    return fit_groups_choose(context, plan->training.folds, &model->encoding, rows);
}

/* Sums of squares of the weights that rows stand for. A weight that was a count stands for so many rows. */
static void fill_squares(size_t n, const double *before, const double *after, double *square)
{
    bool are_counts = true;
    for (size_t i = 0; i < n; i++)
        are_counts = are_counts && weight_at(before, i) == floor(weight_at(before, i));
    for (size_t i = 0; i < n; i++) {
        const double rows = are_counts ? weight_at(before, i) : 1;
        square[i] = rows > 0 ? after[i] * after[i] / rows : 0;
    }
}

dedpul_status fit_rows_reweigh(struct context *context, const double *factor, struct fit_rows *rows)
{
    const size_t n = rows->table->n_rows;
    const double *before = rows->table->weight;
    struct table given = *rows->table, *table;
    double *weight = context_allocate(context, n, sizeof *weight);
    double *square = context_allocate(context, n, sizeof *square);
    unsigned char *stratum = context_allocate(context, n, 1);
    const double rounding = 1e-12; /* counts stay counts if all factors are equal */
    double labeled = 0, total = 0;
    if (weight == NULL || square == NULL || stratum == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        labeled += given.label[i] == 1 ? weight_at(before, i) : 0;
        total += given.label[i] == 1 ? weight_at(before, i) * factor[i] : 0;
    }
    for (size_t i = 0; i < n; i++) {
        const double ratio = given.label[i] == 1 ? factor[i] * labeled / total : factor[i];
        weight[i] = weight_at(before, i) * (fabs(ratio - 1) < rounding ? 1 : ratio);
    }
    given.weight = weight;
    TRY(clean_weights(context, &given, &table));
    TRY(check_rows(context, table));
    fill_squares(n, before, table->weight, square);
    fill_strata(table, stratum);
    rows->table = table;
    rows->square = square;
    rows->stratum = stratum;
    return DEDPUL_OK;
}

dedpul_status fit_rows_score(struct context *context, const struct fit_plan *plan, struct model *model,
                             const struct fit_rows *rows)
{
    TRY(train_ntc(context, rows, plan, &model->memory, &model->ntc, rows->logit));
    return warn_of_leak(context, &model->encoding, rows->table, rows->logit);
}

/* Gives the method all features, or principal components if it uses features and they are asked for. */
static dedpul_status choose_features(struct context *context, const struct fit_rows *rows,
                                     const struct fit_plan *plan, struct feature_rows *features)
{
    const struct table *table = rows->table;
    const size_t n = table->n_rows, wanted = plan->n_components < n ? plan->n_components : n;
    *features = (struct feature_rows){n, rows->width, rows->x, table->label, table->weight};
    if (!plan->estimate.method->needs_features || wanted == 0 || wanted >= rows->width)
        return DEDPUL_OK;
    float *projected = context_allocate(context, n, wanted * sizeof *projected);
    if (projected == NULL)
        return DEDPUL_NO_MEMORY;
    features->width = wanted;
    features->x = projected;
    return principal_components(context, n, rows->width, rows->x, table->weight, wanted, projected);
}

/*
 * Trains the networks of a method that has some, and replaces the posteriors, and perhaps alpha, by theirs.
 */
static dedpul_status add_trained(struct context *context, const struct fit_rows *rows,
                                 const struct fit_plan *plan, struct arena *memory, struct pn_scorer *pn,
                                 struct estimate *estimate)
{
    const struct table *table = rows->table;
    double *logit = context_allocate(context, table->n_rows, sizeof *logit);
    if (logit == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(train_method(context, rows, plan, memory, pn, &estimate->solution.proportion.alpha, logit));
    for (size_t i = 0, k = 0; i < table->n_rows; i++)
        if (table->label[i] == 0)
            estimate->posterior[k++] = sigmoid(logit[i] + pn->shift);
    return DEDPUL_OK;
}

dedpul_status fit_rows_estimate(struct context *context, const struct fit_rows *rows,
                                const struct fit_plan *plan, struct arena *memory, struct estimate *answer,
                                struct arena *pn_memory, struct pn_scorer *pn)
{
    struct block *mark = context_mark(context);
    const struct table *table = rows->table;
    const struct scored_rows scored = {.n = table->n_rows,
                                       .logit = rows->logit,
                                       .weight = table->weight,
                                       .square = rows->square,
                                       .groups = rows->groups};
    struct feature_rows features;
    TRY(choose_features(context, rows, plan, &features));
    const struct score_input input = {scored, scored, table->label, &features};
    TRY(estimate(context, &input, &plan->estimate, memory, answer));
    if (estimator_trains(plan->estimate.method))
        TRY(add_trained(context, rows, plan, pn_memory, pn, answer));
    context_release(context, mark);
    return DEDPUL_OK;
}
