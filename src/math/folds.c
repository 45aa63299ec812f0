#include "folds.h"

#include "rng.h"

/* Lists the rows of a stratum in random order. The caller releases the list. */
static dedpul_status shuffle(struct context *context, size_t n, const unsigned char *stratum, unsigned which,
                             struct rng *rng, size_t *n_rows, uint32_t **rows)
{
    size_t count = 0;
    uint32_t *row = context_allocate(context, n, sizeof *row);
    if (row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        if (stratum[i] == which)
            row[count++] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        const size_t k = rng_below(rng, (uint32_t)i);
        const uint32_t swap = row[i - 1];
        row[i - 1] = row[k];
        row[k] = swap;
    }
    *n_rows = count;
    *rows = row;
    return DEDPUL_OK;
}

dedpul_status folds_deal(struct context *context, size_t n, const unsigned char *stratum, unsigned n_folds,
                         uint64_t stream, unsigned char *fold)
{
    struct block *mark = context_mark(context);
    struct rng rng;
    rng_init(&rng, context->seed, stream);
    size_t dealt = 0; /* counts over all strata, so that folds' sizes differ by at most one too */
    for (unsigned which = 0; which < N_STRATA; which++) {
        size_t count;
        uint32_t *row;
        TRY(shuffle(context, n, stratum, which, &rng, &count, &row));
        for (size_t i = 0; i < count; i++)
            fold[row[i]] = (unsigned char)(dealt++ % n_folds);
        context_release(context, mark);
    }
    return DEDPUL_OK;
}

dedpul_status folds_choose(struct context *context, size_t n, const unsigned char *stratum, size_t most,
                           uint64_t stream, size_t *n_chosen, uint32_t **chosen)
{
    uint32_t *result = context_allocate(context, n < 2 * most ? n : 2 * most, sizeof *result);
    struct block *mark = context_mark(context);
    unsigned char *is_chosen = context_allocate(context, n, 1);
    struct rng rng;
    if (result == NULL || is_chosen == NULL)
        return DEDPUL_NO_MEMORY;
    rng_init(&rng, context->seed, stream);
    for (size_t i = 0; i < n; i++)
        is_chosen[i] = 0;
    for (unsigned which = 0; which < STRATUM_WEIGHTLESS; which++) {
        struct block *inner = context_mark(context);
        size_t count;
        uint32_t *row;
        TRY(shuffle(context, n, stratum, which, &rng, &count, &row));
        for (size_t i = 0; i < count && i < most; i++)
            is_chosen[row[i]] = 1;
        context_release(context, inner);
    }
    *n_chosen = 0;
    for (size_t i = 0; i < n; i++)
        if (is_chosen[i])
            result[(*n_chosen)++] = (uint32_t)i;
    context_release(context, mark);
    *chosen = result;
    return DEDPUL_OK;
}
