#include "decision.h"

#include "interpolate.h"
#include "logistic.h"
#include "model_evaluation.h"
#include "sort.h"

#include <math.h>

bool decision_needs_all(const struct predict_plan *plan)
{
    const enum cut_rule rule = plan->request.rule;
    return plan->share_rule == SHARE_OF_ROWS || (plan->has_request && (rule == CUT_TOP || rule == CUT_SHARE));
}

/* ---- the share ---- */

static dedpul_status decide_share(struct context *context, const struct predict_plan *plan,
                                  const struct share_estimate *share, struct decision *decision)
{
    const double alpha = decision->model->solution.proportion.alpha;
    decision->share = NAN;
    if (plan->share_rule == SHARE_OF_FIT)
        return DEDPUL_OK;
    if (!(alpha > 0 && alpha < 1))
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "the model's alpha is %g, so its posteriors do not tell how they change with the "
                         "share of positives",
                         alpha);
    decision->share = plan->share;
    if (plan->share_rule == SHARE_GIVEN)
        return DEDPUL_OK;
    if (isnan(share->alpha))
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "the share of positives among the new rows cannot be estimated: it takes at least "
                         "%d rows whose scores differ. Give the share (--alpha X)",
                         FEWEST_NEW_ROWS);
    decision->share = share->alpha;
    return DEDPUL_OK;
}

/* ---- the threshold ---- */

/* The lowest score of the rows that are flagged: at most so many, and none that ties with one that is not. */
static dedpul_status find_by_rows(struct context *context, const struct cut_request *request, size_t n,
                                  const double *logit, double *threshold)
{
    struct block *mark = context_mark(context);
    const double most = request->rule == CUT_TOP ? request->value : request->value * (double)n;
    double *score = context_allocate(context, n, sizeof *score);
    uint32_t *row = context_allocate(context, n, sizeof *row);
    if (score == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    if (most > (double)n)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "%.10g rows cannot be flagged: there are %zu rows", most, n);
    for (size_t i = 0; i < n; i++) {
        score[i] = sigmoid(logit[i]);
        row[i] = (uint32_t)i;
    }
    TRY(sort_with_rows(context, n, score, row));
    size_t first = n - (size_t)fmin(most * (1 + 1e-12), (double)n); /* of those flagged */
    while (first > 0 && first < n && score[first] == score[first - 1])
        first++;
    *threshold = first < n ? score[first] : NAN;
    if (first == n)
        context_warn(context, DEDPUL_WARNING_GOAL_OUT_OF_REACH,
                     "no row is flagged: no threshold flags at most %.10g of %zu rows", most, n);
    context_release(context, mark);
    return DEDPUL_OK;
}

/* By the scores that the fit kept, for the share that is in force. */
static dedpul_status find_by_kept(struct context *context, const struct cut_request *request,
                                  const struct decision *decision, double *threshold)
{
    struct block *mark = context_mark(context);
    const struct evaluation_plan plan = {.request = *request, .level = 0.95};
    struct context apart = *context;
    struct evaluation evaluation;
    apart.warnings = NULL;
    TRY(model_evaluate(&apart, decision->model, decision->share, &plan, context->arena, &evaluation));
    *threshold = evaluation.chosen.score;
    context_release(context, mark);
    return DEDPUL_OK;
}

/* Whether the score that reaches it depends on the share of positives. */
static bool depends_on_share(enum cut_rule rule)
{
    return rule == CUT_PRECISION || rule == CUT_COST || rule == CUT_F1;
}

static dedpul_status refuse_goal(struct context *context, const struct decision *decision)
{
    const double alpha = decision->model->solution.proportion.alpha;
    if (decision->by_pn)
        return error_set(context->error, DEDPUL_INVALID_ARGUMENT,
                         "the fit kept no scores of its classifier of positives against negatives, so a "
                         "threshold for them can only be given, or be a number or a share of rows "
                         "(--threshold, --top, --share)");
    TRY(model_check_kept(decision->model, "fit it again, or ask for --threshold, --top or --share",
                         context->error));
    if (!(alpha > 0 && alpha < 1))
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "the model's alpha is %g, so no threshold tells positives from negatives", alpha);
    return DEDPUL_OK;
}

static dedpul_status find_threshold(struct context *context, const struct cut_request *request, size_t n,
                                    const double *logit, struct decision *decision)
{
    decision->has_threshold = true;
    decision->threshold = request->value;
    if (request->rule == CUT_SCORE)
        return DEDPUL_OK;
    if (request->rule == CUT_TOP || request->rule == CUT_SHARE)
        return find_by_rows(context, request, n, logit, &decision->threshold);
    TRY(refuse_goal(context, decision));
    return find_by_kept(context, request, decision, &decision->threshold);
}

/*
 * Moves the model's own threshold with the share. Nobody has asked for it now; so it is no error if it cannot
 * be had: no row is flagged then.
 */
static dedpul_status move_own(struct context *context, struct decision *decision)
{
    dedpul_error why = {DEDPUL_OK, ""};
    struct context apart = *context;
    apart.error = &why;
    dedpul_status status = refuse_goal(&apart, decision);
    if (status == DEDPUL_OK)
        status = find_by_kept(&apart, &decision->model->threshold.request, decision, &decision->threshold);
    if (status == DEDPUL_INVALID_DATA) {
        decision->threshold = NAN;
        context_warn(context, DEDPUL_WARNING_GOAL_OUT_OF_REACH,
                     "the model's threshold cannot be had with this share of positives, so no row is flagged "
                     "(%s)",
                     why.message);
        return DEDPUL_OK;
    }
    return status == DEDPUL_OK ? DEDPUL_OK : error_set(context->error, status, "%s", why.message);
}

static dedpul_status decide_threshold(struct context *context, const struct predict_plan *plan, size_t n,
                                      const double *logit, struct decision *decision)
{
    const struct model_threshold *own = &decision->model->threshold;
    if (plan->has_request)
        return find_threshold(context, &plan->request, n, logit, decision);
    decision->has_threshold = own->is_set && !decision->by_pn;
    decision->threshold = own->score;
    return decision->has_threshold && !isnan(decision->share) && depends_on_share(own->request.rule)
               ? move_own(context, decision)
               : DEDPUL_OK;
}

/* ---- the whole ---- */

dedpul_status decide(struct context *context, const struct model *model, const struct predict_plan *plan,
                     size_t n, const double *logit, const struct share_estimate *share,
                     struct decision *decision)
{
    *decision = (struct decision){.model = model, .by_pn = predicts_by_pn(model, plan->by_pn)};
    TRY(decide_share(context, plan, share, decision));
    return decide_threshold(context, plan, n, logit, decision);
}

double decision_posterior(const struct decision *decision, double logit)
{
    const struct model *model = decision->model;
    const struct curve *curve = &model->curve;
    const double posterior =
        decision->by_pn
            ? sigmoid(logit + model->pn.shift)
            : posterior_of(&model->solution.scales, interpolate(curve->n, curve->logit, curve->ratio, logit));
    return isnan(decision->share)
               ? posterior
               : posterior_at_share(posterior, model->solution.proportion.alpha, decision->share);
}
