/* From scores to alpha and posteriors. */
#include "arrays.h"
#include "resolve.h"
#include "result.h"

#include <float.h>

/* `owner` is what messages put before the names of the arrays: "positive." or "". */
static dedpul_status check_rows(const dedpul_sample *rows, const char *owner, dedpul_error *error)
{
    if (rows->score == NULL && rows->n > 0)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "%sscore must not be NULL", owner);
    if (rows->n > UINT32_MAX)
        return error_set(error, DEDPUL_INVALID_DATA, "%zu rows: at most %lu are supported", rows->n,
                         (unsigned long)UINT32_MAX);
    for (size_t i = 0; i < rows->n; i++)
        if (!(rows->score[i] >= 0 && rows->score[i] <= 1))
            return error_set(error, DEDPUL_INVALID_DATA, "%sscore[%zu] is %g: scores must lie in [0, 1]",
                             owner, i, rows->score[i]);
    return check_weights(owner, rows->n, rows->weight, error);
}

/* An empty array may be NULL. Inside the library that would mean logits, so it is replaced. */
static struct scored_rows scored(const dedpul_sample *rows)
{
    static const double none;
    return (struct scored_rows){
        .n = rows->n, .score = rows->n > 0 ? rows->score : &none, .weight = rows->weight};
}

/* The squares of the options belong to rows with labels. */
static dedpul_status add_squares(const dedpul_options *options, struct score_input *input,
                                 dedpul_error *error)
{
    const double *squares = input->label != NULL ? options->squares : NULL;
    for (size_t i = 0; squares != NULL && i < input->positive.n; i++)
        if (!(squares[i] >= 0 && squares[i] <= DBL_MAX))
            return error_set(error, DEDPUL_INVALID_DATA,
                             "squares[%zu] is %g: sums of squares of weights are finite and not negative", i,
                             squares[i]);
    input->positive.square = input->unlabeled.square = squares;
    return DEDPUL_OK;
}

static dedpul_status run(struct score_input *input, const dedpul_options *given, dedpul_result **public,
                         dedpul_error *error)
{
    struct resolved resolved;
    struct call call;
    TRY(options_resolve(given, &resolved, error));
    TRY(add_squares(&resolved.options, input, error));
    const struct estimate_plan *plan = &resolved.plan.estimate;
    if (plan->method->needs_features)
        return error_set(
            error, DEDPUL_INVALID_ARGUMENT,
            "method %s looks at the features of the rows, not at scores alone: use it with a table "
            "('dedpul fit', 'dedpul compare')",
            plan->method->name);
    struct result *result = result_create(resolved.options.allocator, error);
    if (result == NULL)
        return DEDPUL_NO_MEMORY;
    call_begin(&call, &resolved.options, error);
    const dedpul_status status = estimate(&call.context, input, plan, &result->memory, &result->estimate);
    call_end(&call);
    if (status != DEDPUL_OK) {
        dedpul_result_free(&result->public);
        return status;
    }
    result_show(result, plan->method, &call.warnings);
    *public = &result->public;
    return DEDPUL_OK;
}

dedpul_status dedpul_estimate_two(const dedpul_sample *positive, const dedpul_sample *unlabeled,
                                  const dedpul_options *options, dedpul_result **result, dedpul_error *error)
{
    if (positive == NULL || unlabeled == NULL || result == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "positive, unlabeled and result must not be NULL");
    TRY(check_rows(positive, "positive.", error));
    TRY(check_rows(unlabeled, "unlabeled.", error));
    struct score_input input = {scored(positive), scored(unlabeled), NULL, NULL};
    return run(&input, options, result, error);
}

dedpul_status dedpul_estimate(const dedpul_sample *rows, const unsigned char *label,
                              const dedpul_options *options, dedpul_result **result, dedpul_error *error)
{
    if (rows == NULL || result == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "rows and result must not be NULL");
    if (label == NULL && rows->n > 0)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "label must not be NULL");
    TRY(check_rows(rows, "", error));
    TRY(check_labels(rows->n, label, error));
    struct score_input input = {scored(rows), scored(rows), label, NULL};
    return run(&input, options, result, error);
}
