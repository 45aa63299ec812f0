/*
 * Methods that train networks of positives against negatives. Here is what they begin with: DEDPUL's alpha,
 * or the one given. The training itself, which replaces the posteriors (and alpha, with tedn), is part of a
 * fit.
 */
#include "estimator.h"

#include "mixture.h"

#define TRAINED .needs_features = true, .posterior = SCALE_IS_ALPHA, .ratio = density_ratio

const struct estimator estimator_nnpu = {
    .name = "nnpu",
    .summary = "networks trained on the non-negative PU risk, with DEDPUL's alpha or the one given",
    TRAINED,
    .alpha = alpha_of_root,
};

const struct estimator estimator_upu = {
    .name = "upu",
    .summary = "networks trained on the unbiased PU risk, with DEDPUL's alpha or the one given",
    TRAINED,
    .alpha = alpha_of_root,
};

/* As alpha_of_root, but without its warning: what D(alpha) says does not matter in the end. */
static dedpul_status alpha_to_replace(struct context *context, const struct problem *problem,
                                      const struct mixture *mixture, struct proportion *proportion)
{
    (void)context;
    (void)problem;
    proportion->alpha = mixture_is_trivial(mixture) ? proportion->alpha_n : proportion->alpha_c;
    proportion->rule = DEDPUL_RULE_FORMULA;
    return DEDPUL_OK;
}

const struct estimator estimator_tedn = {
    .name = "tedn",
    .summary = "networks trained without unlabeled rows that look positive, as many as bbe says",
    TRAINED,
    .alpha = alpha_to_replace,
};
