/* A model whose estimate is made again. */
#include "model_estimate.h"

#include "logistic.h"
#include "models.h"
#include "resolve.h"
#include "result.h"

#include <float.h>
#include <math.h>

/* A model's scores of 0 and 1 are rounded, so their logits are finite. */
static double finite_logit(double score)
{
    return logit_of(fmin(fmax(score, DBL_MIN), 1 - DBL_EPSILON / 2));
}

static dedpul_status set_estimate(struct context *context, const struct estimator *method,
                                  const struct estimate *estimate, const dedpul_sample *rows,
                                  const unsigned char *label, dedpul_model *public)
{
    struct model *model = &public->model;
    double *logit = context_allocate(context, rows->n, sizeof *logit);
    if (logit == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < rows->n; i++)
        logit[i] = finite_logit(rows->score[i]);
    const struct estimated_rows scored = {rows->n, logit, rows->weight, label};
    TRY(model_set_estimate(context, method, estimate, &scored, model));
    model->n_positive = (size_t)llround(estimate->weight_positive);
    model->n_unlabeled = (size_t)llround(estimate->weight_unlabeled);
    model->threshold = (struct model_threshold){.is_set = false};
    if (model->pn.scorer.n_parts > 0)
        model->pn.shift = share_logit(estimate->solution.proportion.alpha);
    return model_describe(context, public);
}

/* What a failure has put into the model's memory stays there until the model is freed. */
static void restore(const dedpul_model *before, dedpul_model *model)
{
    const struct arena memory = model->model.memory;
    *model = *before;
    model->model.memory = memory;
}

dedpul_status dedpul_model_estimate(dedpul_model *model, const dedpul_sample *rows,
                                    const unsigned char *label, const dedpul_options *given,
                                    dedpul_result **public, dedpul_error *error)
{
    struct resolved resolved;
    struct call call;
    dedpul_result *made;
    if (model == NULL || public == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "model and result must not be NULL");
    TRY(model_check_complete(model, error));
    if (model->model.kinds.n > 0)
        return error_set(
            error, DEDPUL_INVALID_ARGUMENT,
            "the model has kinds of positives, whose shares do not follow from scores: fit it again");
    TRY(options_resolve(given, &resolved, error));
    TRY(dedpul_estimate(rows, label, given, &made, error));
    const dedpul_model before = *model;
    call_begin(&call, &resolved.options, error);
    const dedpul_status status = set_estimate(&call.context, resolved.plan.estimate.method,
                                              &((struct result *)made)->estimate, rows, label, model);
    call_end(&call);
    if (status != DEDPUL_OK) {
        dedpul_result_free(made);
        restore(&before, model);
        return status;
    }
    *public = made;
    return DEDPUL_OK;
}
