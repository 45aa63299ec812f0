#include "model_evaluation.h"

#include "interpolate.h"
#include "logistic.h"
#include "shares.h"

#include <math.h>

/* What the model says of the rows at each of the kept logits. */
struct kept_rows {
    double *score, *unlabeled, *ratio, *posterior; /* (kept.n) */
};

static dedpul_status fill_rows(struct context *context, const struct model *model, struct kept_rows *rows)
{
    const struct curve *curve = &model->curve;
    const size_t n = model->kept.n;
    double **const array[] = {&rows->score, &rows->unlabeled, &rows->ratio, &rows->posterior};
    for (size_t i = 0; i < sizeof array / sizeof array[0]; i++) {
        *array[i] = context_allocate(context, n, sizeof **array[i]);
        if (*array[i] == NULL)
            return DEDPUL_NO_MEMORY;
    }
    for (size_t k = 0; k < n; k++) {
        rows->score[k] = sigmoid(model->kept.logit[k]);
        rows->unlabeled[k] = model->kept.unlabeled[k];
        rows->ratio[k] = interpolate(curve->n, curve->logit, curve->ratio, model->kept.logit[k]);
        rows->posterior[k] = posterior_of(&model->solution.scales, rows->ratio[k]);
    }
    return DEDPUL_OK;
}

/* Counts positives and negatives among the unlabeled rows more or less often, so that alpha becomes `share`.
 */
static void change_share(size_t n, double alpha, double share, struct kept_rows *rows)
{
    for (size_t k = 0; k < n; k++) {
        const double posterior = rows->posterior[k];
        rows->unlabeled[k] *= posterior * share / alpha + (1 - posterior) * (1 - share) / (1 - alpha);
        rows->posterior[k] = posterior_at_share(posterior, alpha, share);
        rows->ratio[k] = rows->posterior[k] / share;
    }
}

static struct alpha_belief belief_of(const struct solution *solution)
{
    const bool is_certain = !solution->has_quantiles || solution->proportion.rule == RULE_GIVEN;
    return (struct alpha_belief){.alpha = solution->proportion.alpha,
                                 .quantiles = is_certain ? NULL : &solution->quantiles,
                                 .scales = solution->scales};
}

dedpul_status model_evaluate(struct context *context, const struct model *model, double share,
                             const struct evaluation_plan *plan, struct arena *memory,
                             struct evaluation *evaluation)
{
    const struct kept_scores *kept = &model->kept;
    struct alpha_belief belief = belief_of(&model->solution);
    struct kept_rows rows;
    TRY(fill_rows(context, model, &rows));
    if (!isnan(share)) {
        change_share(kept->n, belief.alpha, share, &rows);
        belief = (struct alpha_belief){.alpha = share, .scales = one_scale(share)};
    }
    const struct score_input input = {
        .positive = {.n = kept->n, .score = rows.score, .weight = kept->labeled},
        .unlabeled = {.n = kept->n, .score = rows.score, .weight = rows.unlabeled},
    };
    const struct evaluation_input evaluated = {
        .rows = &input,
        .values = {.ratio = rows.ratio, .posterior = rows.posterior},
        .belief = belief,
    };
    return evaluate(context, &evaluated, plan, memory, evaluation);
}
