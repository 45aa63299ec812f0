#include "prepare.h"

#include "folds.h"
#include "pca.h"
#include "result.h"
#include "sort.h"
#include "train.h"
#include "weighted.h"

#include <math.h>
#include <string.h>

/* Now rather than after the training. */
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
        if (!(weight[label] >= 2 && weight[label] <= DEDPUL_LARGEST_WEIGHT))
            return error_set(
                context->error, DEDPUL_INVALID_DATA,
                "the weights of the %s rows add up to %g: weights are counts of rows, from 2 to %g in "
                "all",
                kind, weight[label], DEDPUL_LARGEST_WEIGHT);
    }
    return DEDPUL_OK;
}

static void fill_strata(const struct table *table, unsigned char *stratum)
{
    for (size_t i = 0; i < table->n_rows; i++)
        stratum[i] = weight_at(table->weight, i) > 0 ? table->label[i] : STRATUM_WEIGHTLESS;
}

static dedpul_status encode(struct context *context, struct fit *fit, size_t n_numbered)
{
    dedpul_model *model = fit->model;
    const struct table *table = fit->table;
    TRY(encoding_learn(context, table, n_numbered, fit->options->encode, fit->options->scale, &model->memory,
                       &model->encoding));
    const size_t width = model->encoding.width;
    if (width > table->n_rows)
        context_warn(
            context, DEDPUL_WARNING_MORE_COLUMNS_THAN_ROWS,
            "there are more features (%zu) than rows (%zu): a classifier can tell any rows apart. Take "
            "the estimate with care, or leave columns out",
            width, table->n_rows);
    fit->x = context_allocate(context, table->n_rows, width * sizeof *fit->x);
    return fit->x != NULL ? encoding_apply(context, &model->encoding, table, fit->x) : DEDPUL_NO_MEMORY;
}

/* ---- doubts about the table ---- */

