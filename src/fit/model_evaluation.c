#include "model_evaluation.h"

#include "interpolate.h"
#include "logistic.h"

/* What the model says of the rows at each of the kept logits. */
struct kept_rows {
    double *score, *ratio, *posterior; /* (kept.n) */
};

static dedpul_status fill_rows(struct context *context, const struct model *model, struct kept_rows *rows)
{
    const struct curve *curve = &model->curve;
    const size_t n = model->kept.n;
    rows->score = context_allocate(context, n, sizeof *rows->score);
    rows->ratio = context_allocate(context, n, sizeof *rows->ratio);
    rows->posterior = context_allocate(context, n, sizeof *rows->posterior);
    if (rows->score == NULL || rows->ratio == NULL || rows->posterior == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t k = 0; k < n; k++) {
        rows->score[k] = sigmoid(model->kept.logit[k]);
        rows->ratio[k] = interpolate(curve->n, curve->logit, curve->ratio, model->kept.logit[k]);
        rows->posterior[k] = posterior_of(&model->solution.scales, rows->ratio[k]);
    }
    return DEDPUL_OK;
}

dedpul_status model_evaluate(struct context *context, const struct model *model,
                             const struct evaluation_plan *plan, struct arena *memory,
                             struct evaluation *evaluation)
{
    const struct solution *solution = &model->solution;
    const struct kept_scores *kept = &model->kept;
    struct kept_rows rows;
    TRY(fill_rows(context, model, &rows));
    const struct score_input input = {
        .positive = {.n = kept->n, .score = rows.score, .weight = kept->labeled},
        .unlabeled = {.n = kept->n, .score = rows.score, .weight = kept->unlabeled},
    };
    const struct evaluation_input evaluated = {
        .rows = &input,
        .values = {.ratio = rows.ratio, .posterior = rows.posterior},
        .belief = {.alpha = solution->proportion.alpha,
                   .quantiles = solution->has_quantiles && solution->proportion.rule != RULE_GIVEN
                                    ? &solution->quantiles
                                    : NULL,
                   .scales = solution->scales},
    };
    return evaluate(context, &evaluated, plan, memory, evaluation);
}
