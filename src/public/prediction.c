/* Scores and posteriors of new rows. */
#include "predict_rows.h"

#include "columns.h"
#include "evaluate_options.h"
#include "models.h"
#include "number.h"
#include "prediction_view.h"
#include "resolve.h"
#include "sized.h"
#include "tables.h"

#include <math.h>
#include <string.h>

/* ---- options ---- */

static dedpul_predict_options options_default(void)
{
    return (dedpul_predict_options){.size = sizeof(dedpul_predict_options), .alpha = NAN};
}

void dedpul_predict_options_init_sized(dedpul_predict_options *options, size_t size)
{
    const dedpul_predict_options standard = options_default();
    sized_write(&standard, sizeof standard, options, size);
}

dedpul_status dedpul_predict_options_set_alpha(dedpul_predict_options *options, const char *value,
                                               dedpul_error *error)
{
    static const char of_rows[] = "auto";
    dedpul_predict_options own = options_default();
    char quoted[QUOTE_SIZE];
    if (options == NULL || value == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "options and value must not be NULL");
    TRY(sized_read("options", options, sizeof own, sizeof own, &own, error));
    own.alpha_auto = strcmp(value, of_rows) == 0;
    own.alpha = NAN;
    if (!own.alpha_auto &&
        (!parse_double(value, strlen(value), &own.alpha) || !(own.alpha > 0 && own.alpha < 1)))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "alpha: %s is not %s or a share between 0 and 1",
                         quote_text(quoted, value, strlen(value)), of_rows);
    sized_write(&own, sizeof own, options, options->size);
    return DEDPUL_OK;
}

/* Checks what a share among new rows needs. */
static dedpul_status check_share(const struct model *model, const dedpul_predict_options *options,
                                 dedpul_error *error)
{
    if (!isnan(options->alpha) && !(options->alpha > 0 && options->alpha < 1))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "alpha: %g is not between 0 and 1", options->alpha);
    if (!options->alpha_auto)
        return DEDPUL_OK;
    if (!isnan(options->alpha))
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "alpha is given, so it cannot be estimated, too");
    if (predicts_by_pn(model, options->pn != 0))
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the fit kept no scores of its networks of positives against negatives, so the "
                         "share of positives among new rows cannot be estimated from theirs: give it "
                         "(--alpha X)");
    return model_check_kept(model, "fit it again, or give the share of positives among new rows (--alpha X)",
                            error);
}

static dedpul_status check_folds(const struct model *model, const dedpul_predict_options *options,
                                 dedpul_error *error)
{
    for (size_t k = 0; options->folds > 0 && k < model->ntc.n_parts; k++)
        if (model->ntc.part[k].n_members % options->folds != 0)
            return error_set(error, DEDPUL_INVALID_ARGUMENT,
                             "folds: the model was not fitted with %u of them", options->folds);
    return options->folds > 0 && (predicts_by_pn(model, options->pn != 0) || model->kinds.n > 0)
               ? error_set(error, DEDPUL_INVALID_ARGUMENT,
                           "folds: only scores of labeled against unlabeled rows, without kinds, can be like "
                           "those of the fit")
               : DEDPUL_OK;
}

/* The options of a call, and the plan that follows from them. */
struct predict_call_options {
    dedpul_predict_options options;
    struct resolved defaults; /* of the estimate of the share */
    struct predict_plan plan;
};

static dedpul_status read_options(const dedpul_model *model, const dedpul_predict_options *given,
                                  struct predict_call_options *read, dedpul_error *error)
{
    dedpul_predict_options *options = &read->options;
    dedpul_evaluate_options goal;
    *options = options_default();
    if (given != NULL)
        TRY(sized_read("options", given, SIZE_UP_TO(dedpul_predict_options, progress_context),
                       sizeof *options, options, error));
    TRY(model_check_complete(model, error));
    if (options->pn && model->model.pn.scorer.n_parts == 0)
        return error_set(
            error, DEDPUL_INVALID_ARGUMENT,
            "the model has no classifier of positives against negatives; fit it with --pn (there is "
            "none either if the fit found no negatives)");
    TRY(check_share(&model->model, options, error));
    TRY(check_folds(&model->model, options, error));
    TRY(evaluate_options_read(options->threshold, &goal, error));
    TRY(options_resolve(NULL, &read->defaults, error));
    read->plan = (struct predict_plan){
        .by_pn = options->pn != 0,
        .share_rule = options->alpha_auto      ? SHARE_OF_ROWS
                      : !isnan(options->alpha) ? SHARE_GIVEN
                                               : SHARE_OF_FIT,
        .share = options->alpha,
        .estimate = &read->defaults.plan.estimate,
        .folds = options->folds,
        .has_request = options->threshold != NULL,
        .request = evaluate_options_request(&goal),
    };
    return DEDPUL_OK;
}

/* ---- a call ---- */

/* A call while it runs. At the end its prediction is handed out or freed. */
struct predicting {
    struct arena arena;
    struct warnings warnings;
    struct context context;
    struct prediction_view *view; /* NULL: there is no memory for it */
};

