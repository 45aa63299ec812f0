/* Names of classifiers, with the ways to choose or combine them. */
#ifndef DEDPUL_PUBLIC_NAMES_H
#define DEDPUL_PUBLIC_NAMES_H

#include "fit_plan.h"

struct named_classifier {
    const char *name; /* the registered text, which lasts */
    enum classifier_choice choice;
    const struct classifier *classifier; /* NULL if the name is a way to choose or combine */
};

/* Returns the name of a way to combine classifiers. */
const char *combined_name(enum classifier_choice choice);

/* The one at this index of dedpul_classifier_name. */
struct named_classifier classifier_named_at(size_t index);

dedpul_status classifier_by_name(const char *name, struct named_classifier *found, dedpul_error *error);

#endif
