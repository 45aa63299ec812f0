#include "train.h"

#include "best_bin.h"
#include "crossfit.h"
#include "folds.h"
#include "logistic.h"
#include "weighted.h"

#include <string.h>

/* With more operations than this, about an hour of one core, networks are too slow to be the default. */
static const double most_work = 3e14, operations_per_minute = 5e12;

/* Makes samples of both labels, sorted by a number that each row has. */
static dedpul_status sort_by(struct context *context, const struct table *table, const double *value,
                             struct sample *p, struct sample *u)
{
    const struct scored_rows rows = {.n = table->n_rows, .logit = value, .weight = table->weight};
    TRY(sample_sort(context, &rows, table->label, 1, p));
    return sample_sort(context, &rows, table->label, 0, u);
}

dedpul_status auc_by(struct context *context, const struct table *table, const double *value, double *auc)
{
    struct block *mark = context_mark(context);
    struct sample p, u;
    TRY(sort_by(context, table, value, &p, &u));
    *auc = weighted_auc(p.n, p.logit, p.weight, u.n, u.logit, u.weight);
    context_release(context, mark);
    return DEDPUL_OK;
}

/* The best bin estimate of the share of positives, by a number that each row has. */
static dedpul_status best_bin_by(struct context *context, const struct table *table, const double *value,
                                 double *share)
{
    struct block *mark = context_mark(context);
    struct sample p, u;
    TRY(sort_by(context, table, value, &p, &u));
    *share = best_bin_share(p.n, p.logit, p.weight, u.n, u.logit, u.weight);
    context_release(context, mark);
    return DEDPUL_OK;
}

/* Computes center and spread of the rows' logits, for z-scores. */
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

/* What all trainings of a fit share. */
struct session {
    const struct fit_rows *rows;
    const struct fit_plan *plan;
    const struct examples *examples;
    struct arena *memory; /* for the trained models */
};

static dedpul_status train_part(struct context *context, const struct session *session,
                                const struct classifier *classifier, const struct risk *risk,
                                const struct training_settings *settings, const char *stage,
                                struct ensemble *part, double *logit)
{
    const struct crossfit_request request = {
        .classifier = classifier,
        .examples = session->examples,
        .stratum = session->rows->stratum,
        .groups = session->rows->groups,
        .risk = risk,
        .settings = settings,
        .stage = stage,
    };
    TRY(crossfit(context, &request, session->memory, part, logit));
    return check_logits(context, session->examples->n_rows, logit);
}

/* Trains one classifier alone. With center 0 and spread 1 its logits are used as they are. */
static dedpul_status train_one(struct context *context, const struct session *session,
                               const struct classifier *classifier, const struct risk *risk,
                               const char *stage, struct scorer *scorer, double *logit)
{
    *scorer = (struct scorer){.n_parts = 1, .part_spread = {1}, .spread = 1};
    return train_part(context, session, classifier, risk, &session->plan->training, stage, &scorer->part[0],
                      logit);
}

static void plan_blend(const struct fit_plan *plan, struct planned_training part[MOST_PARTS])
{
    static const unsigned tree_partitions[N_EFFORTS] = {1, 1, 3};
    part[0] = (struct planned_training){&classifier_mlp, plan->training};
    part[1] = (struct planned_training){&classifier_gbdt, plan->training};
    part[1].settings.partitions = partitions_of(&plan->training, tree_partitions);
}

/*
 * Averages the z-scores of networks and trees. Networks count more: trees need not be as good to help, as
 * they err on other rows, and fewer partitions do than for trees alone. (A part's weight is in the spread
 * that divides its logits.)
 */