static dedpul_status predicting_begin(const dedpul_model *model, const dedpul_predict_options *options,
                                      dedpul_error *error, struct predicting *call)
{
    *call = (struct predicting){.view = NULL};
    arena_init(&call->arena, &model->model.memory.allocator);
    call->context = context_of(&call->arena, &call->warnings, error);
    call->context.progress = options->progress;
    call->context.progress_context = options->progress_context;
    call->context.threads = threads_or_default(options->threads);
    call->view = prediction_view_create(&call->context, &model->model);
    return call->view != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

static dedpul_status predicting_end(struct predicting *call, dedpul_status status, dedpul_prediction **public)
{
    arena_free(&call->arena);
    if (status == DEDPUL_OK && public != NULL) {
        prediction_view_show(&call->warnings, call->view);
        *public = &call->view->public;
    } else if (call->view != NULL) {
        dedpul_prediction_free(&call->view->public);
    }
    return status;
}

/* ---- matrices ---- */

static dedpul_status check_matrix(const dedpul_model *model, const dedpul_matrix *rows, dedpul_error *error)
{
    const struct encoding *encoding = &model->model.encoding;
    if (rows->width != encoding->n_columns)
        return error_set(error, DEDPUL_INVALID_DATA, "the matrix has %zu columns, but the model %zu",
                         rows->width, encoding->n_columns);
    for (size_t c = 0; c < encoding->n_columns; c++) {
        const char *name = encoding->column[c].schema.name;
        char quoted[QUOTE_SIZE];
        if (encoding->column[c].schema.kind == COLUMN_TEXT)
            return error_set(error, DEDPUL_INVALID_DATA,
                             "the model's column %s holds text, which a matrix cannot; use "
                             "dedpul_model_predict_file",
                             quote_text(quoted, name, strlen(name)));
    }
    return DEDPUL_OK;
}

/* Predicts into temporary arrays and copies them at the end: a failure leaves the outputs as they were. */
static dedpul_status predict_all(struct predicting *call, const struct model *model,
                                 const struct predict_plan *plan, const struct matrix *rows, double *score,
                                 double *posterior)
{
    struct context *context = &call->context;
    struct prediction_view *view = call->view;
    const struct predicted found = {
        .score = context_allocate(context, rows->n, sizeof *score),
        .posterior = context_allocate(context, rows->n, sizeof *posterior),
        .kind_posterior =
            context_allocate_in(context, &view->memory, rows->n * model->kinds.n, sizeof *posterior),
    };
    if (found.score == NULL || found.posterior == NULL || found.kind_posterior == NULL)
        return DEDPUL_NO_MEMORY;
    view->rows.kind_posterior = found.kind_posterior;
    TRY(predict_matrix(context, model, plan, rows, found, &view->memory, &view->found));
    if (score != NULL && rows->n > 0)
        memcpy(score, found.score, rows->n * sizeof *score);
    if (posterior != NULL && rows->n > 0)
        memcpy(posterior, found.posterior, rows->n * sizeof *posterior);
    return DEDPUL_OK;
}

dedpul_status dedpul_model_predict(const dedpul_model *model, const dedpul_matrix *rows,
                                   const dedpul_predict_options *given, double *score, double *posterior,
                                   dedpul_prediction **prediction, dedpul_error *error)
{
    struct predict_call_options read;
    struct predicting call;
    if (model == NULL || rows == NULL || (rows->n > 0 && !matrix_is_valid(rows)))
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "model and rows must not be NULL, and one of the matrix's arrays must be given");
    TRY(check_matrix(model, rows, error));
    TRY(read_options(model, given, &read, error));
    const struct matrix matrix = matrix_of(rows);
    dedpul_status status = predicting_begin(model, &read.options, error, &call);
    if (status == DEDPUL_OK)
        status = predict_all(&call, &model->model, &read.plan, &matrix, score, posterior);
    return predicting_end(&call, status, prediction);
}

/* ---- files ---- */

dedpul_status dedpul_model_predict_file(const dedpul_model *model, const char *path,
                                        const dedpul_predict_options *given, const char *out,
                                        dedpul_prediction **prediction, dedpul_error *error)
{
    struct predict_call_options read;
    struct predicting call;
    if (model == NULL || path == NULL || out == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "model, path and out must not be NULL");
    TRY(read_options(model, given, &read, error));
    TRY(text_format_read(read.options.decimal, read.options.header, &read.plan.format, error));
    read.plan.id = read.options.id;
    dedpul_status status = predicting_begin(model, &read.options, error, &call);
    if (status == DEDPUL_OK)
        status = predict_file(&call.context, &model->model, &read.plan, path, out, &call.view->memory,
                              &call.view->found);
    return predicting_end(&call, status, prediction);
}

/* ---- streams of arrays ---- */

static dedpul_status predict_arrow(const dedpul_model *model, struct stream *rows,
                                   const dedpul_predict_options *given, dedpul_prediction **prediction,
                                   dedpul_error *error)
{
    struct predict_call_options read;
    struct predicting call;
    if (model == NULL || prediction == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "model and prediction must not be NULL");
    TRY(read_options(model, given, &read, error));
    TRY(text_format_read(read.options.decimal, read.options.header, &read.plan.format, error));
    dedpul_status status = predicting_begin(model, &read.options, error, &call);
    if (status == DEDPUL_OK)
        status = predict_arrays(&call.context, &model->model, &read.plan, rows, &call.view->memory,
                                &call.view->rows, &call.view->found);
    return predicting_end(&call, status, prediction);
}

dedpul_status dedpul_model_predict_arrow(const dedpul_model *model, struct ArrowArrayStream *rows,
                                         const dedpul_predict_options *options,
                                         dedpul_prediction **prediction, dedpul_error *error)
{
    struct stream stream;
    if (rows == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "rows must not be NULL");
    stream_open_arrow(&stream, ARROW_NAME, rows);
    const dedpul_status status = predict_arrow(model, &stream, options, prediction, error);
    stream_close(&stream);
    return status;
}
