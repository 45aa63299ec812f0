/* The program's own classifier, as one of ours. */
#ifndef DEDPUL_PUBLIC_PLUGIN_H
#define DEDPUL_PUBLIC_PLUGIN_H

#include "classifier.h"

#include "dedpul_tables.h"

extern const struct classifier classifier_plugin;

/* The type that inner layers hand through without knowing it. */
static inline const struct plugin *plugin_of(const dedpul_classifier *classifier)
{
    return (const struct plugin *)classifier;
}

/* What the program calls it. */
const char *plugin_model_name(const void *model);

/* A copy, if it has what a fit needs. */
dedpul_status plugin_read(const dedpul_classifier *given, dedpul_classifier *classifier, dedpul_error *error);

#endif
