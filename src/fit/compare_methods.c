#include "compare_methods.h"

#include "clock.h"
#include "forecast.h"
#include "work_parts.h"

static enum part_kind kind_of(const struct estimator *method)
{
    return estimator_trains(method) ? PART_TRAINS : PART_QUICK;
}

static dedpul_status run_method(struct context *context, const struct fit_rows *rows,
                                const struct fit_plan *given, struct comparison *comparison,
                                struct compared *compared)
{
    struct fit_plan plan = *given;
    struct estimate estimate;
    struct arena memory;
    plan.estimate.method = compared->method;
    arena_init(&memory, &context->arena->allocator);
    dedpul_status status = compared_estimate(context, rows, &plan, &memory, &estimate, comparison, compared);
    if (status == DEDPUL_OK)
        status = compared_evaluate(context, rows, plan.estimate.level, &estimate, &estimate, compared);
    arena_free(&memory);
    return status;
}

/* Runs all methods. A method that fails leaves its message; only a cancelled call stops the others. */
static dedpul_status run_methods(struct context *context, const struct fit_rows *rows,
                                 const struct fit_plan *plan, struct work_parts *work,
                                 struct comparison *comparison)
{
    const struct warnings before = *context->warnings;
    bool is_first = true;
    for (size_t i = 0; i < comparison->n; i++) {
        struct compared *compared = &comparison->item[i];
        struct apart apart;
        TRY(work_parts_next(context, work, kind_of(compared->method)));
        apart_begin(context, &before, compared, &apart);
        const dedpul_status status = run_method(&apart.context, rows, plan, comparison, compared);
        TRY(apart_end(context, &apart, status, compared));
        if (status != DEDPUL_OK)
            continue;
        if (is_first)
            *context->warnings = apart.warnings;
        is_first = false;
        comparison->auc = compared->auc;
        compared_note(context->warnings, &apart.warnings, compared);
    }
    return comparison_check(comparison, "method", context->error);
}

/*
 * Half the interval: its longer side, because the other may be cut off at 0 or 1. A method without an
 * interval is taken to be as uncertain as the default.
 */
static double uncertainty(const struct compared *compared, const struct compared *reference)
{
    const struct compared *measured = isnan(compared->low) ? reference : compared;
    return fmax(measured->high - measured->alpha, measured->alpha - measured->low);
}

static void mark_differing(struct comparison *comparison)
{
    const struct compared *reference = NULL;
    for (size_t i = 0; i < comparison->n; i++)
        if (comparison->item[i].is_reference)
            reference = &comparison->item[i];
    for (size_t i = 0; reference != NULL && i < comparison->n; i++) {
        struct compared *compared = &comparison->item[i];
        compared->differs = fabs(compared->alpha - reference->alpha) >
                            uncertainty(compared, reference) + uncertainty(reference, reference);
    }
}

dedpul_status compare_methods(struct context *context, const struct table *table, size_t n_numbered,
                              const struct fit_plan *plan, struct model *model, struct comparison *comparison)
{
    struct context reporting = *context;
    struct work_parts work;
    struct fit_rows rows;
    struct forecast forecast;
    const double began = clock_seconds();
    work_parts_begin(&reporting, "methods", &work);
    for (size_t i = 0; i < comparison->n; i++) {
        const struct estimator *method = comparison->item[i].method;
        comparison->item[i].is_reference = method == estimator_at(0);
        work_parts_add(&work, kind_of(method));
    }
    work_parts_prepare(&work, PART_TRAINS);
    TRY(fit_rows_encode(&reporting, table, n_numbered, plan, model, &rows));
    struct context training = reporting;
    forecast_begin(&training, &rows, plan, false, &forecast);
    TRY(fit_rows_score(&training, plan, model, &rows));
    if (plan->check_labels)
        TRY(fit_check_rows(&reporting, &model->encoding, &rows, &model->memory, &comparison->checked));
    comparison->seconds = clock_seconds() - began;
    TRY(run_methods(&reporting, &rows, plan, &work, comparison));
    mark_differing(comparison);
    return DEDPUL_OK;
}
