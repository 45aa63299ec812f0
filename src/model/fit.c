/* The public way from a table to a model. */
#include "crossfit.h"
#include "folds.h"
#include "input.h"
#include "model.h"
#include "options.h"
#include "result.h"
#include "sample.h"
#include "sort.h"
#include "weighted.h"

#include <math.h>
#include <string.h>

/* Posteriors of new rows may differ by this much from those of the whole curve. */
static const double curve_tolerance = 1e-4;

/* Operations from which on networks are too slow to be the default: about an hour of one core. */
static const double most_work = 2e14, operations_per_minute = 3e12;

struct fit {
    const dedpul_fit_options *options;
    const struct table *table;
    unsigned char *stratum; /* (n_rows) as in folds.h */
    float *x;               /* (n_rows, width) */
    double *logit;          /* (n_rows) cross-fitted */
    dedpul_model *model;
};

/* ---- checks ---- */

static dedpul_status check_rows(struct context *context, const struct table *table)
{
    size_t n[2] = {0, 0};
    for (size_t i = 0; i < table->n_rows; i++)
        n[table->label[i]] += weight_at(table->weight, i) > 0;
    for (int label = 0; label < 2; label++)
        if (n[label] < 2)
            return error_set(context->error, DEDPUL_INVALID_DATA,
                             "there are %zu %s rows%s: at least 2 are needed", n[label],
                             label == 1 ? "labeled positive" : "unlabeled",
                             table->weight != NULL ? " with a weight above 0" : "");
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

/* ---- classifiers ---- */

/* AUC of labeled against unlabeled rows by any number of each row. */
static dedpul_status auc_by(struct context *context, const struct table *table, const double *value,
                            double *auc)
{
    struct block *mark = context_mark(context);
    double *sorted[2], *weight[2];
    size_t count[2] = {0, 0};
    for (int label = 0; label < 2; label++) {
        uint32_t *row = context_allocate(context, table->n_rows, sizeof *row);
        sorted[label] = context_allocate(context, table->n_rows, sizeof **sorted);
        weight[label] = context_allocate(context, table->n_rows, sizeof **weight);
        if (row == NULL || sorted[label] == NULL || weight[label] == NULL)
            return DEDPUL_NO_MEMORY;
        for (size_t i = 0; i < table->n_rows; i++)
            if (table->label[i] == label) {
                sorted[label][count[label]] = value[i];
                row[count[label]++] = (uint32_t)i;
            }
        TRY(sort_numbers(context, count[label], sorted[label], row));
        for (size_t i = 0; i < count[label]; i++)
            weight[label][i] = weight_at(table->weight, row[i]);
    }
    *auc = weighted_auc(count[1], sorted[1], weight[1], count[0], sorted[0], weight[0]);
    context_release(context, mark);
    return DEDPUL_OK;
}

/* Center and spread of the rows' logits, for z-scores. */
static void measure(const struct table *table, const double *logit, double *center, double *spread)
{
    double total = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        total += weight_at(table->weight, i);
        sum += weight_at(table->weight, i) * logit[i];
    }
    *center = sum / total;
    for (size_t i = 0; i < table->n_rows; i++)
        squares += weight_at(table->weight, i) * (logit[i] - *center) * (logit[i] - *center);
    *spread = squares > 0 ? sqrt(squares / total) : 1;
}

static dedpul_status check_logits(struct context *context, size_t n, const double *logit)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(logit[i]))
            return error_set(context->error, DEDPUL_INVALID_DATA,
                             "training broke down: the score of row %zu is not finite. Scale the columns "
                             "(--scale), or use a lower rate (--rate)",
                             i + 1);
    return DEDPUL_OK;
}

/* One classifier alone. */
static dedpul_status train_one(struct context *context, const struct fit *fit,
                               const struct examples *examples, const struct classifier *classifier,
                               const char *stage, struct scorer *scorer, double *logit)
{
    *scorer = (struct scorer){.n_parts = 1, .part_spread = {1}, .spread = 1};
    TRY(crossfit(context, classifier, examples, fit->stratum, fit->options, stage, &fit->model->memory,
                 &scorer->part[0], logit));
    return check_logits(context, examples->n_rows, logit);
}

