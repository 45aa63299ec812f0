/* The registries behind the functions of the public header. */
#include "names.h"

#include "suggest.h"
#include "version.h"

#include "dedpul_scores.h"

#include <string.h>

const char *dedpul_version(void)
{
    return LIBRARY_VERSION;
}

const char *dedpul_status_name(dedpul_status status)
{
    switch (status) {
#define X(name, number, text) \
    case DEDPUL_##name:       \
        return #name;
        DEDPUL_STATUS_LIST(X)
#undef X
    }
    return "UNKNOWN";
}

const char *dedpul_status_text(dedpul_status status)
{
    switch (status) {
#define X(name, number, text) \
    case DEDPUL_##name:       \
        return text;
        DEDPUL_STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}

const char *dedpul_rule_name(dedpul_rule rule)
{
    switch (rule) {
    case DEDPUL_RULE_ROOT:
        return "root";
    case DEDPUL_RULE_MAX_SLOPE:
        return "max_slope";
    case DEDPUL_RULE_FORMULA:
        return "formula";
    case DEDPUL_RULE_GIVEN:
        return "given";
    case DEDPUL_RULE_MEDIAN:
        return "median";
    }
    return "unknown";
}

static const char *array_name(const void *list, size_t index)
{
    return ((const char *const *)list)[index];
}

const char *dedpul_nearest_name(const char *mistyped, size_t count, const char *const *names)
{
    const size_t nearest = name_nearest(array_name, names, count, mistyped);
    return nearest < count ? names[nearest] : NULL;
}

/* ---- methods ---- */

size_t dedpul_method_count(void)
{
    return estimator_count();
}

const char *dedpul_method_name(size_t index)
{
    return index < estimator_count() ? estimator_at(index)->name : NULL;
}

const char *dedpul_method_summary(size_t index)
{
    return index < estimator_count() ? estimator_at(index)->summary : NULL;
}

int dedpul_method_needs_table(size_t index)
{
    return index < estimator_count() && estimator_at(index)->needs_features;
}

/* ---- densities ---- */

size_t dedpul_density_count(void)
{
    return density_kind_count();
}

const char *dedpul_density_name(size_t index)
{
    return index < density_kind_count() ? density_kind_at(index)->name : NULL;
}

const char *dedpul_density_summary(size_t index)
{
    return index < density_kind_count() ? density_kind_at(index)->summary : NULL;
}

/* ---- classifiers, and the two ways to combine them ---- */

static const struct {
    const char *name, *summary;
    enum classifier_choice choice;
} combined[] = {
    {"auto", "the one of these that best tells labeled from unlabeled rows (cross-fitted AUC)", CHOOSE_BEST},
    {"blend", "mlp and gbdt together: their z-scored logits averaged", CHOOSE_BLEND},
};

enum { N_COMBINED = sizeof combined / sizeof combined[0] };

size_t dedpul_classifier_count(void)
{
    return classifier_count() + N_COMBINED;
}

const char *dedpul_classifier_name(size_t index)
{
    const size_t n = classifier_count();
    return index < n ? classifier_at(index)->name : index < n + N_COMBINED ? combined[index - n].name : NULL;
}

const char *dedpul_classifier_summary(size_t index)
{
    const size_t n = classifier_count();
    return index < n                ? classifier_at(index)->summary
           : index < n + N_COMBINED ? combined[index - n].summary
                                    : NULL;
}

static const char *name_of(const void *list, size_t index)
{
    (void)list;
    return dedpul_classifier_name(index);
}

const char *combined_name(enum classifier_choice choice)
{
    size_t i = 0;
    while (combined[i].choice != choice)
        i++;
    return combined[i].name;
}

struct named_classifier classifier_named_at(size_t index)
{
    const size_t n = classifier_count();
    return index < n ? (struct named_classifier){name_of(NULL, index), CHOOSE_GIVEN, classifier_at(index)}
                     : (struct named_classifier){name_of(NULL, index), combined[index - n].choice, NULL};
}

dedpul_status classifier_by_name(const char *name, struct named_classifier *found, dedpul_error *error)
{
    const size_t n = dedpul_classifier_count(), index = name_find(name_of, NULL, n, name);
    if (index == n) {
        char hint[NAME_HINT_SIZE], quoted[QUOTE_SIZE];
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "unknown classifier %s; %s",
                         quote_text(quoted, name, strlen(name)), name_hint(hint, name_of, NULL, n, name));
    }
    *found = classifier_named_at(index);
    return DEDPUL_OK;
}
