/* Compares several methods on the same rows and scores, or several classifiers on the same rows. */
#include "compare_classifiers.h"
#include "compare_methods.h"

#include "evaluation_view.h"
#include "handle.h"
#include "models.h"
#include "names.h"
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
    struct model model; /* holds the encoding and, if entries share them, the classifier of the scores */
    struct comparison comparison;
    dedpul_compared *compared;     /* (n) */
    const dedpul_compared **items; /* (n) */
    struct warnings warnings;
    dedpul_warning warning[WARNING_KINDS];
    struct label_check_view check;
};

/* ---- names separated by commas ---- */

/* What can be chosen from. */
struct choices {
    const char *what;
    name_at *name;
    const void *list;
    size_t n;
};

/* Marks the choices that are named. */
static dedpul_status choose(const struct choices *choices, const char *names, bool *chosen,
                            dedpul_error *error)
{
    for (size_t i = 0; i < choices->n; i++)
        chosen[i] = false;
    for (const char *at = names;;) {
        at += strspn(at, " ");
        const size_t length = strcspn(at, " ,");
        char name[64], hint[NAME_HINT_SIZE], quoted[QUOTE_SIZE];
        (void)snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), at);
        const size_t index = name_find(choices->name, choices->list, choices->n, name);
        if (index == choices->n)
            return error_set(error, DEDPUL_INVALID_ARGUMENT, "%s: there is no %s; %s", choices->what,
                             quote_text(quoted, at, length),
                             name_hint(hint, choices->name, choices->list, choices->n, name));
        chosen[index] = true;
        at += length + strspn(at + length, " ");
        if (*at == '\0')
            return DEDPUL_OK;
        at += *at == ',';
    }
}

/* ---- which methods ---- */

static const char *method_name(const void *list, size_t index)
{
    (void)list;
    return estimator_at(index)->name;
}

static dedpul_status choose_methods(const char *methods, bool *chosen, dedpul_error *error)
{
    const struct choices choices = {"methods", method_name, NULL, estimator_count()};
    const bool is_fast = strcmp(methods, "fast") == 0;
    if (!is_fast && strcmp(methods, "all") != 0)
        return choose(&choices, methods, chosen, error);
    for (size_t i = 0; i < choices.n; i++)
        chosen[i] = !(is_fast && estimator_trains(estimator_at(i)));
    return DEDPUL_OK;
}

