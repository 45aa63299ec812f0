/* How good scores or a model are, without known negatives. */
#include "arrays.h"
#include "evaluate_options.h"
#include "evaluation_view.h"
#include "logistic.h"
#include "model_evaluation.h"
#include "models.h"
#include "result.h"

#include <math.h>

_Static_assert((int)TRUTH_UNKNOWN == DEDPUL_TRUTH_UNKNOWN, "unknown classes agree");

/* ---- a call ---- */

/* What each evaluation works with. At its end it is handed out or freed. */
struct evaluating {
    dedpul_evaluate_options options;
    struct evaluation_plan plan;
    struct arena arena;
    struct warnings warnings;
    struct context context;
    struct evaluation_view *view;
};

static dedpul_status evaluating_begin(struct evaluating *call, const dedpul_evaluate_options *given,
                                      dedpul_error *error)
{
    *call = (struct evaluating){.view = NULL};
    TRY(evaluate_options_read(given, &call->options, error));
    call->plan = (struct evaluation_plan){.request = evaluate_options_request(&call->options),
                                          .level = call->options.level,
                                          .alpha = isnan(call->options.alpha) ? 0 : call->options.alpha};
    arena_init(&call->arena, call->options.allocator);
    call->context = context_of(&call->arena, &call->warnings, error);
    call->context.threads = threads_or_default(call->options.threads);
    call->view = evaluation_view_create(call->options.allocator, error);
    return call->view != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

static dedpul_status evaluating_end(struct evaluating *call, dedpul_status status,
                                    const struct evaluated_estimate *estimate, dedpul_evaluation **public)
{
    if (status == DEDPUL_OK)
        status = evaluation_view_show(&call->context, estimate, &call->plan, call->view);
    arena_free(&call->arena);
    if (status == DEDPUL_OK)
        *public = &call->view->public;
    else
        dedpul_evaluation_free(&call->view->public);
    return status;
}

/* ---- checks ---- */

static dedpul_status check_estimate(const struct evaluated_estimate *estimate, dedpul_error *error)
{
    if (estimator_trains(estimate->method))
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the posteriors of method %s are from networks of its own, not from the scores: "
                         "evaluate another method",
                         estimate->method->name);
    if (!(estimate->alpha > 0 && estimate->alpha < 1))
        return error_set(error, DEDPUL_INVALID_DATA,
                         "alpha is %g, so all unlabeled rows count as %s: there is nothing to evaluate",
                         estimate->alpha, estimate->alpha > 0 ? "positive" : "negative");
    return DEDPUL_OK;
}

static void warn_if_certain(struct evaluating *call, const struct estimator *method, bool has_quantiles,
                            bool is_given)
{
    if (!has_quantiles && !is_given && isnan(call->options.alpha))
        context_warn(
            &call->context, DEDPUL_WARNING_ALPHA_AS_KNOWN,
            "ranges leave out that alpha is uncertain: method %s does not know its distribution. The "
            "methods pooled and learned do",
            method->name);
}

static dedpul_status read_result(const dedpul_result *result, struct evaluated_estimate *estimate,
                                 dedpul_error *error)
{
    *estimate = (struct evaluated_estimate){.method = estimator_find(result->method, error),
                                            .alpha = result->alpha,
                                            .n_positive = result->n_positive,
                                            .n_unlabeled = result->n_unlabeled};
    if (estimate->method == NULL)
        return DEDPUL_INVALID_ARGUMENT;
    if (result->n_quantiles != 0 && result->n_quantiles != N_QUANTILES)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the result has %zu quantiles of alpha instead of %d", result->n_quantiles,
                         N_QUANTILES);
    return check_estimate(estimate, error);
}

static dedpul_status check_rows(const dedpul_result *result, const dedpul_sample *rows,
                                const unsigned char *label, dedpul_error *error)
{
    size_t unlabeled = 0;
    TRY(check_labels(rows->n, label, error));
    for (size_t i = 0; i < rows->n; i++)
        unlabeled += label[i] == 0;
    if (unlabeled != result->n_unlabeled || rows->n - unlabeled != result->n_positive)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "there are %zu labeled and %zu unlabeled rows, but the result is about %zu and %zu",
                         rows->n - unlabeled, unlabeled, result->n_positive, result->n_unlabeled);
    return check_weights("", rows->n, rows->weight, error);
}