static dedpul_status train_blend(struct context *context, const struct session *session,
                                 const char *const stage[MOST_PARTS], struct scorer *scorer, double *logit)
{
    static const double weight[MOST_PARTS] = {0.65, 0.35};
    struct planned_training part[MOST_PARTS];
    const size_t n = session->examples->n_rows;
    double *of_part = context_allocate(context, n, sizeof *of_part);
    if (of_part == NULL)
        return DEDPUL_NO_MEMORY;
    plan_blend(session->plan, part);
    *scorer = (struct scorer){.n_parts = MOST_PARTS};
    for (size_t i = 0; i < n; i++)
        logit[i] = 0;
    for (size_t k = 0; k < MOST_PARTS; k++) {
        TRY(train_part(context, session, part[k].classifier, &risk_of_classes, &part[k].settings, stage[k],
                       &scorer->part[k], of_part));
        double spread;
        measure(session->rows->table, of_part, &scorer->part_center[k], &spread);
        scorer->center += weight[k] * scorer->part_center[k];
        scorer->spread += weight[k] * spread;
        scorer->part_spread[k] = spread / (MOST_PARTS * weight[k]);
        for (size_t i = 0; i < n; i++)
            logit[i] += (of_part[i] - scorer->part_center[k]) / scorer->part_spread[k];
    }
    for (size_t i = 0; i < n; i++)
        logit[i] = scorer->center + scorer->spread * (logit[i] / MOST_PARTS);
    return DEDPUL_OK;
}

/* Tells whether `auto` tries this kind. */
static bool fits_rows(const struct classifier *classifier, const struct examples *examples)
{
    return !classifier->for_images || image_shape_is_set(examples->image);
}

/*
 * Trains all classifiers and keeps the one with the highest AUC of held-out logits. The positives among the
 * unlabeled rows lower all AUCs but do not change their order. Only warnings about the winner's training
 * count.
 */
static dedpul_status train_best(struct context *context, const struct session *session, struct scorer *scorer,
                                double *logit)
{
    const size_t n = session->examples->n_rows;
    double highest = -1, auc;
    struct warnings best = {.n = 0};
    double *of_one = context_allocate(context, n, sizeof *of_one);
    if (of_one == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < classifier_count(); k++) {
        struct scorer one;
        struct warnings own = {.n = 0};
        struct context apart = *context;
        const struct classifier *classifier = classifier_at(k);
        if (!fits_rows(classifier, session->examples))
            continue;
        apart.warnings = &own;
        dedpul_status status =
            train_one(&apart, session, classifier, &risk_of_classes, classifier->name, &one, of_one);
        if (status == DEDPUL_OK)
            status = auc_by(context, session->rows->table, of_one, &auc);
        if (status != DEDPUL_OK || auc <= highest) {
            scorer_close(&one);
            TRY(status);
            continue;
        }
        scorer_close(scorer);
        *scorer = one;
        best = own;
        highest = auc;
        memcpy(logit, of_one, n * sizeof *logit);
    }
    if (context->warnings != NULL)
        warnings_add_all(context->warnings, &best);
    return DEDPUL_OK;
}

/* Returns the kind of network for these rows. */
static const struct classifier *standard_network(const struct examples *examples)
{
    return image_shape_is_set(examples->image) ? &classifier_conv : &classifier_mlp;
}

/*
 * Returns the default: NULL for networks and trees together; networks alone for images and for a single
 * feature, because trees do worse there; trees alone if networks would take too long.
 */
static const struct classifier *standard_classifier(const struct examples *examples,
                                                    const struct fit_plan *plan)
{
    const struct classifier *network = standard_network(examples);
    if (network->work(examples, &plan->training) > most_work)
        return &classifier_gbdt;
    return network->for_images || examples->width == 1 ? network : NULL;
}

static void warn_of_slow_networks(struct context *context, const struct session *session)
{
    const struct classifier *network = standard_network(session->examples);
    const double work = network->work(session->examples, &session->plan->training);
    if (work > most_work)
        context_warn(context, DEDPUL_WARNING_SLOW_NETWORKS,
                     "networks would take about %.0f minutes of one core, so gbdt is used instead; "
                     "--classifier %s insists on them",
                     work / operations_per_minute, network->name);
}

size_t train_plan_ntc(const struct examples *examples, const struct fit_plan *plan,
                      struct planned_training planned[MOST_PLANNED])
{
    const struct classifier *one =
        plan->choice == CHOOSE_STANDARD ? standard_classifier(examples, plan) : plan->classifier;
    size_t n = 0;
    if (plan->choice == CHOOSE_BEST) {
        for (size_t k = 0; k < classifier_count() && n < MOST_PLANNED; k++)
            if (fits_rows(classifier_at(k), examples))
                planned[n++] = (struct planned_training){classifier_at(k), plan->training};
        return n;
    }
    if (plan->choice == CHOOSE_BLEND || one == NULL) {
        plan_blend(plan, planned);
        return MOST_PARTS;
    }
    planned[0] = (struct planned_training){one, plan->training};
    return 1;
}

