/* Checks the options of a call, makes its plan, and writes options as text. */
#include "resolve.h"

#include "bytes.h"
#include "option.h"
#include "plugin.h"
#include "sized.h"

#include <string.h>

/* Bandwidths in logits are for densities that have one. */
static dedpul_status check_plan(const struct fit_plan *plan, dedpul_error *error)
{
    const struct density_plan *density = &plan->estimate.ratio.density;
    const bool is_absolute =
        density->bandwidth_p.rule == BANDWIDTH_ABSOLUTE || density->bandwidth_u.rule == BANDWIDTH_ABSOLUTE;
    if (is_absolute && !density->kind->has_bandwidth)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "%s: density %s has no bandwidth; leave it out, or use 'auto'",
                         density->bandwidth_p.rule == BANDWIDTH_ABSOLUTE ? "bandwidth-p" : "bandwidth-u",
                         density->kind->name);
    return DEDPUL_OK;
}

dedpul_status options_resolve(const dedpul_options *given, struct resolved *resolved, dedpul_error *error)
{
    dedpul_options *options = &resolved->options;
    options_default(options);
    if (given != NULL)
        TRY(sized_read("options", given, LEAST_OPTIONS_SIZE, sizeof *options, options, error));
    for (size_t i = 0; i < option_count(); i++)
        TRY(option_at(i)->type->check(option_at(i), option_field(option_at(i), options), error));
    if (options->plugin != NULL) {
        TRY(plugin_read(options->plugin, &resolved->plugin, error));
        options->plugin = &resolved->plugin;
    }
    resolved->plan = options_plan(options);
    return check_plan(&resolved->plan, error);
}

char *options_settings(struct context *context, const dedpul_options *options, const char *classifier,
                       struct arena *memory)
{
    struct context lasting = *context; /* the text outlives the call */
    dedpul_options named = *options;
    struct bytes bytes;
    lasting.arena = memory;
    named.classifier = classifier;
    bytes_init(&bytes, &lasting);
    for (size_t i = 0; i < option_count(); i++) {
        const struct option *option = option_at(i);
        char text[OPTION_TEXT_SIZE];
        if (option->offset == offsetof(dedpul_options, threads)) /* results do not depend on it */
            continue;
        option->type->write(option, option_field(option, &named), text);
        bytes_put(&bytes, strlen(option->info.name), option->info.name);
        bytes_put(&bytes, 1, "=");
        bytes_put(&bytes, strlen(text), text);
        bytes_put(&bytes, 1, "\n");
    }
    bytes_put(&bytes, 1, "");
    return bytes.failed ? NULL : (char *)bytes.data;
}

void call_begin(struct call *call, const dedpul_options *options, dedpul_error *error)
{
    arena_init(&call->arena, options->allocator);
    call->warnings.n = 0;
    call->context = context_of(&call->arena, &call->warnings, error);
    call->context.progress = options->progress;
    call->context.progress_context = options->progress_context;
    call->context.threads = threads_or_default(options->threads);
    call->context.seed = options->seed;
}

void call_end(struct call *call)
{
    arena_free(&call->arena);
}
