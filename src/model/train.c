#include "train.h"

#include "best_bin.h"
#include "crossfit.h"
#include "sort.h"
#include "weighted.h"

#include <math.h>
#include <string.h>

/* Operations from which on networks are too slow to be the default: about an hour of one core. */
static const double most_work = 2e14, operations_per_minute = 3e12;

/* The rows' values by label, sorted. */
struct by_label {
    size_t n[2];
    double *value[2], *weight[2];
};

static dedpul_status sort_by_label(struct context *context, const struct table *table, const double *value,
                                   struct by_label *sorted)
{
    *sorted = (struct by_label){.n = {0, 0}};
    for (int label = 0; label < 2; label++) {
        uint32_t *row = context_allocate(context, table->n_rows, sizeof *row);
        sorted->value[label] = context_allocate(context, table->n_rows, sizeof *value);
        sorted->weight[label] = context_allocate(context, table->n_rows, sizeof *value);
        if (row == NULL || sorted->value[label] == NULL || sorted->weight[label] == NULL)
            return DEDPUL_NO_MEMORY;
        size_t n = 0;
        for (size_t i = 0; i < table->n_rows; i++)
            if (table->label[i] == label) {
                sorted->value[label][n] = value[i];
                row[n++] = (uint32_t)i;
            }
        TRY(sort_numbers(context, n, sorted->value[label], row));
        for (size_t i = 0; i < n; i++)
            sorted->weight[label][i] = weight_at(table->weight, row[i]);
        sorted->n[label] = n;
    }
    return DEDPUL_OK;
}

dedpul_status auc_by(struct context *context, const struct table *table, const double *value, double *auc)
{
    struct block *mark = context_mark(context);
    struct by_label sorted;
    TRY(sort_by_label(context, table, value, &sorted));
    *auc = weighted_auc(sorted.n[1], sorted.value[1], sorted.weight[1], sorted.n[0], sorted.value[0],
                        sorted.weight[0]);
    context_release(context, mark);
    return DEDPUL_OK;
}