struct examples train_examples(const struct fit_rows *rows)
{
    return (struct examples){
        .n_rows = rows->table->n_rows,
        .width = rows->width,
        .x = rows->x,
        .image = rows->table->image,
        .n = rows->table->n_rows,
        .label = rows->table->label,
        .weight = rows->table->weight,
    };
}

dedpul_status train_ntc(struct context *context, const struct fit_rows *rows, const struct fit_plan *plan,
                        struct arena *memory, struct scorer *ntc, double *logit)
{
    static const char *const stage[MOST_PARTS] = {"mlp", "gbdt"};
    const struct examples examples = train_examples(rows);
    const struct session session = {rows, plan, &examples, memory};
    const struct classifier *standard = NULL;
    switch (plan->choice) {
    case CHOOSE_GIVEN:
        return train_one(context, &session, plan->classifier, &risk_of_classes, plan->classifier_name, ntc,
                         logit);
    case CHOOSE_BEST:
        return train_best(context, &session, ntc, logit);
    case CHOOSE_STANDARD:
        warn_of_slow_networks(context, &session);
        standard = standard_classifier(&examples, plan);
        if (standard != NULL)
            return train_one(context, &session, standard, &risk_of_classes, standard->name, ntc, logit);
        break;
    case CHOOSE_BLEND:
        break;
    }
    return train_blend(context, &session, stage, ntc, logit);
}

/* ---- positives against negatives ---- */

/* This many are enough that every fold leaves some to learn from. */
enum { FEWEST_NEGATIVES = 20 };

/*
 * Posteriors are nearly a function of the features. Held-out rows have theirs from it, too, so a classifier
 * that learns them hardly overfits, and its loss goes on falling, ever less, for no better predictions.
 */
static const double least_gain_of_pn = 0.003;

/*
 * Each unlabeled row is an example twice: a positive one with the weight of its posterior, and a negative one
 * with the rest. Labeled rows are positive.
 */
static dedpul_status fill_pn_examples(struct context *context, const struct fit_rows *rows,
                                      const double *posterior, struct examples *examples)
{
    const struct table *table = rows->table;
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
    *examples = train_examples(rows);
    examples->n = n;
    examples->row = row;
    examples->label = label;
    examples->weight = weight;
    return DEDPUL_OK;
}

/* Trains with the kinds of classifiers in `like`. */
static dedpul_status train_like(struct context *context, const struct session *session,
                                const struct scorer *like, const char *const blend_stage[MOST_PARTS],
                                const char *stage, struct scorer *scorer, double *logit)
{
    return like->n_parts > 1 ? train_blend(context, session, blend_stage, scorer, logit)
                             : train_one(context, session, like->part[0].classifier, &risk_of_classes, stage,
                                         scorer, logit);
}

