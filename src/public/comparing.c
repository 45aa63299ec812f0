/* Compares several methods on the same rows and scores. */
#include "compare_methods.h"

#include "handle.h"
#include "models.h"
#include "resolve.h"
#include "result.h"
#include "suggest.h"
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(ENOUGH_RESAMPLES == DEDPUL_ENOUGH_RESAMPLES, "resamples agree");

/* The public comparison, and the data that it shows. */
struct comparison_handle {
    dedpul_comparison public; /* first: a dedpul_comparison * is a struct comparison_handle * */
    struct model model;       /* holds the classifier of the scores */
    struct comparison comparison;
    dedpul_compared *compared;       /* (n_methods) */
    const dedpul_compared **methods; /* (n_methods) */
    struct warnings warnings;
    dedpul_warning warning[WARNING_KINDS];
};

/* ---- which methods ---- */

static const char *method_name(const void *list, size_t index)
{
    (void)list;
    return estimator_at(index)->name;
}

/* Marks the methods in "all", or in names separated by commas. */
static dedpul_status choose(const char *methods, bool *chosen, dedpul_error *error)
{
    const size_t n = estimator_count();
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

static dedpul_status list_methods(struct context *context, const char *methods, struct arena *memory,
                                  struct comparison *comparison)
{
    const size_t n = estimator_count();
    bool *chosen = context_allocate(context, n, sizeof *chosen);
    comparison->method = context_allocate_in(context, memory, n, sizeof *comparison->method);
    if (chosen == NULL || comparison->method == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(choose(methods, chosen, context->error));
    comparison->n_methods = 0;
    for (size_t i = 0; i < n; i++)
        if (chosen[i])
            comparison->method[comparison->n_methods++] = (struct compared){.method = estimator_at(i)};
    return DEDPUL_OK;
}

/* ---- the public view ---- */

static dedpul_status show(struct context *context, struct comparison_handle *shown)
{
    const struct comparison *comparison = &shown->comparison;
    const size_t n = comparison->n_methods;
    struct arena *memory = &shown->model.memory;
    shown->compared = context_allocate_in(context, memory, n, sizeof *shown->compared);
    shown->methods = context_allocate_in(context, memory, n, sizeof(dedpul_compared *));
    const char *classifier = scorer_name(context, &shown->model.ntc, memory);
    scorer_close(&shown->model.ntc); /* all that is needed of it is its name */
    if (shown->compared == NULL || shown->methods == NULL || classifier == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const struct compared *from = &comparison->method[i];
        shown->compared[i] = (dedpul_compared){
            .method = from->method->name,
            .status = from->status,
            .alpha = from->alpha,
            .low = from->low,
            .high = from->high,
            .seconds = from->seconds,
            .is_reference = from->is_reference,
            .differs = from->differs,
            .note = from->note.message,
        };
        shown->methods[i] = &shown->compared[i];
    }
    shown->warnings = *context->warnings;
    warnings_show(&shown->warnings, shown->warning);
    shown->public = (dedpul_comparison){
        .size = sizeof shown->public,
        .n_methods = n,
        .methods = shown->methods,
        .classifier = classifier,
        .auc = comparison->auc,
        .seconds = comparison->seconds,
        .n_positive = comparison->n_positive,
        .n_unlabeled = comparison->n_unlabeled,
        .n_warnings = shown->warnings.n,
        .warnings = shown->warning,
    };
    return DEDPUL_OK;
}

static struct comparison_handle *create(const dedpul_allocator *allocator, dedpul_error *error)
{
    struct comparison_handle *shown = handle_allocate(allocator, sizeof *shown, error);
    if (shown == NULL)
        return NULL;
    model_init(&shown->model, allocator);
    return shown;
}

void dedpul_comparison_free(dedpul_comparison *public)
{
    struct comparison_handle *shown = (struct comparison_handle *)public;
    if (shown == NULL)
        return;
    const dedpul_allocator allocator = shown->model.memory.allocator;
    model_close(&shown->model);
    handle_free(allocator, shown);
}

static dedpul_status run(struct context *context, const dedpul_table *table, const struct fit_plan *plan,
                         const char *methods, struct comparison_handle *shown)
{
    TRY(list_methods(context, methods, &shown->model.memory, &shown->comparison));
    TRY(compare_table(context, table->rows, table->n_numbered, plan, &shown->model, &shown->comparison));
    return show(context, shown);
}

dedpul_status dedpul_compare(const dedpul_table *table, const dedpul_options *given, const char *methods,
                             dedpul_comparison **public, dedpul_error *error)
{
    struct resolved resolved;
    struct call call;
    if (table == NULL || methods == NULL || public == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table, methods and comparison must not be NULL");
    TRY(options_resolve(given, &resolved, error));
    if (!isnan(resolved.options.alpha))
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "alpha is what methods are compared by: leave it out");
    struct comparison_handle *shown = create(resolved.options.allocator, error);
    if (shown == NULL)
        return DEDPUL_NO_MEMORY;
    call_begin(&call, &resolved.options, error);
    const dedpul_status status = run(&call.context, table, &resolved.plan, methods, shown);
    call_end(&call);
    if (status != DEDPUL_OK)
        dedpul_comparison_free(&shown->public);
    else
        *public = &shown->public;
    return status;
}
