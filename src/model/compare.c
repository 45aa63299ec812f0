/* Several methods on the same rows and scores. */
#include "clock.h"
#include "input.h"
#include "options.h"
#include "prepare.h"
#include "result.h"
#include "suggest.h"
#include "weighted.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NOTE_SIZE = sizeof((dedpul_error *)NULL)->message };

struct comparison {
    dedpul_comparison public; /* first: a dedpul_comparison * is a struct comparison * */
    struct context memory;    /* holds the arrays */
    dedpul_compared *compared;
    char (*note)[NOTE_SIZE]; /* (n_methods) */
    dedpul_result *first;    /* of the first method that succeeded: its warnings are those of all */
    dedpul_model *model;     /* what it holds of the scores' classifier */
};

/* ---- which methods ---- */

static const char *method_name(const void *list, size_t index)
{
    (void)list;
    return dedpul_method_name(index);
}

static dedpul_status choose(const char *methods, bool *chosen, dedpul_error *error)
{
    const size_t n = dedpul_method_count();
    const bool is_all = strcmp(methods, "all") == 0;
    for (size_t i = 0; i < n; i++)
        chosen[i] = is_all;
    for (const char *at = methods; !is_all;) {
        at += strspn(at, " ");
        const size_t length = strcspn(at, " ,");
        char name[32], hint[NAME_HINT_SIZE], quoted[QUOTE_SIZE];
        (void)snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), at);
        const size_t index = name_find(method_name, NULL, n, name);
        if (index == n)
            return error_set(error, DEDPUL_INVALID_ARGUMENT, "methods: there is no %s; %s",
                             quote_text(quoted, at, length), name_hint(hint, method_name, NULL, n, name));
        chosen[index] = true;
        at += length + strspn(at + length, " ");
        if (*at == '\0')
            break;
        at += *at == ',';
    }
    return DEDPUL_OK;
}

/* ---- the methods, one by one ---- */

static bool takes_alpha(const char *method)
{
    return method_trains(method) && strcmp(method, "tedn") != 0;
}

/* Share of the unlabeled rows that are more probably positive than not. */
static double called_positive(const struct fit *fit, const dedpul_result *result)
{
    double positive = 0, total = 0;
    for (size_t i = 0, k = 0; i < fit->table->n_rows; i++)
        if (fit->table->label[i] == 0) {
            const double weight = weight_at(fit->table->weight, i);
            positive += result->posterior[k++] > 0.5 ? weight : 0;
            total += weight;
        }
    return positive / total;
}

static bool is_said(const dedpul_result *first, dedpul_warning_code code)
{
    for (size_t i = 0; i < first->n_warnings; i++)
        if (first->warnings[i].code == code)
            return true;
    return false;
}

/* What the method itself has to say, beside the warnings that all share. */
static void write_note(const dedpul_result *first, const dedpul_result *result, char note[NOTE_SIZE])
{
    if (takes_alpha(result->method))
        (void)snprintf(note, NOTE_SIZE, "the share it calls positive, given alpha %.4f", result->alpha);
    for (size_t i = 0; i < result->n_warnings; i++)
        if (!is_said(first, result->warnings[i].code)) {
            const size_t used = strlen(note);
            (void)snprintf(note + used, NOTE_SIZE - used, "%s%s", used > 0 ? "; " : "",
                           result->warnings[i].name);
        }
}

/* Keeps the first result. */
static dedpul_status run_method(struct context *context, const struct fit *fit, const dedpul_options *options,
                                struct comparison *comparison, size_t index)
{
    dedpul_compared *compared = &comparison->compared[index];
    const double began = clock_seconds();
    dedpul_result *result = NULL;
    const dedpul_status status = estimate_fit(context, fit, options, &result);
    compared->seconds = clock_seconds() - began;
    if (status == DEDPUL_OK) {
        compared->alpha = takes_alpha(options->method) ? called_positive(fit, result) : result->alpha;
        compared->low = result->interval.corrected_low;
        compared->high = result->interval.corrected_high;
        if (comparison->first == NULL)
            comparison->first = result;
        write_note(comparison->first, result, comparison->note[index]);
    }
    if (result != comparison->first)
        dedpul_result_free(result);
    return status;
}

/* A method that fails leaves its message; only the wish to stop stops all. */
static dedpul_status run_methods(struct context *context, const struct fit *fit,
                                 struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->public.n_methods; i++) {
        dedpul_compared *compared = &comparison->compared[i];
        const dedpul_progress progress = {"methods", i, comparison->public.n_methods, NAN, 0};
        struct block *mark = context_mark(context);
        const size_t n_warnings = context->n_warnings;
        dedpul_options options = fit->options->estimate;
        dedpul_error *const callers = context->error, own = {DEDPUL_OK, ""};
        TRY(context_report(context, fit->options->progress, fit->options->progress_context, &progress));
        options.method = compared->method;
        if (options.resamples == 0) /* differences are told by intervals */
            options.resamples = DEDPUL_ENOUGH_RESAMPLES;
        context->error = fit->model->memory.error = &own;
        compared->status = run_method(context, fit, &options, comparison, i);
        context->error = fit->model->memory.error = callers;
        context_release(context, mark);
        context->n_warnings = n_warnings; /* those of a method are its own */
        if (compared->status == DEDPUL_CANCELLED)
            return error_set(context->error, DEDPUL_CANCELLED, "%s", own.message);
        if (compared->status != DEDPUL_OK) {
            compared->alpha = NAN;
            (void)snprintf(comparison->note[i], NOTE_SIZE, "%s", own.message);
        }
    }
    return DEDPUL_OK;
}

