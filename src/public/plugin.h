/* Wraps the program's own classifier as a struct classifier. */
#ifndef DEDPUL_PUBLIC_PLUGIN_H
#define DEDPUL_PUBLIC_PLUGIN_H

#include "classifier.h"

#include "dedpul_tables.h"

extern const struct classifier classifier_plugin;

/* Converts to the type that inner layers pass on without knowing it. */
static inline const struct plugin *plugin_of(const dedpul_classifier *classifier)
{
    return (const struct plugin *)classifier;
}

/* Copies the struct. It is an error if it lacks something that a fit needs. */
dedpul_status plugin_read(const dedpul_classifier *given, dedpul_classifier *classifier, dedpul_error *error);

#endif