static dedpul_status train_blend(struct context *context, const struct fit *fit,
                                 const struct examples *examples, const char *const stage[2],
                                 struct scorer *scorer, double *logit)
{
    static const struct classifier *const blended[MOST_PARTS] = {&classifier_mlp, &classifier_gbdt};
    const size_t n = examples->n_rows;
    double *of_part = context_allocate(context, n, sizeof *of_part);
    if (of_part == NULL)
        return DEDPUL_NO_MEMORY;
    *scorer = (struct scorer){.n_parts = MOST_PARTS};
    for (size_t i = 0; i < n; i++)
        logit[i] = 0;
    for (size_t k = 0; k < MOST_PARTS; k++) {
        TRY(crossfit(context, blended[k], examples, fit->stratum, fit->options, stage[k], &fit->model->memory,
                     &scorer->part[k], of_part));
        TRY(check_logits(context, n, of_part));
        measure(fit->table, of_part, &scorer->part_center[k], &scorer->part_spread[k]);
        scorer->center += scorer->part_center[k] / MOST_PARTS;
        scorer->spread += scorer->part_spread[k] / MOST_PARTS;
        for (size_t i = 0; i < n; i++)
            logit[i] += (of_part[i] - scorer->part_center[k]) / scorer->part_spread[k];
    }
    for (size_t i = 0; i < n; i++)
        logit[i] = scorer->center + scorer->spread * (logit[i] / MOST_PARTS);
    return DEDPUL_OK;
}

/* The one with the highest AUC of held-out logits; contamination does not change the order of AUCs. */
static dedpul_status train_best(struct context *context, const struct fit *fit,
                                const struct examples *examples, struct scorer *scorer, double *logit)
{
    const size_t n = examples->n_rows;
    double highest = -1, auc;
    double *of_one = context_allocate(context, n, sizeof *of_one);
    if (of_one == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < classifier_count(); k++) {
        struct scorer one;
        const struct classifier *classifier = classifier_at(k);
        dedpul_status status = train_one(context, fit, examples, classifier, classifier->name, &one, of_one);
        if (status == DEDPUL_OK)
            status = auc_by(context, fit->table, of_one, &auc);
        if (status != DEDPUL_OK || auc <= highest) {
            ensemble_close(&one.part[0]);
            TRY(status);
            continue;
        }
        ensemble_close(&scorer->part[0]);
        *scorer = one;
        highest = auc;
        memcpy(logit, of_one, n * sizeof *logit);
    }
    return DEDPUL_OK;
}

/* mlp, or gbdt where networks would take too long. */
static const struct classifier *standard_classifier(struct context *context, const struct fit *fit,
                                                    const struct examples *examples)
{
    const double work = classifier_mlp.work(examples, fit->options);
    if (work <= most_work)
        return &classifier_mlp;
    context_warn(context, DEDPUL_WARNING_SLOW_NETWORKS,
                 "networks would take about %.0f minutes of one core, so gbdt is used instead; "
                 "--classifier mlp insists on them",
                 work / operations_per_minute);
    return &classifier_gbdt;
}

static dedpul_status train(struct context *context, struct fit *fit)
{
    static const char *const stage[2] = {"mlp", "gbdt"};
    const dedpul_fit_options *options = fit->options;
    const struct examples examples = {
        .n_rows = fit->table->n_rows,
        .width = fit->model->encoding.width,
        .x = fit->x,
        .n = fit->table->n_rows,
        .label = fit->table->label,
        .weight = fit->table->weight,
    };
    struct scorer *scorer = &fit->model->ntc;
    if (options->plugin != NULL)
        return train_one(context, fit, &examples, &classifier_plugin, options->plugin->name, scorer,
                         fit->logit);
    if (options->classifier != NULL && strcmp(options->classifier, "blend") == 0)
        return train_blend(context, fit, &examples, stage, scorer, fit->logit);
    if (options->classifier != NULL && strcmp(options->classifier, "auto") == 0)
        return train_best(context, fit, &examples, scorer, fit->logit);
    const struct classifier *classifier = options->classifier != NULL
                                              ? classifier_find(options->classifier, context->error)
                                              : standard_classifier(context, fit, &examples);
    return train_one(context, fit, &examples, classifier, classifier->name, scorer, fit->logit);
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

/* ---- positives against negatives ---- */

/*
 * Each unlabeled row is an example twice, positive with the weight of its posterior and negative with the
 * rest; labeled rows are positive ones.
 */
static dedpul_status fill_pn_examples(struct context *context, const struct fit *fit, const double *posterior,
                                      struct examples *examples)
{
    const struct table *table = fit->table;
    uint32_t *row = context_allocate(context, table->n_rows, 2 * sizeof *row);
    unsigned char *label = context_allocate(context, table->n_rows, 2);
    double *weight = context_allocate(context, table->n_rows, 2 * sizeof *weight);
    size_t n = 0, unlabeled = 0;
    if (row == NULL || label == NULL || weight == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < table->n_rows; i++) {
        const double p = table->label[i] == 1 ? 1 : posterior[unlabeled++];
        for (unsigned char class = 0; class < 2; class ++) {
            const double share = class == 1 ? p : 1 - p;
            if (share * weight_at(table->weight, i) > 0) {
                row[n] = (uint32_t)i;
                label[n] = class;
                weight[n++] = share * weight_at(table->weight, i);
            }
        }
    }
    *examples = (struct examples){
        .n_rows = table->n_rows,
        .width = fit->model->encoding.width,
        .x = fit->x,
        .n = n,
        .row = row,
        .label = label,
        .weight = weight,
    };
    return DEDPUL_OK;
}

static dedpul_status train_pn(struct context *context, const struct fit *fit, const dedpul_result *result)
{
    static const char *const stage[2] = {"pn mlp", "pn gbdt"};
    const struct scorer *ntc = &fit->model->ntc;
    const struct classifier *classifier = ntc->part[0].classifier;
    const double alpha = fmin(fmax(result->alpha, 1e-6), 1 - 1e-6);
    struct examples examples;
    double *logit = context_allocate(context, fit->table->n_rows, sizeof *logit);
    if (logit == NULL)
        return DEDPUL_NO_MEMORY;
    if (result->alpha > 1 - 1e-9)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "all unlabeled rows are positive by the estimate (alpha = 1), so there are no "
                         "negatives to train on; leave --pn out");
    TRY(fill_pn_examples(context, fit, result->posterior, &examples));
    fit->model->pn_shift = log(alpha / (1 - alpha));
    if (ntc->n_parts > 1)
        return train_blend(context, fit, &examples, stage, &fit->model->pn, logit);
    return train_one(context, fit, &examples, classifier, "pn", &fit->model->pn, logit);
}

