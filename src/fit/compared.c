#include "compared.h"

#include "clock.h"
#include "evaluation.h"
#include "weighted.h"

#include <stdio.h>
#include <string.h>

static const struct quality no_quality = {{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}, false};

struct compared compared_start(const struct estimator *method, const char *classifier)
{
    return (struct compared){.method = method,
                             .classifier = classifier,
                             .alpha = NAN,
                             .low = NAN,
                             .high = NAN,
                             .auc = NAN,
                             .quality = no_quality,
                             .chance = NAN};
}

/* ---- the estimate ---- */

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

static dedpul_status run_method(struct context *context, const struct fit_rows *rows,
                                const struct fit_plan *given, struct arena *memory, struct estimate *estimate)
{
    struct fit_plan plan = *given;
    struct pn_scorer pn = {.shift = 0};
    if (plan.estimate.interval == INTERVAL_NONE) /* without it we could not say which entries differ */
        plan.estimate.interval = INTERVAL_BY_METHOD;
    const dedpul_status status = fit_rows_estimate(context, rows, &plan, memory, estimate, memory, &pn);
    scorer_close(&pn.scorer);
    return status;
}

dedpul_status compared_estimate(struct context *context, const struct fit_rows *rows,
                                const struct fit_plan *plan, struct arena *memory, struct estimate *estimate,
                                struct comparison *comparison, struct compared *compared)
{
    const double began = clock_seconds();
    const dedpul_status status = run_method(context, rows, plan, memory, estimate);
    compared->seconds = clock_seconds() - began;
    TRY(status);
    compared->note.message[0] = '\0';
    compared->alpha = estimate->solution.proportion.alpha;
    if (estimator_takes_alpha(compared->method)) {
        (void)snprintf(compared->note.message, sizeof compared->note.message,
                       "the share it calls positive, given alpha %.4f", compared->alpha);
        compared->alpha = called_positive(rows->table, estimate);
    }
    compared->low = estimate->interval.low;
    compared->high = estimate->interval.high;
    compared->auc = estimate->auc;
    comparison->n_positive = estimate->n_positive;
    comparison->n_unlabeled = estimate->n_unlabeled;
    return DEDPUL_OK;
}

/* ---- its quality ---- */

/* A range that leaves out that alpha is uncertain would be too narrow. */
static struct range range_or_value(const struct range *range, bool has_range)
{
    return (struct range){range->value, has_range ? range->low : NAN, has_range ? range->high : NAN};
}

static dedpul_status evaluate_in(struct context *context, const struct fit_rows *rows, double level,
                                 const struct estimate *estimate, const struct solution *believed,
                                 struct arena *memory, struct quality *quality)
{
    const struct table *table = rows->table;
    const bool has_ranges = believed->has_quantiles;
    const struct scored_rows scored = {.n = table->n_rows, .logit = rows->logit, .weight = table->weight};
    const struct score_input scores = {scored, scored, table->label, NULL};
    const struct evaluation_input input = {
        .rows = &scores,
        .values = {estimate->ratio, estimate->posterior, NULL},
        .belief = {believed->proportion.alpha, has_ranges ? &believed->quantiles : NULL,
                   estimate->solution.scales},
    };
    const struct evaluation_plan plan = {.request = {CUT_COST, 1}, .level = level};
    struct context silent = *context;
    struct evaluation evaluation;
    silent.warnings = NULL;
    TRY(evaluate(&silent, &input, &plan, memory, &evaluation));
    *quality = (struct quality){
        .auc = range_or_value(&evaluation.auc, has_ranges),
        .average_precision = range_or_value(&evaluation.average_precision, has_ranges),
        .precision = range_or_value(&evaluation.chosen.precision, has_ranges),
        .is_miscalibrated = evaluation.calibration.chance < LEAST_CHANCE,
    };
    return DEDPUL_OK;
}

dedpul_status compared_evaluate(struct context *context, const struct fit_rows *rows, double level,
                                const struct estimate *estimate, const struct estimate *believed,
                                struct compared *compared)
{
    const double own = estimate->solution.proportion.alpha, alpha = believed->solution.proportion.alpha;
    struct arena memory;
    if (estimator_trains(compared->method) || !(own > 0 && alpha > 0 && alpha < 1))
        return DEDPUL_OK;
    arena_init(&memory, &context->arena->allocator);
    const dedpul_status status =
        evaluate_in(context, rows, level, estimate, &believed->solution, &memory, &compared->quality);
    arena_free(&memory);
    return status;
}

/* ---- entries apart ---- */

void apart_begin(const struct context *context, const struct warnings *before, struct compared *compared,
                 struct apart *apart)
{
    *apart = (struct apart){.context = *context, .warnings = *before, .mark = context_mark(context)};
    apart->context.warnings = &apart->warnings;
    apart->context.error = &compared->note;
}

dedpul_status apart_end(struct context *context, const struct apart *apart, dedpul_status status,
                        struct compared *compared)
{
    context_release(context, apart->mark);
    compared->status = status;
    if (status == DEDPUL_CANCELLED)
        return error_set(context->error, status, "%s", compared->note.message);
    return DEDPUL_OK;
}

static void add_to_note(dedpul_error *note, const char *text)
{
    const size_t used = strlen(note->message);
    (void)snprintf(note->message + used, sizeof note->message - used, "%s%s", used > 0 ? "; " : "", text);
}

void compared_note(const struct warnings *shared, const struct warnings *own, struct compared *compared)
{
    for (size_t i = 0; i < own->n; i++)
        if (!warnings_have(shared, own->item[i].code))
            add_to_note(&compared->note, warning_name(own->item[i].code));
    if (compared->quality.is_miscalibrated)
        add_to_note(&compared->note, warning_name(DEDPUL_WARNING_MISCALIBRATED));
}

dedpul_status comparison_check(const struct comparison *comparison, const char *what, dedpul_error *error)
{
    const struct compared *first = &comparison->item[0];
    for (size_t i = 0; i < comparison->n; i++)
        if (comparison->item[i].status == DEDPUL_OK)
            return DEDPUL_OK;
    return error_set(error, first->status, "no %s succeeded; %s: %s", what,
                     first->classifier != NULL ? first->classifier : first->method->name,
                     first->note.message);
}
