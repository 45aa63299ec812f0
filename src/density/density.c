#include "density.h"

#include "kde.h"
#include "suggest.h"

static const struct density_kind *const kinds[] = {&density_kde, &density_gmm, &density_histogram};

size_t density_kind_count(void)
{
    return sizeof kinds / sizeof kinds[0];
}

const struct density_kind *density_kind_at(size_t index)
{
    return index < density_kind_count() ? kinds[index] : NULL;
}

static const char *kind_name(const void *list, size_t index)
{
    (void)list;
    return kinds[index]->name;
}

const struct density_kind *density_kind_find(const char *name, dedpul_error *error)
{
    const size_t index = name_find(kind_name, NULL, density_kind_count(), name);
    char hint[NAME_HINT_SIZE];
    if (index == density_kind_count())
        (void)error_set(error, DEDPUL_INVALID_ARGUMENT, "unknown density '%s'; %s", name,
                        name_hint(hint, kind_name, NULL, density_kind_count(), name));
    return density_kind_at(index);
}

dedpul_status densities_fit(struct context *context, const struct sample *p, const struct sample *u,
                            const dedpul_options *options, struct density *f_p, struct density *f_u)
{
    const struct density_request request_p = {ROLE_P, options->bandwidth_p};
    const struct density_request request_u = {ROLE_U, options->bandwidth_u};
    const struct density_kind *kind = density_kind_find(options->density, context->error);
    if (kind == NULL)
        return DEDPUL_INVALID_ARGUMENT;
    TRY(kind->fit(context, p, &request_p, f_p));
    TRY(kind->fit(context, u, &request_u, f_u));
    if (kind == &density_kde)
        TRY(kde_treat_ties(context, p, u, options, f_p, f_u));
    return DEDPUL_OK;
}
