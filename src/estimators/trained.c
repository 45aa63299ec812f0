/*
 * Methods that train networks to tell positives from negatives. This file has only what they begin with:
 * DEDPUL's alpha, or the one given. The training itself is part of a fit; it replaces the posteriors (and
 * alpha, with tedn).
 */
#include "estimator.h"

#define TRAINED .needs_features = true, .posterior = SCALE_ALWAYS_ALPHA, .ratio = density_ratio

const struct estimator estimator_nnpu = {
    .name = "nnpu",
    .summary = "networks trained on the non-negative PU risk, with DEDPUL's alpha or the one given",
    TRAINED,
    .training = RISK_NNPU,
    .alpha = alpha_of_root,
};

const struct estimator estimator_upu = {
    .name = "upu",
    .summary = "networks trained on the unbiased PU risk, with DEDPUL's alpha or the one given",
    TRAINED,
    .training = RISK_UPU,
    .alpha = alpha_of_root,
};

const struct estimator estimator_tedn = {
    .name = "tedn",
    .summary = "networks trained without unlabeled rows that look positive, as many as bbe says",
    TRAINED,
    .training = RISK_CVIR,
    .alpha = alpha_of_best_bin,
};
