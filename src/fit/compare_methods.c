#include "compare_methods.h"

#include "clock.h"
#include "weighted.h"

#include <stdio.h>
#include <string.h>

/* The share of unlabeled rows that are more probably positive than not. */
static double called_positive(const struct table *table, const struct estimate *estimate)
{
    double positive = 0, total = 0;
    for (size_t i = 0, k = 0; i < table->n_rows; i++)
        if (table->label[i] == 0) {
            const double weight = weight_at(table->weight, i);
            positive += estimate->posterior[k++] > 0.5 ? weight : 0;
            total += weight;
        }
    return positive / total;
}

/* Writes what is to be said about this method alone, without the warnings that all methods share. */
static void write_note(const struct estimator *method, double alpha, const struct warnings *shared,
                       const struct warnings *own, dedpul_error *note)
{
    char *text = note->message;
    const size_t size = sizeof note->message;
    if (estimator_takes_alpha(method))
        (void)snprintf(text, size, "the share it calls positive, given alpha %.4f", alpha);
    for (size_t i = 0; i < own->n; i++)
        if (!warnings_have(shared, own->item[i].code)) {
            const size_t used = strlen(text);
            (void)snprintf(text + used, size - used, "%s%s", used > 0 ? "; " : "",
                           warning_name(own->item[i].code));
        }
}

/* Runs one method. *alpha is what it estimates, even if its answer is another share. */
static dedpul_status run_method(struct context *context, const struct fit_rows *rows,
                                const struct fit_plan *plan, struct comparison *comparison,
                                struct compared *compared, double *alpha)
{
    struct arena memory;
    struct estimate estimate;
    struct pn_scorer pn = {.shift = 0};
    arena_init(&memory, &context->arena->allocator);
    const double began = clock_seconds();
    const dedpul_status status = fit_rows_estimate(context, rows, plan, &memory, &estimate, &memory, &pn);
    compared->seconds = clock_seconds() - began;
    if (status == DEDPUL_OK) {
        *alpha = estimate.solution.proportion.alpha;
        compared->alpha =
            estimator_takes_alpha(compared->method) ? called_positive(rows->table, &estimate) : *alpha;
        compared->low = estimate.interval.low;
        compared->high = estimate.interval.high;
        comparison->auc = estimate.auc;
        comparison->n_positive = estimate.n_positive;
        comparison->n_unlabeled = estimate.n_unlabeled;
        compared->note.message[0] = '\0';
    }
    scorer_close(&pn.scorer);
    arena_free(&memory);
    return status;
}

/* Runs all methods. A method that fails leaves its message; only a cancelled call stops the others. */
static dedpul_status run_methods(struct context *context, const struct fit_rows *rows,
                                 const struct fit_plan *given, struct comparison *comparison)
{
    const struct warnings before = *context->warnings;
    bool is_first = true;
    for (size_t i = 0; i < comparison->n_methods; i++) {
        struct compared *compared = &comparison->method[i];
        const dedpul_progress progress = {"methods", i, comparison->n_methods, NAN, 0};
        struct block *mark = context_mark(context);
        struct warnings own = before;
        struct context apart = *context;
        struct fit_plan plan = *given;
        double alpha = NAN;
        TRY(context_report(context, &progress));
        apart.warnings = &own;
        apart.error = &compared->note;
        plan.estimate.method = compared->method;
        if (plan.estimate.interval == INTERVAL_NONE) /* without it we could not say which methods differ */
            plan.estimate.interval = INTERVAL_BY_METHOD;
        compared->status = run_method(&apart, rows, &plan, comparison, compared, &alpha);
        context_release(context, mark);
        if (compared->status == DEDPUL_CANCELLED)
            return error_set(context->error, DEDPUL_CANCELLED, "%s", compared->note.message);
        if (compared->status != DEDPUL_OK)
            continue;
        if (is_first)
            *context->warnings = own;
        is_first = false;
        write_note(compared->method, alpha, context->warnings, &own, &compared->note);
    }
    if (is_first)
        return error_set(context->error, comparison->method[0].status, "no method succeeded; %s: %s",
                         comparison->method[0].method->name, comparison->method[0].note.message);
    return DEDPUL_OK;
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
    for (size_t i = 0; i < comparison->n_methods; i++)
        if (comparison->method[i].is_reference)
            reference = &comparison->method[i];
    for (size_t i = 0; reference != NULL && i < comparison->n_methods; i++) {
        struct compared *compared = &comparison->method[i];
        compared->differs = fabs(compared->alpha - reference->alpha) >
                            uncertainty(compared, reference) + uncertainty(reference, reference);
    }
}

dedpul_status compare_table(struct context *context, const struct table *table, size_t n_numbered,
                            const struct fit_plan *plan, struct model *model, struct comparison *comparison)
{
    struct fit_rows rows;
    const double began = clock_seconds();
    for (size_t i = 0; i < comparison->n_methods; i++) {
        struct compared *compared = &comparison->method[i];
        compared->alpha = compared->low = compared->high = NAN;
        compared->is_reference = compared->method == estimator_at(0);
    }
    TRY(fit_rows_make(context, table, n_numbered, plan, model, &rows));
    comparison->seconds = clock_seconds() - began;
    TRY(run_methods(context, &rows, plan, comparison));
    mark_differing(comparison);
    return DEDPUL_OK;
}
