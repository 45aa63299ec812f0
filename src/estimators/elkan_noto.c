/*
 * Elkan and Noto, "Learning classifiers from only positive and unlabeled data", 2008. The classifier is
 * trained with P and U weighted equally, so its odds y / (1 - y) are the density ratio.
 */
#include "estimator.h"
#include "weighted.h"

#include <math.h>

static dedpul_status odds(struct context *context, const struct problem *problem, struct densities *densities,
                          struct ratio *ratio)
{
    const struct sample *u = problem->u;
    (void)densities;
    TRY(ratio_allocate(context, u->n, u->weight, u->total, ratio));
    for (size_t i = 0; i < u->n; i++)
        ratio->value[i] = u->score[i] / (1 - u->score[i]);
    return ratio_rank(context, ratio);
}

static double inverse_odds(double score)
{
    return fmin(1, (1 - score) / score);
}

static dedpul_status alpha_e1(struct context *context, const struct problem *problem,
                              const struct mixture *mixture, struct proportion *proportion)
{
    const struct sample *p = problem->p;
    (void)context;
    (void)mixture;
    proportion->alpha = inverse_odds(weighted_mean(p->n, p->score, p->weight));
    proportion->rule = RULE_FORMULA;
    return DEDPUL_OK;
}

/*
 * The score y at the 5% quantile of (1 - y) / y over all rows, as the lower order statistic: position
 * floor(0.05 (W - 1)) from the smallest (1 - y) / y, which means from the largest y down.
 */
static double high_score(const struct sample *p, const struct sample *u)
{
    const double position = floor(0.05 * (p->total + u->total - 1));
    size_t i = p->n, j = u->n;
    double before = 0, score = 0;
    while (before <= position && i + j > 0) {
        const int from_p = j == 0 || (i > 0 && p->score[i - 1] > u->score[j - 1]);
        const struct sample *sample = from_p ? p : u;
        const size_t at = from_p ? --i : --j;
        score = sample->score[at];
        before += weight_at(sample->weight, at);
    }
    return score;
}

static dedpul_status alpha_e3(struct context *context, const struct problem *problem,
                              const struct mixture *mixture, struct proportion *proportion)
{
    (void)context;
    (void)mixture;
    proportion->alpha = inverse_odds(high_score(problem->p, problem->u));
    proportion->rule = RULE_FORMULA;
    return DEDPUL_OK;
}

const struct estimator estimator_en_e1 = {
    .name = "en_e1",
    .summary = "Elkan-Noto: alpha from the mean score of labeled rows",
    .posterior = SCALE_ALWAYS_ALPHA,
    .ratio = odds,
    .alpha = alpha_e1,
};

const struct estimator estimator_en_e3 = {
    .name = "en_e3",
    .summary = "Elkan-Noto: alpha from the highest scores",
    .posterior = SCALE_ALWAYS_ALPHA,
    .ratio = odds,
    .alpha = alpha_e3,
};

const struct estimator estimator_en_em = {
    .name = "en_em",
    .summary = "Elkan-Noto's odds as the ratio; alpha is the root of D(alpha)",
    .posterior = SCALE_ALWAYS_ALPHA,
    .ratio = odds,
    .alpha = alpha_of_root,
};
