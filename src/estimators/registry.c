#include "estimator.h"
#include "suggest.h"

#include <string.h>

static const struct estimator *const estimators[] = {
#define X(name) &estimator_##name,
    ESTIMATORS(X)
#undef X
};

size_t estimator_count(void)
{
    return sizeof estimators / sizeof estimators[0];
}

const struct estimator *estimator_at(size_t index)
{
    return index < estimator_count() ? estimators[index] : NULL;
}

static const char *estimator_name(const void *list, size_t index)
{
    (void)list;
    return estimators[index]->name;
}

const struct estimator *estimator_find(const char *name, dedpul_error *error)
{
    const size_t index = name_find(estimator_name, NULL, estimator_count(), name);
    char hint[NAME_HINT_SIZE], quoted[QUOTE_SIZE];
    if (index == estimator_count())
        (void)error_set(error, DEDPUL_INVALID_ARGUMENT, "unknown method %s; %s",
                        quote_text(quoted, name, strlen(name)),
                        name_hint(hint, estimator_name, NULL, estimator_count(), name));
    return estimator_at(index);
}
