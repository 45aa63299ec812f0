#include "compare_classifiers.h"

#include "auc_difference.h"
#include "clock.h"
#include "forecast.h"
#include "work_parts.h"

/* All that a comparison of classifiers works on. */
struct comparing {
    const struct fit_plan *plan; /* (n) */
    const struct model *encoded; /* the encoding */
    struct fit_rows *rows;       /* (n) the same rows, with the scores of each classifier */
    struct estimate *estimate;   /* (n) */
    struct arena memory;         /* of the estimates */
    struct comparison *comparison;
};

/* Trains a classifier, whose models are not kept, and estimates from its scores. */
static dedpul_status run_classifier(struct context *context, struct comparing *all, size_t i)
{
    struct compared *compared = &all->comparison->item[i];
    const struct fit_plan *plan = &all->plan[i];
    struct model model = *all->encoded;
    struct context training = *context;
    struct forecast forecast;
    const double began = clock_seconds();
    arena_init(&model.memory, &context->arena->allocator);
    forecast_begin(&training, &all->rows[i], plan, 0, false, &forecast);
    dedpul_status status = fit_rows_score(&training, plan, &model, &all->rows[i]);
    model_close(&model);
    if (status == DEDPUL_OK)
        status = compared_estimate(context, &all->rows[i], plan, &all->memory, &all->estimate[i],
                                   all->comparison, compared);
    compared->seconds = clock_seconds() - began;
    TRY(status);
    return compared_evaluate(context, &all->rows[i], plan->estimate.level, &all->estimate[i],
                             &all->estimate[i], compared);
}

/* Runs all classifiers. One that fails leaves its message; only a cancelled call stops the others. */
static dedpul_status run_classifiers(struct context *context, struct comparing *all)
{
    struct comparison *comparison = all->comparison;
    struct work_parts work;
    work_parts_begin(context, "classifiers", &work);
    for (size_t i = 0; i < comparison->n; i++)
        work_parts_add(&work, PART_TRAINS);
    for (size_t i = 0; i < comparison->n; i++) {
        struct compared *compared = &comparison->item[i];
        struct apart apart;
        TRY(work_parts_next(context, &work, PART_TRAINS));
        apart_begin(context, context->warnings, compared, &apart);
        const dedpul_status status = run_classifier(&apart.context, all, i);
        TRY(apart_end(context, &apart, status, compared));
        if (status == DEDPUL_OK)
            compared_note(context->warnings, &apart.warnings, compared);
    }
    return comparison_check(comparison, "classifier", context->error);
}

/* The one with the highest AUC of positives against negatives; n if none has any. */
static size_t find_best(const struct comparison *comparison)
{
    size_t best = comparison->n;
    for (size_t i = 0; i < comparison->n; i++) {
        const double auc = comparison->item[i].quality.auc.value;
        if (!isnan(auc) && (best == comparison->n || auc > comparison->item[best].quality.auc.value))
            best = i;
    }
    return best;
}

/*
 * There is but one share of positives. A classifier that tells less comes out with a higher alpha, and would
 * look more precise for it. So all are evaluated with the alpha of the one that tells most.
 */
static dedpul_status evaluate_alike(struct context *context, struct comparing *all, size_t best)
{
    struct comparison *comparison = all->comparison;
    for (size_t i = 0; i < comparison->n; i++)
        if (comparison->item[i].status == DEDPUL_OK)
            TRY(compared_evaluate(context, &all->rows[i], all->plan[i].estimate.level, &all->estimate[i],
                                  &all->estimate[best], &comparison->item[i]));
    comparison->believed = &comparison->item[best];
    return DEDPUL_OK;
}

/*
 * The AUC of labeled against unlabeled rows is alpha / 2 + (1 - alpha) times that of positives against
 * negatives. So both have the same order, whatever alpha is, and the first one can be tested. The test is
 * corrected for the number of pairs, since the best one is chosen by the same rows. Beyond chance are only
 * differences on which both AUCs agree.
 */
static dedpul_status mark_worse(struct context *context, const struct comparing *all, size_t best)
{
    struct comparison *comparison = all->comparison;
    const struct table *table = all->rows->table;
    const double pairs = (double)(comparison->n * (comparison->n - 1)) / 2;
    comparison->item[best].is_reference = true;
    for (size_t i = 0; i < comparison->n; i++) {
        struct compared *compared = &comparison->item[i];
        const struct scored_twice scores = {table->n_rows, table->label, table->weight, all->rows[best].logit,
                                            all->rows[i].logit};
        struct auc_difference difference;
        if (i == best || isnan(compared->quality.auc.value))
            continue;
        TRY(auc_difference(context, &scores, &difference));
        compared->chance = fmin(pairs * difference.chance, 1);
        compared->differs = difference.value > 0 && compared->chance < 1 - all->plan->estimate.level;
    }
    return DEDPUL_OK;
}

static dedpul_status compare_all(struct context *context, struct comparing *all)
{
    struct comparison *comparison = all->comparison;
    TRY(run_classifiers(context, all));
    const size_t first = find_best(comparison);
    if (first == comparison->n)
        return DEDPUL_OK;
    TRY(evaluate_alike(context, all, first));
    return mark_worse(context, all, find_best(comparison));
}

dedpul_status compare_classifiers(struct context *context, const struct table *table, size_t n_numbered,
                                  const struct fit_plan *plan, struct model *model,
                                  struct comparison *comparison)
{
    const size_t n = comparison->n;
    struct context reporting = *context;
    struct fit_rows encoded;
    TRY(fit_rows_encode(context, table, n_numbered, plan, model, &encoded));
    struct fit_rows *rows = context_allocate(context, n, sizeof *rows);
    struct estimate *estimate = context_allocate(context, n, sizeof *estimate);
    if (rows == NULL || estimate == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        rows[i] = encoded;
        rows[i].logit = context_allocate(context, table->n_rows, sizeof *rows[i].logit);
        if (rows[i].logit == NULL)
            return DEDPUL_NO_MEMORY;
    }
    struct comparing all = {
        .plan = plan, .encoded = model, .rows = rows, .estimate = estimate, .comparison = comparison};
    arena_init(&all.memory, &context->arena->allocator);
    const dedpul_status status = compare_all(&reporting, &all);
    arena_free(&all.memory);
    return status;
}
