/* Scores and posteriors of new rows. */
#include "predict_rows.h"

#include "handle.h"
#include "models.h"
#include "sized.h"
#include "tables.h"

#include <math.h>
#include <string.h>

void dedpul_predict_options_init_sized(dedpul_predict_options *options, size_t size)
{
    const dedpul_predict_options standard = {.size = sizeof standard};
    sized_write(&standard, sizeof standard, options, size);
}

static dedpul_status read_options(const dedpul_model *model, const dedpul_predict_options *given,
                                  dedpul_predict_options *options, dedpul_error *error)
{
    *options = (dedpul_predict_options){.size = sizeof *options};
    if (given != NULL)
        TRY(sized_read("options", given, SIZE_UP_TO(dedpul_predict_options, progress_context),
                       sizeof *options, options, error));
    if (model->only_described)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the model is only a description; load it with dedpul_model_load to predict");
    if (options->pn && model->model.pn.scorer.n_parts == 0)
        return error_set(
            error, DEDPUL_INVALID_ARGUMENT,
            "the model has no classifier of positives against negatives; fit it with --pn (there is "
            "none either if the fit found no negatives)");
    return DEDPUL_OK;
}

/* ---- a call ---- */

/* The public prediction, and the data that it shows. */
struct prediction_handle {
    dedpul_prediction public; /* first: a dedpul_prediction * is a struct prediction_handle * */
    struct arena memory;      /* holds all below */
    struct prediction found;
    dedpul_drift *drift;          /* (n_columns) room for them */
    const dedpul_drift **drifted; /* (n_columns) */
};

/* A call while it runs. At the end its prediction is handed out or freed. */
struct call {
    struct arena arena;
    struct context context;
    struct prediction_handle *shown; /* NULL: there is no memory for it */
};

/* Makes all that is handed out at the end, since files must not be written by a call that fails. */
static dedpul_status make_handle(const struct model *model, struct call *call)
{
    const size_t n = model->encoding.n_columns;
    struct prediction_handle *shown =
        handle_allocate(&model->memory.allocator, sizeof *shown, call->context.error);
    if (shown == NULL)
        return DEDPUL_NO_MEMORY;
    arena_init(&shown->memory, &model->memory.allocator);
    call->shown = shown;
    shown->drift = context_allocate_in(&call->context, &shown->memory, n, sizeof *shown->drift);
    shown->drifted = context_allocate_in(&call->context, &shown->memory, n, sizeof(dedpul_drift *));
    return shown->drift != NULL && shown->drifted != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

static dedpul_status call_begin(const dedpul_model *model, const dedpul_predict_options *options,
                                dedpul_error *error, struct call *call)
{
    arena_init(&call->arena, &model->model.memory.allocator);
    call->context = context_of(&call->arena, NULL, error);
    call->context.progress = options->progress;
    call->context.progress_context = options->progress_context;
    call->context.threads = threads_or_default(options->threads);
    call->shown = NULL;
    return make_handle(&model->model, call);
}

static dedpul_drift show_drift(const struct drift *drift)
{
    return (dedpul_drift){
        .column = drift->column,
        .change = drift->change,
        .share_before = drift->share.before,
        .share = drift->share.now,
        .missing_before = drift->missing.before,
        .missing = drift->missing.now,
        .out_of_range = drift->out_of_range,
        .unseen = drift->unseen,
        .mean_before = drift->mean.before,
        .mean = drift->mean.now,
        .distance = drift->distance,
        .chance = drift->chance,
    };
}

static void show(struct prediction_handle *shown)
{
    const struct prediction *found = &shown->found;
    for (size_t i = 0; i < found->drift.n; i++) {
        shown->drift[i] = show_drift(&found->drift.column[i]);
        shown->drifted[i] = &shown->drift[i];
    }
    shown->public = (dedpul_prediction){
        .size = sizeof shown->public,
        .rows = found->rows,
        .mean_posterior = found->rows > 0 ? found->sum / (double)found->rows : NAN,
        .unseen = found->unseen,
        .unseen_column = found->unseen_column,
        .n_compared = found->drift.n_compared,
        .n_drifted = found->drift.n,
        .drifted = shown->drifted,
    };
}

void dedpul_prediction_free(dedpul_prediction *public)
{
    struct prediction_handle *shown = (struct prediction_handle *)public;
    if (shown == NULL)
        return;
    const dedpul_allocator allocator = shown->memory.allocator;
    arena_free(&shown->memory);
    handle_free(allocator, shown);
}

static dedpul_status call_end(struct call *call, dedpul_status status, dedpul_prediction **public)
{
    arena_free(&call->arena);
    if (status == DEDPUL_OK && public != NULL) {
        show(call->shown);
        *public = &call->shown->public;
    } else if (call->shown != NULL) {
        dedpul_prediction_free(&call->shown->public);
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
static dedpul_status predict_all(struct context *context, const struct model *model, bool by_pn,
                                 const struct matrix *rows, double *score, double *posterior,
                                 struct prediction_handle *shown)
{
    double *found_score = context_allocate(context, rows->n, sizeof *found_score);
    double *found_posterior = context_allocate(context, rows->n, sizeof *found_posterior);
    if (found_score == NULL || found_posterior == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(predict_matrix(context, model, by_pn, rows, found_score, found_posterior, &shown->memory,
                       &shown->found));
    if (score != NULL && rows->n > 0)
        memcpy(score, found_score, rows->n * sizeof *score);
    if (posterior != NULL && rows->n > 0)
        memcpy(posterior, found_posterior, rows->n * sizeof *posterior);
    return DEDPUL_OK;
}

dedpul_status dedpul_model_predict(const dedpul_model *model, const dedpul_matrix *rows,
                                   const dedpul_predict_options *given, double *score, double *posterior,
                                   dedpul_prediction **prediction, dedpul_error *error)
{
    dedpul_predict_options options;
    struct call call;
    if (model == NULL || rows == NULL || (rows->n > 0 && !matrix_is_valid(rows)))
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "model and rows must not be NULL, and one of the matrix's arrays must be given");
    TRY(check_matrix(model, rows, error));
    TRY(read_options(model, given, &options, error));
    const struct matrix matrix = matrix_of(rows);
    dedpul_status status = call_begin(model, &options, error, &call);
    if (status == DEDPUL_OK)
        status =
            predict_all(&call.context, &model->model, options.pn != 0, &matrix, score, posterior, call.shown);
    return call_end(&call, status, prediction);
}

/* ---- files ---- */

dedpul_status dedpul_model_predict_file(const dedpul_model *model, const char *path,
                                        const dedpul_predict_options *given, const char *out,
                                        dedpul_prediction **prediction, dedpul_error *error)
{
    dedpul_predict_options options;
    struct call call;
    if (model == NULL || path == NULL || out == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "model, path and out must not be NULL");
    TRY(read_options(model, given, &options, error));
    dedpul_status status = call_begin(model, &options, error, &call);
    if (status == DEDPUL_OK)
        status = predict_file(&call.context, &model->model, options.pn != 0, path, out, &call.shown->memory,
                              &call.shown->found);
    return call_end(&call, status, prediction);
}