static dedpul_status list_methods(struct context *context, const char *methods, struct arena *memory,
                                  struct comparison *comparison)
{
    const size_t n = estimator_count();
    bool *chosen = context_allocate(context, n, sizeof *chosen);
    comparison->item = context_allocate_in(context, memory, n, sizeof *comparison->item);
    if (chosen == NULL || comparison->item == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(choose_methods(methods, chosen, context->error));
    for (size_t i = 0; i < n; i++)
        if (chosen[i])
            comparison->item[comparison->n++] = compared_start(estimator_at(i), NULL);
    return DEDPUL_OK;
}

/* ---- which classifiers ---- */

/* Names those of the registry, and the program's own behind them. */
static const char *classifier_name(const void *plugin, size_t index)
{
    const char *name = dedpul_classifier_name(index);
    return name != NULL ? name : ((const dedpul_classifier *)plugin)->name;
}

/* Tells whether "all" means this one, too: "auto" would only train the others again. */
static bool is_among_all(const struct named_classifier *named, const struct table *table)
{
    const struct classifier *classifier = named->classifier;
    return named->choice != CHOOSE_BEST &&
           (classifier == NULL || !classifier->for_images || image_shape_is_set(table->image));
}

static dedpul_status choose_classifiers(const char *classifiers, const dedpul_classifier *plugin,
                                        const struct table *table, bool *chosen, dedpul_error *error)
{
    const size_t n = dedpul_classifier_count();
    const struct choices choices = {"classifiers", classifier_name, plugin, n + (plugin != NULL)};
    if (strcmp(classifiers, "all") != 0)
        return choose(&choices, classifiers, chosen, error);
    for (size_t i = 0; i < choices.n; i++) {
        const struct named_classifier named = i < n ? classifier_named_at(i) : (struct named_classifier){0};
        chosen[i] = i == n || is_among_all(&named, table);
    }
    return DEDPUL_OK;
}

/* Makes the entry and the plan of a classifier. Its name may be the program's, so it is copied. */
static dedpul_status add_classifier(struct context *context, size_t index, const struct resolved *resolved,
                                    struct arena *memory, struct comparison *comparison,
                                    struct fit_plan *plan)
{
    const char *name = classifier_name(resolved->options.plugin, index);
    char *copy = context_allocate_in(context, memory, strlen(name) + 1, 1);
    if (copy == NULL)
        return DEDPUL_NO_MEMORY;
    memcpy(copy, name, strlen(name) + 1);
    *plan = resolved->plan; /* that of the program's own classifier, if there is one */
    if (index < dedpul_classifier_count()) {
        const struct named_classifier named = classifier_named_at(index);
        plan->choice = named.choice;
        plan->classifier = named.classifier;
        plan->classifier_name = named.name;
    }
    comparison->item[comparison->n++] = compared_start(plan->estimate.method, copy);
    return DEDPUL_OK;
}

static dedpul_status list_classifiers(struct context *context, const char *classifiers,
                                      const struct resolved *resolved, const struct table *table,
                                      struct arena *memory, struct comparison *comparison,
                                      struct fit_plan **plan)
{
    const size_t most = dedpul_classifier_count() + 1;
    bool *chosen = context_allocate(context, most, sizeof *chosen);
    *plan = context_allocate(context, most, sizeof **plan);
    comparison->item = context_allocate_in(context, memory, most, sizeof *comparison->item);
    if (chosen == NULL || *plan == NULL || comparison->item == NULL)
        return DEDPUL_NO_MEMORY;
    chosen[most - 1] = false;
    TRY(choose_classifiers(classifiers, resolved->options.plugin, table, chosen, context->error));
    for (size_t i = 0; i < most; i++)
        if (chosen[i])
            TRY(add_classifier(context, i, resolved, memory, comparison, *plan + comparison->n));
    return DEDPUL_OK;
}

/* ---- the public view ---- */

static dedpul_compared show_entry(const struct compared *from, const char *classifier)
{
    return (dedpul_compared){
        .method = from->method->name,
        .status = from->status,
        .alpha = from->alpha,
        .low = from->low,
        .high = from->high,
        .seconds = from->seconds,
        .is_reference = from->is_reference,
        .differs = from->differs,
        .note = from->note.message,
        .classifier = classifier != NULL ? classifier : from->classifier,
        .auc = show_range(&from->quality.auc),
        .average_precision = show_range(&from->quality.average_precision),
        .precision = show_range(&from->quality.precision),
        .auc_unlabeled = from->auc,
        .chance = from->chance,
    };
}

/* The classifier is the one of scores that all entries share, or NULL. */
static dedpul_status show(struct context *context, const char *classifier, struct comparison_handle *shown)
{
    const struct comparison *comparison = &shown->comparison;
    const size_t n = comparison->n;
    struct arena *memory = &shown->model.memory;
    shown->compared = context_allocate_in(context, memory, n, sizeof *shown->compared);
    shown->items = context_allocate_in(context, memory, n, sizeof(dedpul_compared *));
    if (shown->compared == NULL || shown->items == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        shown->compared[i] = show_entry(&comparison->item[i], classifier);
        shown->items[i] = &shown->compared[i];
    }
    shown->warnings = *context->warnings;
    warnings_show(&shown->warnings, shown->warning);
    shown->public = (dedpul_comparison){
        .size = sizeof shown->public,
        .n_methods = classifier != NULL ? n : 0,
        .methods = shown->items,
        .classifier = classifier,
        .auc = comparison->auc,
        .seconds = comparison->seconds,
        .n_positive = comparison->n_positive,
        .n_unlabeled = comparison->n_unlabeled,
        .n_warnings = shown->warnings.n,
        .warnings = shown->warning,
        .n_classifiers = classifier != NULL ? 0 : n,
        .classifiers = shown->items,
        .alpha = comparison->believed != NULL ? comparison->believed->alpha : NAN,
        .alpha_of = comparison->believed != NULL ? comparison->believed->classifier : NULL,
        .label_check = label_check_show(&comparison->checked, &shown->check),
    };
    return DEDPUL_OK;
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

/* ---- calls ---- */

/* Compares what is named, and fills the handle. */
typedef dedpul_status compare_function(struct context *context, const dedpul_table *table,
                                       const struct resolved *resolved, const char *names,
                                       struct comparison_handle *shown);

static dedpul_status run_methods(struct context *context, const dedpul_table *table,
                                 const struct resolved *resolved, const char *names,
                                 struct comparison_handle *shown)
{
    struct model *model = &shown->model;
    TRY(list_methods(context, names, &model->memory, &shown->comparison));
    TRY(compare_methods(context, table->rows, table->n_numbered, &resolved->plan, model, &shown->comparison));
    const char *classifier = scorer_name(context, &model->ntc, &model->memory);
    scorer_close(&model->ntc); /* all that is needed of it is its name */
    return classifier != NULL ? show(context, classifier, shown) : DEDPUL_NO_MEMORY;
}

static dedpul_status run_classifiers(struct context *context, const dedpul_table *table,
                                     const struct resolved *resolved, const char *names,
                                     struct comparison_handle *shown)
{
    const struct estimator *method = resolved->plan.estimate.method;
    struct model *model = &shown->model;
    struct fit_plan *plan;
    if (estimator_trains(method))
        return error_set(
            context->error, DEDPUL_INVALID_ARGUMENT,
            "method %s trains networks of its own, so it does not tell how good a classifier is: "
            "choose another method",
            method->name);
    if (resolved->plan.check_labels)
        return error_set(context->error, DEDPUL_INVALID_ARGUMENT,
                         "labels are checked by the scores of one classifier: leave check_labels "
                         "(--check-labels) or the classifiers out");
    TRY(list_classifiers(context, names, resolved, table->rows, &model->memory, &shown->comparison, &plan));
    TRY(compare_classifiers(context, table->rows, table->n_numbered, plan, model, &shown->comparison));
    return show(context, NULL, shown);
}

static dedpul_status compare(const dedpul_table *table, const dedpul_options *given, const char *names,
                             compare_function *run, dedpul_comparison **public, dedpul_error *error)
{
    struct resolved resolved;
    struct call call;
    TRY(table_check_labels(table, error));
    TRY(options_resolve(given, &resolved, error));
    if (!isnan(resolved.options.alpha))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "alpha is what is estimated here: leave it out");
    if (table->rows->kind != NULL || table->rows->finds_kinds)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "comparisons do not take kinds: leave them out, or fit a model");
    struct comparison_handle *shown = handle_allocate(resolved.options.allocator, sizeof *shown, error);
    if (shown == NULL)
        return DEDPUL_NO_MEMORY;
    model_init(&shown->model, resolved.options.allocator);
    shown->comparison = (struct comparison){.auc = NAN};
    call_begin(&call, &resolved.options, error);
    const dedpul_status status = run(&call.context, table, &resolved, names, shown);
    call_end(&call);
    if (status != DEDPUL_OK)
        dedpul_comparison_free(&shown->public);
    else
        *public = &shown->public;
    return status;
}

dedpul_status dedpul_compare(const dedpul_table *table, const dedpul_options *options, const char *methods,
                             dedpul_comparison **comparison, dedpul_error *error)
{
    if (table == NULL || methods == NULL || comparison == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "table, methods and comparison must not be NULL");
    return compare(table, options, methods, run_methods, comparison, error);
}

dedpul_status dedpul_compare_classifiers(const dedpul_table *table, const dedpul_options *options,
                                         const char *classifiers, dedpul_comparison **comparison,
                                         dedpul_error *error)
{
    if (table == NULL || classifiers == NULL || comparison == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "table, classifiers and comparison must not be NULL");
    return compare(table, options, classifiers, run_classifiers, comparison, error);
}
