#include "model_kinds.h"

#include <math.h>

dedpul_status model_kinds_init(struct context *context, size_t n, struct arena *memory,
                               struct model_kinds *kinds)
{
    *kinds = (struct model_kinds){
        .name = context_allocate_in(context, memory, n, sizeof *kinds->name),
        .labeled = context_allocate_in(context, memory, n, sizeof *kinds->labeled),
        .actual = context_allocate_in(context, memory, n, sizeof *kinds->actual),
        .scorer = context_allocate_in(context, memory, n, sizeof *kinds->scorer),
    };
    if (kinds->name == NULL || kinds->labeled == NULL || kinds->actual == NULL || kinds->scorer == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < n; k++)
        kinds->scorer[k] = (struct scorer){.n_parts = 0};
    kinds->n = n;
    return DEDPUL_OK;
}

void model_kinds_close(struct model_kinds *kinds)
{
    for (size_t k = 0; k < kinds->n; k++)
        scorer_close(&kinds->scorer[k]);
    kinds->n = 0;
}

/* Beyond this logit a kind counts as told from the others for certain; its exponential must be finite. */
static const double largest_logit = 30;

/* f_k / f of a kind whose density is e^logit times that of the others, and whose share of f is as given. */
static double density_of(double share, double logit)
{
    return 1 / (share + (1 - share) * exp(-fmin(fmax(logit, -largest_logit), largest_logit)));
}

void kind_densities(const struct model_kinds *kinds, size_t stride, const double *logit, double *density)
{
    double total = 0;
    for (size_t k = 0; k < kinds->n; k++) {
        const bool is_mirrored = k >= n_kind_scorers(kinds->n);
        density[k] = density_of(kinds->labeled[k], is_mirrored ? -logit[0] : logit[k * stride]);
        total += kinds->labeled[k] * density[k];
    }
    /* Separate classifiers need not agree; densities of the kinds must add up to that of all labeled rows. */
    for (size_t k = 0; k < kinds->n; k++)
        density[k] /= total;
}

double kind_correction(const struct model_kinds *kinds, const double *density)
{
    static const double smallest = 1e-6; /* where only kinds are that do not occur any more */
    double sum = 0;
    for (size_t k = 0; k < kinds->n; k++)
        sum += kinds->actual[k] * density[k];
    return log(fmax(sum, smallest));
}

void kind_parts(const struct model_kinds *kinds, const double *density, double *part)
{
    const double all = exp(kind_correction(kinds, density));
    for (size_t k = 0; k < kinds->n; k++)
        part[k] = kinds->actual[k] * density[k] / all;
}

dedpul_status model_kinds_apply(struct context *context, const struct model_kinds *kinds, size_t n,
                                const float *x, double *logit, double *part)
{
    struct block *mark = context_mark(context);
    if (kinds->n == 0 || (logit == NULL && part == NULL))
        return DEDPUL_OK;
    double *of_kind = context_allocate(context, n_kind_scorers(kinds->n) * n, sizeof *of_kind);
    double *density = context_allocate(context, kinds->n, sizeof *density);
    if (of_kind == NULL || density == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < n_kind_scorers(kinds->n); k++)
        TRY(scorer_score(context, &kinds->scorer[k], n, x, NULL, of_kind + k * n));
    for (size_t i = 0; i < n; i++) {
        kind_densities(kinds, n, of_kind + i, density);
        if (logit != NULL)
            logit[i] += kind_correction(kinds, density);
        if (part != NULL)
            kind_parts(kinds, density, part + i * kinds->n);
    }
    context_release(context, mark);
    return DEDPUL_OK;
}
