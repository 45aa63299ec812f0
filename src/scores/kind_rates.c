#include "kind_rates.h"

#include "parallel.h"
#include "weighted.h"

#include <math.h>

struct resampling {
    const struct kind_rows *rows;
    double *share; /* (resamples, n_kinds) */
};

/* Shares of the unlabeled rows, from rates of labels. */
static dedpul_status find_shares(struct context *context, const struct kind_rows *rows, double *share)
{
    struct label_check check;
    double unlabeled = 0;
    TRY(label_check(context, rows, context->arena, &check));
    for (size_t k = 0; k < rows->n_kinds; k++)
        share[k] = 0;
    for (size_t i = 0; i < rows->n; i++) {
        if (rows->kind[i] < rows->n_kinds)
            share[rows->kind[i]] += weight_at(rows->weight, i);
        else
            unlabeled += weight_at(rows->weight, i);
    }
    for (size_t k = 0; k < rows->n_kinds; k++) {
        const struct checked_kind *kind = &check.kind[k];
        /* fmin and fmax leave a range out that is not known */
        const double rate = isnan(check.rate) ? 0.5 : fmax(fmin(check.rate, kind->high), kind->low);
        share[k] *= (1 - rate) / (rate * unlabeled);
    }
    return DEDPUL_OK;
}

static dedpul_status resample(struct context *context, void *argument, size_t index)
{
    const struct resampling *resampling = argument;
    struct kind_rows rows = *resampling->rows;
    double *weight = context_allocate(context, rows.n, sizeof *weight);
    if (weight == NULL)
        return DEDPUL_NO_MEMORY;
    kind_resample(context, &rows, index, weight);
    rows.weight = weight;
    return find_shares(context, &rows, resampling->share + index * rows.n_kinds);
}

dedpul_status kind_rates_find(struct context *context, const struct kind_rows *rows, unsigned resamples,
                              struct kind_shares *shares)
{
    TRY(kind_shares_init(context, rows, resamples, shares));
    struct resampling resampling = {rows, shares->resampled};
    TRY(parallel_for(context, resamples, resample, &resampling));
    return find_shares(context, rows, shares->share);
}