dedpul_status train_pn(struct context *context, const struct fit_rows *rows, const struct fit_plan *plan,
                       const struct estimate *estimate, const struct scorer *like, struct arena *memory,
                       struct pn_scorer *pn, bool *trained)
{
    static const char *const stage[MOST_PARTS] = {"pn mlp", "pn gbdt"};
    struct examples examples;
    double *logit = context_allocate(context, rows->table->n_rows, sizeof *logit);
    if (logit == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(fill_pn_examples(context, rows, estimate->posterior, &examples));
    struct fit_plan pn_plan = *plan;
    pn_plan.training.least_gain = least_gain_of_pn;
    const struct session session = {rows, &pn_plan, &examples, memory};
    size_t negative = 0;
    for (size_t i = 0; i < examples.n; i++)
        negative += examples.label[i] == 0;
    *trained = negative >= FEWEST_NEGATIVES;
    if (!*trained)
        return DEDPUL_OK;
    pn->shift = share_logit(estimate->solution.proportion.alpha);
    return train_like(context, &session, like, stage, "pn", &pn->scorer, logit);
}

/* ---- kinds of labeled rows ---- */

/* The examples are the labeled rows: those of the kind, and the others. */
static dedpul_status fill_kind_examples(struct context *context, const struct fit_rows *rows,
                                        const struct kinds *kinds, uint32_t kind, struct examples *examples,
                                        unsigned char *stratum)
{
    const struct table *table = rows->table;
    uint32_t *row = context_allocate(context, table->n_rows, sizeof *row);
    unsigned char *label = context_allocate(context, table->n_rows, 1);
    double *weight = context_allocate(context, table->n_rows, sizeof *weight);
    size_t n = 0;
    if (row == NULL || label == NULL || weight == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < table->n_rows; i++) {
        stratum[i] = STRATUM_WEIGHTLESS; /* unlabeled rows are only scored */
        if (table->label[i] == 0 || weight_at(table->weight, i) == 0)
            continue;
        stratum[i] = kinds->of_row[i] == kind;
        row[n] = (uint32_t)i;
        label[n] = stratum[i];
        weight[n++] = weight_at(table->weight, i);
    }
    *examples = train_examples(rows);
    examples->n = n;
    examples->row = row;
    examples->label = label;
    examples->weight = weight;
    return DEDPUL_OK;
}

dedpul_status train_kind(struct context *context, const struct fit_rows *rows, const struct fit_plan *plan,
                         const struct scorer *like, const struct kinds *kinds, uint32_t kind,
                         struct arena *memory, struct scorer *scorer, double *logit)
{
    static const char *const stage[MOST_PARTS] = {"kind mlp", "kind gbdt"};
    struct block *mark = context_mark(context);
    struct fit_rows own = *rows;
    struct fit_plan own_plan = *plan;
    struct examples examples;
    unsigned char *stratum = context_allocate(context, rows->table->n_rows, 1);
    if (stratum == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(fill_kind_examples(context, rows, kinds, kind, &examples, stratum));
    own.stratum = stratum;
    own_plan.training.effort = EFFORT_LOW; /* more does not make the shares better */
    const struct session session = {&own, &own_plan, &examples, memory};
    struct context apart = *context;
    apart.warnings =
        NULL; /* kinds that are told apart with ease end at the limit of epochs, which is no doubt */
    TRY(train_like(&apart, &session, like, stage, "kind", scorer, logit));
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- methods that train ---- */

/* Takes the classifier asked for if it is a network, else the default network. */
struct planned_training train_plan_method(const struct examples *examples, const struct fit_plan *plan)
{
    const bool is_given = plan->classifier != NULL && plan->classifier->takes_risks;
    return (struct planned_training){is_given ? plan->classifier : standard_network(examples),
                                     plan->training};
}

static dedpul_status choose_network(struct context *context, const struct session *session,
                                    const struct classifier **network)
{
    const struct fit_plan *plan = session->plan;
    *network = train_plan_method(session->examples, plan).classifier;
    if (*network == plan->classifier)
        return DEDPUL_OK;
    const double work = (*network)->work(session->examples, &plan->training);
    if (work > most_work)
        return error_set(context->error, DEDPUL_INVALID_ARGUMENT,
                         "%s trains networks, which would take about %.0f minutes of one core; --classifier "
                         "%s insists on it",
                         plan->estimate.method->name, work / operations_per_minute, (*network)->name);
    return DEDPUL_OK;
}

dedpul_status train_method(struct context *context, const struct fit_rows *rows, const struct fit_plan *plan,
                           struct arena *memory, struct pn_scorer *pn, double *alpha, double *logit)
{
    const struct estimator *method = plan->estimate.method;
    const struct examples examples = train_examples(rows);
    const struct session session = {rows, plan, &examples, memory};
    const struct classifier *network;
    struct risk risk = plan->risk;
    risk.kind = method->training;
    risk.given = plan->estimate.alpha;
    risk.alpha = estimator_takes_alpha(method) ? *alpha : 0;
    TRY(choose_network(context, &session, &network));
    TRY(train_one(context, &session, network, &risk, method->name, &pn->scorer, logit));
    pn->shift = 0;
    if (!estimator_takes_alpha(method)) {
        if (isnan(plan->estimate.alpha))
            TRY(best_bin_by(context, rows->table, logit, alpha));
        pn->shift = share_logit(*alpha);
    }
    return DEDPUL_OK;
}
