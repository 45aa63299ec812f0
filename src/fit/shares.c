#include "shares.h"

#include "weighted.h"

#include <math.h>

/* The level of the interval, at both its ends together. */
static const double outside = 0.01;

dedpul_status share_of_new_rows(struct context *context, const struct model *model,
                                const struct estimate_plan *plan, const double *count,
                                struct share_estimate *share)
{
    const struct fit_scores *kept = &model->kept;
    const struct score_input input = {
        .positive = {.n = kept->n, .logit = kept->logit, .weight = kept->labeled},
        .unlabeled = {.n = kept->n, .logit = kept->logit, .weight = count},
    };
    struct context apart = *context;
    struct arena memory;
    struct estimate found;
    *share = (struct share_estimate){NAN, NAN, NAN};
    if (weighted_total(kept->n, count) < FEWEST_NEW_ROWS)
        return DEDPUL_OK;
    apart.error = NULL;
    apart.warnings = NULL;
    arena_init(&memory, &context->arena->allocator);
    const dedpul_status status = estimate(&apart, &input, plan, &memory, &found);
    if (status == DEDPUL_OK) {
        const struct alpha_quantiles *quantiles = &found.solution.quantiles;
        *share = (struct share_estimate){
            .alpha = found.solution.proportion.alpha,
            .low = alpha_quantile(quantiles, outside / 2),
            .high = alpha_quantile(quantiles, 1 - outside / 2),
        };
    }
    arena_free(&memory);
    if (status == DEDPUL_NO_MEMORY)
        return error_set(context->error, status, "out of memory");
    return status == DEDPUL_INVALID_DATA ? DEDPUL_OK : status; /* scores that say nothing have no estimate */
}

double posterior_at_share(double posterior, double before, double now)
{
    const double positive = posterior * now / before, negative = (1 - posterior) * (1 - now) / (1 - before);
    return positive + negative > 0 ? positive / (positive + negative) : now;
}
