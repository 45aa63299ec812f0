#include "estimator.h"
#include "suggest.h"

/* A new estimator takes one file and one line here. The first is the default; those on features are last. */
static const struct estimator *const estimators[] = {
    &estimator_dedpul,   &estimator_dedpul_bbe, &estimator_simple_alpha, &estimator_bbe,
    &estimator_en_e1,    &estimator_en_e3,      &estimator_en_em,        &estimator_ntc_tice,
    &estimator_alphamax, &estimator_roc,        &estimator_tice,         &estimator_km1,
    &estimator_km2,      &estimator_nnpu,       &estimator_upu,          &estimator_tedn,
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
    char hint[NAME_HINT_SIZE];
    if (index == estimator_count())
        (void)error_set(error, DEDPUL_INVALID_ARGUMENT, "unknown method '%s'; %s", name,
                        name_hint(hint, estimator_name, NULL, estimator_count(), name));
    return estimator_at(index);
}