/* The best bin estimate of the share of positives by any number of each row. */
static dedpul_status best_bin_by(struct context *context, const struct table *table, const double *value,
                                 double *share)
{
    struct block *mark = context_mark(context);
    struct by_label sorted;
    TRY(sort_by_label(context, table, value, &sorted));
    *share = best_bin_share(sorted.n[1], sorted.value[1], sorted.weight[1], sorted.n[0], sorted.value[0],
                            sorted.weight[0]);
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
                               const struct risk *risk, const char *stage, struct scorer *scorer,
                               double *logit)
{
    *scorer = (struct scorer){.n_parts = 1, .part_spread = {1}, .spread = 1};
    TRY(crossfit(context, classifier, examples, fit->stratum, risk, fit->options, stage, &fit->model->memory,
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
        TRY(crossfit(context, blended[k], examples, fit->stratum, &risk_of_classes, fit->options, stage[k],
                     &fit->model->memory, &scorer->part[k], of_part));
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
    const size_t n_warnings = context->n_warnings;
    double highest = -1, auc;
    struct context_warning doubt = {.code = 0}; /* about the training of the best */
    double *of_one = context_allocate(context, n, sizeof *of_one);
    if (of_one == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < classifier_count(); k++) {
        struct scorer one;
        const struct classifier *classifier = classifier_at(k);
        context->n_warnings = n_warnings;
        if (classifier->for_images && !image_shape_is_set(examples->image))
            continue;
        dedpul_status status =
            train_one(context, fit, examples, classifier, &risk_of_classes, classifier->name, &one, of_one);
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
        doubt.code = 0;
        if (context->n_warnings > n_warnings)
            doubt = context->warnings[n_warnings];
        memcpy(logit, of_one, n * sizeof *logit);
    }
    context->n_warnings = n_warnings;
    if (doubt.code != 0)
        context_warn(context, doubt.code, "%s", doubt.message);
    return DEDPUL_OK;
}

/* The kind of network for these rows. */
static const struct classifier *standard_network(const struct examples *examples)
{
    return image_shape_is_set(examples->image) ? &classifier_conv : &classifier_mlp;
}

/*
 * The name of the default: networks and trees together; networks alone for images and for a single feature,
 * where trees do worse; trees alone where networks would take too long.
 */
static const char *standard_classifier(struct context *context, const struct fit *fit,
                                       const struct examples *examples)
{
    const struct classifier *network = standard_network(examples);
    const double work = network->work(examples, fit->options);
    if (work > most_work) {
        context_warn(context, DEDPUL_WARNING_SLOW_NETWORKS,
                     "networks would take about %.0f minutes of one core, so gbdt is used instead; "
                     "--classifier %s insists on them",
                     work / operations_per_minute, network->name);
        return classifier_gbdt.name;
    }
    return network == &classifier_mlp && examples->width > 1 ? "blend" : network->name;
}

/* Labeled and unlabeled rows as they are. */
static struct examples labeled_and_unlabeled(const struct fit *fit)
{
    return (struct examples){
        .n_rows = fit->table->n_rows,
        .width = fit->model->encoding.width,
        .x = fit->x,
        .image = fit->table->image,
        .n = fit->table->n_rows,
        .label = fit->table->label,
        .weight = fit->table->weight,
    };
}

dedpul_status train_ntc(struct context *context, const struct fit *fit)
{
    static const char *const stage[2] = {"mlp", "gbdt"};
    const dedpul_fit_options *options = fit->options;
    const struct examples examples = labeled_and_unlabeled(fit);
    struct scorer *scorer = &fit->model->ntc;
    if (options->plugin != NULL)
        return train_one(context, fit, &examples, &classifier_plugin, &risk_of_classes, options->plugin->name,
                         scorer, fit->logit);
    const char *name =
        options->classifier != NULL ? options->classifier : standard_classifier(context, fit, &examples);
    if (strcmp(name, "blend") == 0)
        return train_blend(context, fit, &examples, stage, scorer, fit->logit);
    if (strcmp(name, "auto") == 0)
        return train_best(context, fit, &examples, scorer, fit->logit);
    return train_one(context, fit, &examples, classifier_find(name), &risk_of_classes, name, scorer,
                     fit->logit);
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
        .image = table->image,
        .n = n,
        .row = row,
        .label = label,
        .weight = weight,
    };
    return DEDPUL_OK;
}

static double log_odds(double share)
{
    const double inside = fmin(fmax(share, 1e-6), 1 - 1e-6);
    return log(inside / (1 - inside));
}

dedpul_status train_pn(struct context *context, const struct fit *fit, const dedpul_result *result,
                       bool *trained)
{
    static const char *const stage[2] = {"pn mlp", "pn gbdt"};
    const struct scorer *ntc = &fit->model->ntc;
    const struct classifier *classifier = ntc->part[0].classifier;
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
    fit->model->pn_shift = log_odds(result->alpha);
    if (ntc->n_parts > 1)
        return train_blend(context, fit, &examples, stage, &fit->model->pn, logit);
    return train_one(context, fit, &examples, classifier, &risk_of_classes, "pn", &fit->model->pn, logit);
}

/* ---- methods that train ---- */

static const struct {
    const char *method;
    enum risk_kind risk;
} trainers[] = {{"upu", RISK_UPU}, {"nnpu", RISK_NNPU}, {"tedn", RISK_CVIR}};

static bool find_trainer(const char *method, enum risk_kind *risk)
{
    for (size_t i = 0; i < sizeof trainers / sizeof trainers[0]; i++)
        if (strcmp(trainers[i].method, method) == 0) {
            *risk = trainers[i].risk;
            return true;
        }
    return false;
}

bool method_trains(const char *method)
{
    enum risk_kind risk;
    return find_trainer(method, &risk);
}

/* The classifier asked for where it is a network, else the one that would be the default. */
static dedpul_status choose_network(struct context *context, const struct fit *fit, const char *method,
                                    const struct examples *examples, const struct classifier **network)
{
    const char *name = fit->options->classifier;
    *network = name != NULL ? classifier_find(name) : NULL;
    if (*network != NULL && (*network)->takes_risks)
        return DEDPUL_OK;
    *network = standard_network(examples);
    const double work = (*network)->work(examples, fit->options);
    if (work > most_work)
        return error_set(context->error, DEDPUL_INVALID_ARGUMENT,
                         "%s trains networks, which would take about %.0f minutes of one core; --classifier "
                         "%s insists on it",
                         method, work / operations_per_minute, (*network)->name);
    return DEDPUL_OK;
}

dedpul_status train_method(struct context *context, const struct fit *fit, const char *method, double *alpha,
                           double *logit)
{
    struct risk risk = {
        .loss = fit->options->loss,
        .given = fit->options->estimate.alpha,
        .beta = fit->options->nn_beta,
        .gamma = fit->options->nn_gamma,
    };
    const struct examples examples = labeled_and_unlabeled(fit);
    const struct classifier *network;
    if (!find_trainer(method, &risk.kind))
        return error_set(context->error, DEDPUL_INVALID_ARGUMENT, "method %s trains nothing", method);
    risk.alpha = risk.kind == RISK_CVIR ? 0 : *alpha;
    TRY(choose_network(context, fit, method, &examples, &network));
    ensemble_close(&fit->model->pn.part[0]); /* of a method before */
    TRY(train_one(context, fit, &examples, network, &risk, method, &fit->model->pn, logit));
    fit->model->pn_shift = 0;
    if (risk.kind == RISK_CVIR) {
        if (isnan(risk.given))
            TRY(best_bin_by(context, fit->table, logit, alpha));
        fit->model->pn_shift = log_odds(*alpha);
    }
    return DEDPUL_OK;
}