/* A hash of a row's features as a number that can be sorted. */
static double row_key(size_t width, const float *x)
{
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a, by features */
    for (size_t j = 0; j < width; j++) {
        uint32_t bits;
        memcpy(&bits, &x[j], sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3;
        hash ^= hash >> 29;
    }
    return (double)(hash >> 12);
}

/*
 * Copies of a row fall into different folds, so that models have seen the rows they score. Where features are
 * discrete, equal rows are nothing special.
 */
static dedpul_status warn_of_copies(struct context *context, const struct fit *fit)
{
    struct block *mark = context_mark(context);
    const struct encoding *encoding = &fit->model->encoding;
    const size_t n = fit->table->n_rows;
    size_t ranked = 0, copies = 0;
    for (size_t c = 0; c < encoding->n_columns; c++)
        ranked += encoding->column[c].use == USE_RANK;
    if (ranked == 0 && !image_shape_is_set(fit->table->image))
        return DEDPUL_OK;
    double *key = context_allocate(context, n, sizeof *key);
    uint32_t *row = context_allocate(context, n, sizeof *row);
    if (key == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        key[i] = row_key(encoding->width, fit->x + i * encoding->width);
        row[i] = (uint32_t)i;
    }
    TRY(sort_with_rows(context, n, key, row));
    for (size_t i = 1; i < n; i++)
        copies += key[i] == key[i - 1];
    if (copies > n / 5)
        context_warn(
            context, DEDPUL_WARNING_REPEATED_ROWS,
            "%zu of %zu rows repeat others. If they are copies, alpha comes out too low: keep one of each, "
            "and give their number (--weight)",
            copies, n);
    context_release(context, mark);
    return DEDPUL_OK;
}

/* Where labeled and unlabeled rows are told apart perfectly: names the column that does so alone. */
static dedpul_status warn_of_leak(struct context *context, const struct fit *fit)
{
    const size_t n = fit->table->n_rows, width = fit->model->encoding.width;
    double auc;
    TRY(auc_by(context, fit->table, fit->logit, &auc));
    if (auc < PERFECT_AUC)
        return DEDPUL_OK;
    double *value = context_allocate(context, n, sizeof *value);
    if (value == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t j = 0; j < width; j++) {
        for (size_t i = 0; i < n; i++)
            value[i] = (double)fit->x[i * width + j];
        TRY(auc_by(context, fit->table, value, &auc));
        if (fmax(auc, 1 - auc) < PERFECT_AUC)
            continue;
        const char *name = encoding_column(&fit->model->encoding, j)->schema.name;
        char quoted[QUOTE_SIZE];
        context_warn(context, DEDPUL_WARNING_PERFECT_SCORES,
                     "column %s alone tells labeled from unlabeled rows (AUC %.4f): it seems to hold the "
                     "label. Leave it out (--ignore)",
                     quote_text(quoted, name, strlen(name)), fmax(auc, 1 - auc));
        break;
    }
    return DEDPUL_OK;
}

/* ---- the way ---- */

dedpul_status prepare(struct context *context, struct fit *fit, size_t n_numbered)
{
    const struct table *table = fit->table;
    const size_t n = table->n_rows;
    TRY(check_rows(context, table));
    fit->stratum = context_allocate(context, n, 1);
    fit->logit = context_allocate(context, n, sizeof *fit->logit);
    fit->score = context_allocate(context, n, sizeof *fit->score);
    if (fit->stratum == NULL || fit->logit == NULL || fit->score == NULL)
        return DEDPUL_NO_MEMORY;
    fill_strata(table, fit->stratum);
    fit->model->image = table->image;
    TRY(encode(context, fit, n_numbered));
    TRY(warn_of_copies(context, fit));
    TRY(train_ntc(context, fit));
    TRY(warn_of_leak(context, fit));
    for (size_t i = 0; i < n; i++)
        fit->score[i] = sigmoid(fit->logit[i]);
    return DEDPUL_OK;
}

/* Posteriors, and perhaps alpha, by the networks of a method that trains them. */
static dedpul_status add_trained(struct context *context, const struct fit *fit, dedpul_result *result)
{
    const struct table *table = fit->table;
    double *posterior = ((struct result *)result)->row_posterior;
    double *logit = context_allocate(context, table->n_rows, sizeof *logit), alpha = result->alpha;
    if (logit == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(train_method(context, fit, result->method, &alpha, logit));
    for (size_t i = 0, k = 0; i < table->n_rows; i++)
        if (table->label[i] == 0)
            posterior[k++] = sigmoid(logit[i] + fit->model->pn_shift);
    result->alpha = alpha;
    result_add_warnings((struct result *)result, context);
    return DEDPUL_OK;
}

bool method_needs_table(const char *method)
{
    size_t index = 0;
    while (index < dedpul_method_count() && strcmp(dedpul_method_name(index), method) != 0)
        index++;
    return dedpul_method_needs_table(index);
}

/* What a method sees: all features, or principal components where it looks at them and they are asked for. */
static dedpul_status choose_features(struct context *context, const struct fit *fit, const char *method,
                                     struct feature_rows *features)
{
    const struct table *table = fit->table;
    const size_t n = table->n_rows, width = fit->model->encoding.width;
    const size_t wanted = fit->options->pca < n ? fit->options->pca : n;
    *features = (struct feature_rows){n, width, fit->x, table->label, table->weight};
    if (!method_needs_table(method) || wanted == 0 || wanted >= width)
        return DEDPUL_OK;
    float *projected = context_allocate(context, n, wanted * sizeof *projected);
    if (projected == NULL)
        return DEDPUL_NO_MEMORY;
    features->width = wanted;
    features->x = projected;
    return principal_components(context, n, width, fit->x, table->weight, wanted, projected);
}

dedpul_status estimate_fit(struct context *context, const struct fit *fit, const dedpul_options *options,
                           dedpul_result **result)
{
    struct block *mark = context_mark(context);
    const struct table *table = fit->table;
    const dedpul_sample rows = {table->n_rows, fit->score, table->weight};
    struct feature_rows features;
    TRY(choose_features(context, fit, options->method, &features));
    TRY(estimate_labeled(&rows, table->label, &features, options, context, result, context->error));
    if (method_trains((*result)->method))
        TRY(add_trained(context, fit, *result));
    context_release(context, mark);
    return DEDPUL_OK;
}
