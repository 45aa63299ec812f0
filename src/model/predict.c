/* Scores and posteriors of new rows. */
#include "c_locale.h"
#include "input.h"
#include "interpolate.h"
#include "output_file.h"
#include "train.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows that are read, encoded and scored at a time. */
enum { PIECE = 8192 };

void dedpul_predict_options_init(dedpul_predict_options *options)
{
    *options = (dedpul_predict_options){.pn = 0};
}

struct prediction {
    const dedpul_model *model;
    dedpul_predict_options options;
    size_t rows;
    double sum; /* of posteriors */
    size_t unseen;
    const char *unseen_column;
};

static dedpul_status predict_piece(struct context *context, struct prediction *prediction,
                                   const struct table *table, double *score, double *posterior)
{
    struct block *mark = context_mark(context);
    const dedpul_model *model = prediction->model;
    const size_t n = table->n_rows;
    float *x = context_allocate(context, n, model->encoding.width * sizeof *x);
    double *logit = context_allocate(context, n, sizeof *logit);
    if (x == NULL || logit == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(encoding_apply(context, &model->encoding, table, x));
    const bool by_pn = prediction->options.pn || method_trains(model->info.method);
    TRY(scorer_score(context, by_pn ? &model->pn : &model->ntc, n, x, logit));
    for (size_t i = 0; i < n; i++) {
        score[i] = sigmoid(logit[i]);
        if (by_pn)
            posterior[i] = sigmoid(logit[i] + model->pn_shift);
        else
            posterior[i] = fmin(model->info.scale * interpolate(model->curve.n, model->curve.logit,
                                                                model->curve.ratio, logit[i]),
                                1);
        prediction->sum += posterior[i];
    }
    prediction->rows += n;
    context_release(context, mark);
    return DEDPUL_OK;
}

static dedpul_status start(struct context *context, const dedpul_model *model,
                           const dedpul_predict_options *options, struct prediction *prediction,
                           dedpul_error *error)
{
    *prediction = (struct prediction){.model = model};
    if (options != NULL)
        prediction->options = *options;
    if (prediction->options.pn && model->pn.n_parts == 0)
        return error_set(
            error, DEDPUL_INVALID_ARGUMENT,
            "the model has no classifier of positives against negatives; fit it with --pn (there is "
            "none either where the fit found no negatives)");
    context_init(context, &model->memory.allocator, error);
    context->threads = threads_or_default(prediction->options.threads);
    return DEDPUL_OK;
}

static dedpul_status report(struct context *context, const struct prediction *prediction)
{
    const dedpul_progress progress = {"predict", prediction->rows, 0, NAN, 0};
    return context_report(context, prediction->options.progress, prediction->options.progress_context,
                          &progress);
}

/* ---- matrices ---- */

static dedpul_status predict_matrix(struct context *context, struct prediction *prediction,
                                    const dedpul_matrix *rows, double *score, double *posterior)
{
    /* Outputs are written only when all is well. */
    double *found[2] = {context_allocate(context, rows->n, sizeof **found),
                        context_allocate(context, rows->n, sizeof **found)};
    if (found[0] == NULL || found[1] == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t first = 0; first < rows->n; first += PIECE) {
        struct block *mark = context_mark(context);
        const size_t n = rows->n - first < PIECE ? rows->n - first : PIECE;
        struct table table;
        TRY(table_of_matrix(context, rows, first, n, &table));
        TRY(predict_piece(context, prediction, &table, found[0] + first, found[1] + first));
        context_release(context, mark);
        TRY(report(context, prediction));
    }
    if (score != NULL && rows->n > 0)
        memcpy(score, found[0], rows->n * sizeof *score);
    if (posterior != NULL && rows->n > 0)
        memcpy(posterior, found[1], rows->n * sizeof *posterior);
    return DEDPUL_OK;
}

dedpul_status dedpul_model_predict(const dedpul_model *model, const dedpul_matrix *rows,
                                   const dedpul_predict_options *options, double *score, double *posterior,
                                   dedpul_error *error)
{
    struct context context;
    struct prediction prediction;
    if (model == NULL || rows == NULL || (rows->n > 0 && (rows->f64 == NULL) == (rows->f32 == NULL)))
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "model and rows must not be NULL, and one of the matrix's arrays must be given");
    if (rows->width != model->encoding.n_columns)
        return error_set(error, DEDPUL_INVALID_DATA, "the matrix has %zu columns, but the model %zu",
                         rows->width, model->encoding.n_columns);
    for (size_t c = 0; c < model->encoding.n_columns; c++)
        if (model->encoding.column[c].schema.kind == COLUMN_TEXT)
            return error_set(error, DEDPUL_INVALID_DATA,
                             "the model's column '%s' holds text, which a matrix cannot; use "
                             "dedpul_model_predict_file",
                             model->encoding.column[c].schema.name);
    TRY(start(&context, model, options, &prediction, error));
    const dedpul_status status = predict_matrix(&context, &prediction, rows, score, posterior);
    context_free(&context);
    return status;
}

