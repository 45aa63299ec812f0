/* Scores and posteriors of new rows. */
#include "predict_rows.h"

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
    TRY(model_check_complete(model, error));
    if (options->pn && model->model.pn.scorer.n_parts == 0)
        return error_set(
            error, DEDPUL_INVALID_ARGUMENT,
            "the model has no classifier of positives against negatives; fit it with --pn (there is "
            "none either if the fit found no negatives)");
    return DEDPUL_OK;
}

static struct context context_for(const dedpul_predict_options *options, struct arena *arena,
                                  dedpul_error *error)
{
    struct context context = context_of(arena, NULL, error);
    context.progress = options->progress;
    context.progress_context = options->progress_context;
    context.threads = threads_or_default(options->threads);
    return context;
}

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
                                 const struct matrix *rows, double *score, double *posterior)
{
    double *found_score = context_allocate(context, rows->n, sizeof *found_score);
    double *found_posterior = context_allocate(context, rows->n, sizeof *found_posterior);
    if (found_score == NULL || found_posterior == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(predict_matrix(context, model, by_pn, rows, found_score, found_posterior));
    if (score != NULL && rows->n > 0)
        memcpy(score, found_score, rows->n * sizeof *score);
    if (posterior != NULL && rows->n > 0)
        memcpy(posterior, found_posterior, rows->n * sizeof *posterior);
    return DEDPUL_OK;
}

dedpul_status dedpul_model_predict(const dedpul_model *model, const dedpul_matrix *rows,
                                   const dedpul_predict_options *given, double *score, double *posterior,
                                   dedpul_error *error)
{
    struct arena arena;
    dedpul_predict_options options;
    if (model == NULL || rows == NULL || (rows->n > 0 && !matrix_is_valid(rows)))
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "model and rows must not be NULL, and one of the matrix's arrays must be given");
    TRY(check_matrix(model, rows, error));
    TRY(read_options(model, given, &options, error));
    arena_init(&arena, &model->model.memory.allocator);
    struct context context = context_for(&options, &arena, error);
    const struct matrix matrix = matrix_of(rows);
    const dedpul_status status =
        predict_all(&context, &model->model, options.pn != 0, &matrix, score, posterior);
    arena_free(&arena);
    return status;
}

static void show(const struct prediction *found, dedpul_prediction *result)
{
    const dedpul_prediction prediction = {
        .size = sizeof prediction,
        .rows = found->rows,
        .mean_posterior = found->rows > 0 ? found->sum / (double)found->rows : NAN,
        .unseen = found->unseen,
        .unseen_column = found->unseen_column,
    };
    sized_write(&prediction, sizeof prediction, result, result->size);
}

dedpul_status dedpul_model_predict_file(const dedpul_model *model, const char *path,
                                        const dedpul_predict_options *given, const char *out,
                                        dedpul_prediction *result, dedpul_error *error)
{
    struct arena arena;
    dedpul_predict_options options;
    struct prediction found;
    dedpul_prediction known;
    if (model == NULL || path == NULL || out == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "model, path and out must not be NULL");
    TRY(read_options(model, given, &options, error));
    if (result != NULL)
        TRY(sized_read("prediction", result, SIZE_UP_TO(dedpul_prediction, unseen_column), sizeof known,
                       &known, error));
    arena_init(&arena, &model->model.memory.allocator);
    struct context context = context_for(&options, &arena, error);
    const dedpul_status status = predict_file(&context, &model->model, options.pn != 0, path, out, &found);
    arena_free(&arena);
    if (status == DEDPUL_OK && result != NULL)
        show(&found, result);
    return status;
}
