#include "density.h"

#include "suggest.h"

#include <string.h>

static const struct density_kind *const kinds[] = {
#define X(name) &density_##name,
    DENSITY_KINDS(X)
#undef X
};

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
    char hint[NAME_HINT_SIZE], quoted[QUOTE_SIZE];
    if (index == density_kind_count())
        (void)error_set(error, DEDPUL_INVALID_ARGUMENT, "unknown density %s; %s",
                        quote_text(quoted, name, strlen(name)),
                        name_hint(hint, kind_name, NULL, density_kind_count(), name));
    return density_kind_at(index);
}

dedpul_status densities_fit(struct context *context, const struct sample *p, const struct sample *u,
                            const struct density_plan *plan, struct density *f_p, struct density *f_u)
{
    const struct density_kind *kind = plan->kind;
    const struct density_request request_p = {ROLE_P, plan->bandwidth_p};
    const struct density_request request_u = {ROLE_U, plan->bandwidth_u};
    TRY(kind->fit(context, p, &request_p, f_p));
    TRY(kind->fit(context, u, &request_u, f_u));
    return kind->settle != NULL ? kind->settle(context, p, u, plan, f_p, f_u) : DEDPUL_OK;
}
