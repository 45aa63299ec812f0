/* The options of a call: checked, as a plan, as text; and what the call works with. */
#ifndef DEDPUL_PUBLIC_RESOLVE_H
#define DEDPUL_PUBLIC_RESOLVE_H

#include "fit_plan.h"

#include "dedpul_tables.h"

/* The options of a call, checked and complete, and the plan that follows from them. */
struct resolved {
    dedpul_options options;
    dedpul_classifier plugin; /* what options.plugin points to, unless that is NULL */
    struct fit_plan plan;
};

/*
 * Checks the options and makes the plan. given may be NULL for the defaults. Its texts are borrowed. The
 * plan points into `resolved`.
 */
dedpul_status options_resolve(const dedpul_options *given, struct resolved *resolved, dedpul_error *error);

/*
 * Returns "name=value" lines of all options that decide about the result, in memory; NULL if it runs out.
 * The classifier is the one that was chosen.
 */
char *options_settings(struct context *context, const dedpul_options *options, const char *classifier,
                       struct arena *memory);

/* Memory, warnings and context of a call with these options. */
struct call {
    struct arena arena;
    struct warnings warnings;
    struct context context;
};

void call_begin(struct call *call, const dedpul_options *options, dedpul_error *error);
void call_end(struct call *call);

#endif
