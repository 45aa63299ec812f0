#include "ensemble.h"

#include <string.h>

void average(size_t n_sets, size_t n, const double *value, double *mean)
{
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < n_sets; k++)
            sum += value[k * n + i];
        mean[i] = sum / (double)n_sets;
    }
}

struct scoring {
    const struct ensemble *ensemble;
    size_t n;
    const float *x;
    double *logit; /* (n_members, n) */
};

static dedpul_status score_member(struct context *context, void *argument, size_t m)
{
    const struct scoring *scoring = argument;
    return scoring->ensemble->classifier->score(context, scoring->ensemble->member[m], scoring->n, scoring->x,
                                                scoring->logit + m * scoring->n);
}

dedpul_status ensemble_score(struct context *context, const struct ensemble *ensemble, size_t n,
                             const float *x, const struct beside *beside, double *logit)
{
    struct block *mark = context_mark(context);
    struct scoring scoring = {ensemble, n, x, NULL};
    scoring.logit = context_allocate(context, ensemble->n_members * n, sizeof *scoring.logit);
    if (scoring.logit == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(parallel_for_beside(context, ensemble->n_members, score_member, &scoring, beside));
    average(ensemble->n_members, n, scoring.logit, logit);
    context_release(context, mark);
    return DEDPUL_OK;
}

dedpul_status ensemble_save(struct context *context, const struct ensemble *ensemble, struct bytes *bytes)
{
    bytes_put_text(bytes, ensemble->classifier->name);
    bytes_put_u64(bytes, ensemble->n_members);
    for (size_t m = 0; m < ensemble->n_members; m++)
        TRY(ensemble->classifier->save(context, ensemble->member[m], bytes));
    return bytes->failed ? DEDPUL_NO_MEMORY : DEDPUL_OK;
}

/* The program's own classifier is not in the registry. */
static const struct classifier *find_classifier(const struct loading *loading, const char *name)
{
    if (loading->own != NULL && strcmp(loading->own->name, name) == 0)
        return loading->own;
    return classifier_find(name);
}

dedpul_status ensemble_load(struct context *context, const struct loading *loading,
                            struct bytes_reader *bytes, struct arena *memory, struct ensemble *ensemble)
{
    *ensemble = (struct ensemble){.width = loading->width};
    const char *name = bytes_get_text(context, bytes, memory);
    const size_t members = bytes_get_count(bytes, 1);
    if (name == NULL)
        return DEDPUL_NO_MEMORY;
    ensemble->classifier = find_classifier(loading, name);
    ensemble->member = context_allocate_in(context, memory, members, sizeof *ensemble->member);
    if (ensemble->member == NULL)
        return DEDPUL_NO_MEMORY;
    if (ensemble->classifier == NULL || members == 0)
        bytes->failed = true;
    for (size_t m = 0; !bytes->failed && m < members; m++) {
        TRY(ensemble->classifier->load(context, loading, bytes, memory, &ensemble->member[m]));
        if (!bytes->failed)
            ensemble->n_members++;
    }
    return DEDPUL_OK;
}

void ensemble_close(struct ensemble *ensemble)
{
    for (size_t m = 0; m < ensemble->n_members; m++)
        ensemble->classifier->close(ensemble->member[m]);
    ensemble->n_members = 0;
}
