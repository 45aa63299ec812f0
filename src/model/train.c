#include "train.h"

#include "crossfit.h"
#include "sort.h"
#include "weighted.h"

#include <math.h>
#include <string.h>

/* Operations from which on networks are too slow to be the default: about an hour of one core. */
static const double most_work = 2e14, operations_per_minute = 3e12;

dedpul_status auc_by(struct context *context, const struct table *table, const double *value, double *auc)
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
    double squares = 0;
    *center = weighted_mean(table->n_rows, logit, table->weight);
    for (size_t i = 0; i < table->n_rows; i++)
        squares += weight_at(table->weight, i) * (logit[i] - *center) * (logit[i] - *center);
    *spread = squares > 0 ? sqrt(squares / weighted_total(table->n_rows, table->weight)) : 1;
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

dedpul_status train_ntc(struct context *context, const struct fit *fit)
{
    static const char *const stage[2] = {"mlp", "gbdt"};
    const dedpul_fit_options *options = fit->options;
    const struct examples examples = {
        .n_rows = fit->table->n_rows,
        .width = fit->model->encoding.width,
        .x = fit->x,
        .image = fit->table->image,
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
                                              ? classifier_find(options->classifier)
                                              : standard_classifier(context, fit, &examples);
    return train_one(context, fit, &examples, classifier, classifier->name, scorer, fit->logit);
}

/* ---- positives against negatives ---- */

/* So that every fold leaves some to learn from. */
enum { FEWEST_NEGATIVES = 20 };

/*
 * Each unlabeled row is an example twice, positive with the weight of its posterior and negative with the
 * rest; labeled rows are positive ones.
 */
static dedpul_status fill_pn_examples(struct context *context, const struct fit *fit, const double *posterior,
                                      struct examples *examples)
{
    const struct table *table = fit->table;
    if (table->n_rows > UINT32_MAX / 2)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "there are too many rows for a classifier of positives against negatives");
    uint32_t *row = context_allocate(context, table->n_rows, 2 * sizeof *row);
    unsigned char *label = context_allocate(context, table->n_rows, 2);
    double *weight = context_allocate(context, table->n_rows, 2 * sizeof *weight);
    size_t n = 0, unlabeled = 0;
    if (row == NULL || label == NULL || weight == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < table->n_rows; i++) {
        const double p = table->label[i] == 1 ? 1 : posterior[unlabeled++];
        for (unsigned char positive = 0; positive < 2; positive++) {
            const double share = (positive ? p : 1 - p) * weight_at(table->weight, i);
            if (share > 0) {
                row[n] = (uint32_t)i;
                label[n] = positive;
                weight[n++] = share;
            }
        }
    }
    *examples = (struct examples){
        .n_rows = table->n_rows,
        .width = fit->model->encoding.width,
        .x = fit->x,
        .image = fit->table->image,
        .n = n,
        .row = row,
        .label = label,
        .weight = weight,
    };
    return DEDPUL_OK;
}

dedpul_status train_pn(struct context *context, const struct fit *fit, const dedpul_result *result,
                       bool *trained)
{
    static const char *const stage[2] = {"pn mlp", "pn gbdt"};
    const struct scorer *ntc = &fit->model->ntc;
    const struct classifier *classifier = ntc->part[0].classifier;
    const double alpha = fmin(fmax(result->alpha, 1e-6), 1 - 1e-6);
    struct examples examples;
    double *logit = context_allocate(context, fit->table->n_rows, sizeof *logit);
    if (logit == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(fill_pn_examples(context, fit, result->posterior, &examples));
    size_t negative = 0;
    for (size_t i = 0; i < examples.n; i++)
        negative += examples.label[i] == 0;
    *trained = negative >= FEWEST_NEGATIVES;
    if (!*trained)
        return DEDPUL_OK;
    fit->model->pn_shift = log(alpha / (1 - alpha));
    if (ntc->n_parts > 1)
        return train_blend(context, fit, &examples, stage, &fit->model->pn, logit);
    return train_one(context, fit, &examples, classifier, "pn", &fit->model->pn, logit);
}