/* ---- the whole way ---- */

static dedpul_status describe(struct context *context, const struct fit *fit, const dedpul_result *result)
{
    dedpul_model *model = fit->model;
    dedpul_fit_options named = *fit->options;
    const struct result *whole = (const struct result *)result;
    TRY(curve_thin(context, whole->n_points, whole->point_logit, whole->point_ratio, result->scale,
                   curve_tolerance, &model->memory, &model->curve));
    model->info = (dedpul_model_info){
        .version = dedpul_version(),
        .alpha = result->alpha,
        .alpha_c = result->alpha_c,
        .alpha_n = result->alpha_n,
        .scale = result->scale,
        .auc = result->auc,
        .mean_ratio = result->mean_ratio,
        .rule = result->rule,
        .method = result->method,
        .n_positive = result->n_positive,
        .n_unlabeled = result->n_unlabeled,
    };
    if (named.classifier == NULL || named.plugin != NULL)
        named.classifier = model->ntc.part[0].classifier->name;
    model->info.settings = fit_options_settings(&named, &model->memory);
    return model->info.settings != NULL ? model_describe_parts(model) : DEDPUL_NO_MEMORY;
}

/* table -> features -> classify -> scores -> result */
static dedpul_status fit_table(struct context *context, struct fit *fit, size_t n_numbered, double *score,
                               dedpul_result **result)
{
    const struct table *table = fit->table;
    const size_t n = table->n_rows;
    TRY(check_rows(context, table));
    fit->stratum = context_allocate(context, n, 1);
    fit->logit = context_allocate(context, n, sizeof *fit->logit);
    double *found = context_allocate(context, n, sizeof *found);
    if (fit->stratum == NULL || fit->logit == NULL || found == NULL)
        return DEDPUL_NO_MEMORY;
    fill_strata(table, fit->stratum);
    TRY(encode(context, fit, n_numbered));
    TRY(train(context, fit));
    TRY(warn_of_leak(context, fit));
    for (size_t i = 0; i < n; i++)
        found[i] = sigmoid(fit->logit[i]);
    const dedpul_sample rows = {n, found, table->weight};
    TRY(estimate_labeled(&rows, table->label, &fit->options->estimate, context, result, context->error));
    if (fit->options->pn)
        TRY(train_pn(context, fit, *result));
    TRY(describe(context, fit, *result));
    if (score != NULL)
        memcpy(score, found, n * sizeof *score);
    return DEDPUL_OK;
}

dedpul_status dedpul_fit(const dedpul_table *table, const dedpul_fit_options *given, dedpul_model **model,
                         dedpul_result **result, double *score, dedpul_error *error)
{
    dedpul_fit_options options;
    struct context context;
    dedpul_result *found = NULL;
    if (table == NULL || model == NULL || result == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table, model and result must not be NULL");
    dedpul_fit_options_init(&options);
    if (given != NULL)
        options = *given;
    TRY(fit_options_check(&options, error));
    struct fit fit = {.options = &options, .table = table->rows};
    fit.model = model_create(options.estimate.allocator, error);
    if (fit.model == NULL)
        return DEDPUL_NO_MEMORY;
    context_init(&context, options.estimate.allocator, error);
    context.threads = threads_or_default(options.estimate.threads);
    context.seed = options.estimate.seed;
    const dedpul_status status = fit_table(&context, &fit, table->n_numbered, score, &found);
    context_free(&context);
    fit.model->memory.error = NULL; /* the caller's, and only for this call */
    if (status != DEDPUL_OK) {
        dedpul_result_free(found);
        dedpul_model_free(fit.model);
        return status;
    }
    *model = fit.model;
    *result = found;
    return DEDPUL_OK;
}
