#include "classifier.h"

#include <string.h>

static const struct classifier *const classifiers[] = {
#define X(name) &classifier_##name,
    CLASSIFIERS(X)
#undef X
};

size_t classifier_count(void)
{
    return sizeof classifiers / sizeof classifiers[0];
}

const struct classifier *classifier_at(size_t index)
{
    return classifiers[index];
}

const struct classifier *classifier_find(const char *name)
{
    for (size_t i = 0; i < classifier_count(); i++)
        if (strcmp(classifiers[i]->name, name) == 0)
            return classifiers[i];
    return NULL;
}

void examples_gather(const struct examples *examples, size_t n, const uint32_t *row, float *x)
{
    const size_t width = examples->width;
    for (size_t i = 0; i < n; i++)
        memcpy(x + i * width, examples->x + row[i] * width, width * sizeof *x);
}
