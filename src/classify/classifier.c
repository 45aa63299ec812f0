#include "classifier.h"

#include "suggest.h"

#include <string.h>

static const struct classifier *const classifiers[] = {&classifier_mlp, &classifier_gbdt,
                                                       &classifier_logistic};

size_t classifier_count(void)
{
    return sizeof classifiers / sizeof classifiers[0];
}

const struct classifier *classifier_at(size_t index)
{
    return classifiers[index];
}

static const char *classifier_name(const void *list, size_t index)
{
    (void)list;
    return classifiers[index]->name;
}

const struct classifier *classifier_find(const char *name, dedpul_error *error)
{
    const size_t index = name_find(classifier_name, NULL, classifier_count(), name);
    if (index < classifier_count())
        return classifiers[index];
    char hint[NAME_HINT_SIZE];
    (void)error_set(error, DEDPUL_INVALID_ARGUMENT, "unknown classifier '%s'; %s", name,
                    name_hint(hint, classifier_name, NULL, classifier_count(), name));
    return NULL;
}

void examples_gather(const struct examples *examples, size_t n, const uint32_t *row, float *x)
{
    const size_t width = examples->width;
    for (size_t i = 0; i < n; i++)
        memcpy(x + i * width, examples->x + row[i] * width, width * sizeof *x);
}