/* ---- files ---- */

static void count_unseen(struct prediction *prediction, const struct table *table)
{
    for (size_t c = 0; c < table->n_columns; c++)
        for (size_t i = 0; table->column[c].code != NULL && i < table->n_rows; i++)
            if (table->column[c].code[i] == LEVEL_UNSEEN) {
                if (prediction->unseen++ == 0)
                    prediction->unseen_column = prediction->model->encoding.column[c].schema.name;
            }
}

/* A column that was dropped need not be there; but where columns are told apart by number, all must. */
static bool is_wanted(const struct encoding *encoding, size_t column)
{
    return encoding->n_numbered > 0 || encoding->column[column].width > 0;
}

/* The columns that were read, at their places in the encoding. */
static void place_columns(const struct encoding *encoding, const struct table *read, struct table *table)
{
    size_t next = 0;
    table->n_rows = read->n_rows;
    for (size_t c = 0; c < encoding->n_columns; c++)
        table->column[c] = is_wanted(encoding, c) ? read->column[next++] : (struct column){.number = NULL};
}

static dedpul_status predict_rows(struct context *context, struct prediction *prediction,
                                  struct table_reader *reader, FILE *out)
{
    const struct encoding *encoding = &prediction->model->encoding;
    struct table table = {.n_columns = encoding->n_columns};
    table.column = context_allocate(context, encoding->n_columns, sizeof *table.column);
    double *score = context_allocate(context, PIECE, sizeof *score);
    double *posterior = context_allocate(context, PIECE, sizeof *posterior);
    if (table.column == NULL || score == NULL || posterior == NULL)
        return DEDPUL_NO_MEMORY;
    (void)fputs("row,score,posterior\n", out);
    for (;;) {
        struct table *read;
        const size_t before = prediction->rows;
        TRY(table_reader_next(reader, PIECE, &read));
        if (read->n_rows == 0)
            return DEDPUL_OK;
        place_columns(encoding, read, &table);
        count_unseen(prediction, &table);
        TRY(predict_piece(context, prediction, &table, score, posterior));
        const struct c_locale locale = c_locale_begin();
        for (size_t i = 0; i < table.n_rows; i++)
            (void)fprintf(out, "%zu,%.9g,%.9g\n", before + i + 1, score[i], posterior[i]);
        c_locale_end(&locale);
        TRY(report(context, prediction));
    }
}

static dedpul_status predict_stream(struct context *context, struct prediction *prediction,
                                    struct stream *stream, FILE *out)
{
    const struct encoding *encoding = &prediction->model->encoding;
    struct column_schema *schema = context_allocate(context, encoding->n_columns, sizeof *schema);
    struct table_reader *reader;
    if (schema == NULL)
        return DEDPUL_NO_MEMORY;
    size_t n_wanted = 0;
    for (size_t c = 0; c < encoding->n_columns; c++)
        if (is_wanted(encoding, c))
            schema[n_wanted++] = encoding->column[c].schema;
    const struct table_request request = {
        .n_schema = n_wanted,
        .schema = schema,
        .n_numbered = encoding->n_numbered,
        .image = prediction->model->image,
    };
    TRY(table_reader_open(stream, &request, &context->allocator, context->error, &reader));
    const dedpul_status status = predict_rows(context, prediction, reader, out);
    table_reader_free(reader);
    return status;
}

static dedpul_status predict_to_file(struct context *context, struct prediction *prediction,
                                     struct stream *stream, const char *path, struct output_file *file)
{
    if (strcmp(path, "-") == 0) {
        TRY(predict_stream(context, prediction, stream, stdout));
        if (fflush(stdout) != 0 || ferror(stdout))
            return error_set(context->error, DEDPUL_IO, "cannot write to standard output");
        return DEDPUL_OK;
    }
    TRY(output_file_open(file, path, context->error));
    TRY(predict_stream(context, prediction, stream, file->stream));
    TRY(output_file_close(file, context->error));
    return output_file_commit(file, context->error);
}

dedpul_status dedpul_model_predict_file(const dedpul_model *model, const char *path,
                                        const dedpul_predict_options *options, const char *out,
                                        dedpul_prediction *result, dedpul_error *error)
{
    struct output_file file = OUTPUT_FILE_NONE;
    struct context context;
    struct prediction prediction;
    struct stream stream;
    if (model == NULL || path == NULL || out == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "model, path and out must not be NULL");
    TRY(start(&context, model, options, &prediction, error));
    dedpul_status status = stream_open(&stream, path, error);
    if (status == DEDPUL_OK) {
        status = predict_to_file(&context, &prediction, &stream, out, &file);
        stream_close(&stream);
    }
    output_file_discard(&file);
    context_free(&context);
    if (status == DEDPUL_OK && result != NULL)
        *result = (dedpul_prediction){prediction.rows,
                                      prediction.rows > 0 ? prediction.sum / (double)prediction.rows : NAN,
                                      prediction.unseen, prediction.unseen_column};
    return status;
}