/* Half the interval, before it was cut off at 0 or 1; of a method without one, as much as dedpul's. */
static double uncertainty(const dedpul_compared *compared, const dedpul_compared *reference)
{
    const dedpul_compared *measured = isnan(compared->low) ? reference : compared;
    return fmax(measured->high - measured->alpha, measured->alpha - measured->low);
}

static void mark_differing(struct comparison *comparison)
{
    const size_t n = comparison->public.n_methods;
    const dedpul_compared *reference = NULL;
    for (size_t i = 0; i < n; i++)
        if (comparison->compared[i].is_reference)
            reference = &comparison->compared[i];
    for (size_t i = 0; reference != NULL && i < n; i++) {
        dedpul_compared *compared = &comparison->compared[i];
        compared->differs = fabs(compared->alpha - reference->alpha) >
                            uncertainty(compared, reference) + uncertainty(reference, reference);
    }
}

/* ---- the whole ---- */

static dedpul_status list_methods(struct comparison *comparison, const char *methods, dedpul_error *error)
{
    const size_t n = dedpul_method_count();
    bool *chosen = context_allocate(&comparison->memory, n, sizeof *chosen);
    if (chosen == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(choose(methods, chosen, error));
    comparison->compared = context_allocate(&comparison->memory, n, sizeof *comparison->compared);
    comparison->note = context_allocate(&comparison->memory, n, sizeof *comparison->note);
    if (comparison->compared == NULL || comparison->note == NULL)
        return DEDPUL_NO_MEMORY;
    comparison->public.methods = comparison->compared;
    for (size_t i = 0; i < n; i++)
        if (chosen[i]) {
            const size_t k = comparison->public.n_methods++;
            comparison->note[k][0] = '\0';
            comparison->compared[k] = (dedpul_compared){.method = dedpul_method_name(i),
                                                        .is_reference = i == 0,
                                                        .alpha = NAN,
                                                        .low = NAN,
                                                        .high = NAN,
                                                        .note = comparison->note[k]};
        }
    return DEDPUL_OK;
}

static dedpul_status compare_table(struct context *context, struct fit *fit, size_t n_numbered,
                                   struct comparison *comparison)
{
    dedpul_comparison *public = &comparison->public;
    const double began = clock_seconds();
    TRY(prepare(context, fit, n_numbered));
    fit->model->info.method = dedpul_method_name(0);
    TRY(model_describe_parts(fit->model, fit->options->plugin));
    public->seconds = clock_seconds() - began;
    public->classifier = fit->model->info.classifier;
    TRY(run_methods(context, fit, comparison));
    mark_differing(comparison);
    if (comparison->first == NULL)
        return error_set(context->error, comparison->compared[0].status, "no method succeeded; %s: %s",
                         comparison->compared[0].method, comparison->note[0]);
    public->auc = comparison->first->auc;
    public->n_positive = comparison->first->n_positive;
    public->n_unlabeled = comparison->first->n_unlabeled;
    public->n_warnings = comparison->first->n_warnings;
    public->warnings = comparison->first->warnings;
    return DEDPUL_OK;
}

static struct comparison *create(const dedpul_fit_options *options, dedpul_error *error)
{
    const dedpul_allocator used = allocator_or_default(options->estimate.allocator);
    struct comparison *comparison = used.resize(used.context, NULL, sizeof *comparison);
    if (comparison == NULL) {
        (void)error_set(error, DEDPUL_NO_MEMORY, "out of memory: %zu bytes", sizeof *comparison);
        return NULL;
    }
    memset(comparison, 0, sizeof *comparison);
    context_init(&comparison->memory, &used, error);
    comparison->model = model_create(&used, error);
    if (comparison->model == NULL) {
        dedpul_comparison_free(&comparison->public);
        return NULL;
    }
    return comparison;
}

void dedpul_comparison_free(dedpul_comparison *public)
{
    struct comparison *comparison = (struct comparison *)public;
    if (comparison == NULL)
        return;
    const dedpul_allocator allocator = comparison->memory.allocator;
    dedpul_result_free(comparison->first);
    dedpul_model_free(comparison->model);
    context_free(&comparison->memory);
    (void)allocator.resize(allocator.context, comparison, 0);
}

dedpul_status dedpul_compare(const dedpul_table *table, const dedpul_fit_options *given, const char *methods,
                             dedpul_comparison **public, dedpul_error *error)
{
    dedpul_fit_options options;
    struct context context;
    if (table == NULL || methods == NULL || public == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table, methods and comparison must not be NULL");
    dedpul_fit_options_init(&options);
    if (given != NULL)
        options = *given;
    TRY(fit_options_check(&options, error));
    if (!isnan(options.estimate.alpha))
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "alpha is what methods are compared by: leave it out");
    struct comparison *comparison = create(&options, error);
    if (comparison == NULL)
        return DEDPUL_NO_MEMORY;
    struct fit fit = {.options = &options, .table = table->rows, .model = comparison->model};
    options_begin(&options.estimate, error, &context);
    dedpul_status status = list_methods(comparison, methods, error);
    if (status == DEDPUL_OK)
        status = compare_table(&context, &fit, table->n_numbered, comparison);
    context_free(&context);
    comparison->model->memory.error = comparison->memory.error = NULL; /* the caller's, for this call only */
    if (status != DEDPUL_OK)
        dedpul_comparison_free(&comparison->public);
    else
        *public = &comparison->public;
    return status;
}