/* Copies the classes of the unlabeled rows. */
static dedpul_status read_truth(struct context *context, size_t n, const unsigned char *label,
                                const unsigned char *truth, const unsigned char **of_unlabeled)
{
    unsigned char *copy = context_allocate(context, n, sizeof *copy);
    size_t known[2] = {0, 0}, k = 0;
    if (copy == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        if (truth[i] > TRUTH_UNKNOWN)
            return error_set(context->error, DEDPUL_INVALID_DATA, "truth[%zu] is %d: it must be 1, 0 or %d",
                             i, truth[i], TRUTH_UNKNOWN);
        if (label[i] != 0)
            continue;
        if (truth[i] != TRUTH_UNKNOWN)
            known[truth[i]]++;
        copy[k++] = truth[i];
    }
    if (known[0] + known[1] == 0)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "no class of an unlabeled row is known: there is nothing to check the estimates by");
    if (known[0] == 0 || known[1] == 0)
        return error_set(
            context->error, DEDPUL_INVALID_DATA,
            "the %zu unlabeled rows whose class is known are all %s: it takes rows of both classes "
            "to check the estimates",
            known[0] + known[1], known[0] == 0 ? "positive" : "negative");
    *of_unlabeled = copy;
    return DEDPUL_OK;
}

static struct alpha_quantiles read_quantiles(const dedpul_result *result)
{
    struct alpha_quantiles quantiles = {{0}};
    for (size_t k = 0; k < result->n_quantiles; k++)
        quantiles.logit[k] = logit_of(result->quantiles[k]);
    return quantiles;
}

static dedpul_status evaluate_result(struct evaluating *call, const struct evaluated_estimate *estimate,
                                     const dedpul_result *result, const dedpul_sample *rows,
                                     const unsigned char *label, const unsigned char *truth)
{
    struct context *context = &call->context;
    const struct scored_rows scored = {.n = rows->n, .score = rows->score, .weight = rows->weight};
    const struct score_input input = {scored, scored, label, NULL};
    const struct alpha_quantiles quantiles = read_quantiles(result);
    const bool is_given = result->rule == DEDPUL_RULE_GIVEN, has_quantiles = result->n_quantiles > 0;
    struct evaluation_input evaluated = {
        .rows = &input,
        .values = {.ratio = result->ratio, .posterior = result->posterior},
        .belief = {.alpha = result->alpha, .quantiles = has_quantiles && !is_given ? &quantiles : NULL},
    };
    TRY(result_scales(result, &evaluated.belief.scales, context->error));
    if (truth != NULL)
        TRY(read_truth(context, rows->n, label, truth, &evaluated.values.truth));
    warn_if_certain(call, estimate->method, has_quantiles, is_given);
    return evaluate(context, &evaluated, &call->plan, &call->view->memory, &call->view->evaluation);
}

dedpul_status dedpul_evaluate(const dedpul_result *result, const dedpul_sample *rows,
                              const unsigned char *label, const unsigned char *truth,
                              const dedpul_evaluate_options *given, dedpul_evaluation **public,
                              dedpul_error *error)
{
    struct evaluated_estimate estimate;
    struct evaluating call;
    if (result == NULL || result->method == NULL || rows == NULL || rows->score == NULL || label == NULL ||
        public == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "result, rows, their scores, label and evaluation must not be NULL");
    TRY(read_result(result, &estimate, error));
    TRY(check_rows(result, rows, label, error));
    TRY(evaluating_begin(&call, given, error));
    return evaluating_end(&call, evaluate_result(&call, &estimate, result, rows, label, truth), &estimate,
                          public);
}

/* ---- models ---- */

dedpul_status dedpul_model_evaluate(const dedpul_model *model, const dedpul_evaluate_options *given,
                                    dedpul_evaluation **public, dedpul_error *error)
{
    struct evaluating call;
    if (model == NULL || public == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "model and evaluation must not be NULL");
    const struct model *fitted = &model->model;
    const struct proportion *proportion = &fitted->solution.proportion;
    const struct evaluated_estimate estimate = {fitted->method, proportion->alpha, fitted->n_positive,
                                                fitted->n_unlabeled};
    TRY(model_check_kept(fitted, "fit it again, or evaluate it on rows that it has not seen", error));
    TRY(check_estimate(&estimate, error));
    TRY(evaluating_begin(&call, given, error));
    warn_if_certain(&call, fitted->method, fitted->solution.has_quantiles, proportion->rule == RULE_GIVEN);
    return evaluating_end(
        &call,
        model_evaluate(&call.context, fitted, NAN, &call.plan, &call.view->memory, &call.view->evaluation),
        &estimate, public);
}

dedpul_status dedpul_model_set_threshold(dedpul_model *model, const dedpul_evaluation *evaluation,
                                         dedpul_error *error)
{
    if (model == NULL || evaluation == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "model and evaluation must not be NULL");
    model->model.threshold = (struct model_threshold){
        .is_set = true,
        .request = {(enum cut_rule)evaluation->goal, evaluation->goal_value},
        .score = evaluation->threshold->score,
    };
    model_describe_threshold(model);
    return DEDPUL_OK;
}
