#include "predict_rows.h"

#include "interpolate.h"
#include "logistic.h"
#include "model_rows.h"
#include "number.h"
#include "output_file.h"

#include <string.h>

/* The model, which of its classifiers to use, and what was counted so far. */
struct work {
    const struct model *model;
    bool by_pn;
    struct prediction prediction;
};

static struct work work_of(const struct model *model, bool by_pn)
{
    return (struct work){.model = model, .by_pn = by_pn || estimator_trains(model->method)};
}

/* The table is not needed any more when the work beside begins. */
static dedpul_status predict_piece(struct context *context, struct work *work, const struct table *table,
                                   const struct beside *beside, double *score, double *posterior)
{
    struct block *mark = context_mark(context);
    const struct model *model = work->model;
    const struct curve *curve = &model->curve;
    const size_t n = table->n_rows;
    float *x = context_allocate(context, n, model->encoding.width * sizeof *x);
    double *logit = context_allocate(context, n, sizeof *logit);
    if (x == NULL || logit == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(encoding_apply(context, &model->encoding, table, x));
    TRY(scorer_score(context, work->by_pn ? &model->pn.scorer : &model->ntc, n, x, beside, logit));
    for (size_t i = 0; i < n; i++) {
        score[i] = sigmoid(logit[i]);
        posterior[i] = work->by_pn
                           ? sigmoid(logit[i] + model->pn.shift)
                           : posterior_of(&model->solution.scales,
                                          interpolate(curve->n, curve->logit, curve->ratio, logit[i]));
        work->prediction.sum += posterior[i];
    }
    work->prediction.rows += n;
    context_release(context, mark);
    return DEDPUL_OK;
}

static dedpul_status report(struct context *context, const struct work *work)
{
    const dedpul_progress progress = {.stage = "predict", .step = work->prediction.rows, .loss = NAN};
    return context_report(context, &progress);
}

/* ---- matrices ---- */

dedpul_status predict_matrix(struct context *context, const struct model *model, bool by_pn,
                             const struct matrix *rows, double *score, double *posterior)
{
    struct work work = work_of(model, by_pn);
    for (size_t first = 0; first < rows->n; first += MODEL_ROWS_PIECE) {
        struct block *mark = context_mark(context);
        const size_t n = rows->n - first < MODEL_ROWS_PIECE ? rows->n - first : MODEL_ROWS_PIECE;
        struct table table;
        TRY(table_of_matrix(context, rows, first, n, context->arena, &table));
        TRY(predict_piece(context, &work, &table, NULL, score + first, posterior + first));
        context_release(context, mark);
        TRY(report(context, &work));
    }
    return DEDPUL_OK;
}

/* ---- files ---- */

static void count_unseen(struct work *work, const struct table *table)
{
    for (size_t c = 0; c < table->n_columns; c++)
        for (size_t i = 0; table->column[c].code != NULL && i < table->n_rows; i++)
            if (table->column[c].code[i] == LEVEL_UNSEEN) {
                if (work->prediction.unseen++ == 0)
                    work->prediction.unseen_column = work->model->encoding.column[c].schema.name;
            }
}

/* Writes a piece and checks the file, so that a full disk or a closed pipe ends the work at once. */
static dedpul_status write_piece(struct context *context, size_t n, size_t before, const double *score,
                                 const double *posterior, struct output_file *out)
{
    char of_score[NUMBER_SIZE], of_posterior[NUMBER_SIZE];
    for (size_t i = 0; i < n; i++)
        (void)fprintf(out->stream, "%zu,%s,%s\n", before + i + 1, format_share(of_score, score[i]),
                      format_share(of_posterior, posterior[i]));
    return output_file_check(out, context->error);
}

struct reading {
    struct model_rows *rows;
    dedpul_status status;
};

static void read_piece(void *argument)
{
    struct reading *reading = argument;
    reading->status = model_rows_next(reading->rows);
}

/*
 * The calling thread reads, because a signal to the program interrupts the wait for a pipe in this thread. An
 * error in the next rows counts after those before them are written.
 */
static dedpul_status predict_rows(struct context *context, struct work *work, struct model_rows *rows,
                                  struct output_file *out)
{
    double *score = context_allocate(context, MODEL_ROWS_PIECE, sizeof *score);
    double *posterior = context_allocate(context, MODEL_ROWS_PIECE, sizeof *posterior);
    if (score == NULL || posterior == NULL)
        return DEDPUL_NO_MEMORY;
    (void)fputs("row,score,posterior\n", out->stream);
    struct reading reading = {.rows = rows};
    const struct beside reading_on = {read_piece, &reading};
    for (read_piece(&reading);;) {
        const size_t before = work->prediction.rows, n = rows->table.n_rows;
        TRY(reading.status);
        if (n == 0)
            return DEDPUL_OK;
        count_unseen(work, &rows->table);
        TRY(predict_piece(context, work, &rows->table, &reading_on, score, posterior));
        TRY(write_piece(context, n, before, score, posterior, out));
        TRY(report(context, work));
    }
}

static dedpul_status predict_stream(struct context *context, struct work *work, struct stream *stream,
                                    struct output_file *out)
{
    const struct table_request wanted = {.label = NULL};
    struct model_rows rows;
    TRY(model_rows_open(context, work->model, stream, &wanted, &rows));
    const dedpul_status status = predict_rows(context, work, &rows, out);
    model_rows_close(&rows);
    return status;
}

static dedpul_status predict_to_file(struct context *context, struct work *work, struct stream *stream,
                                     const char *path, struct output_file *file)
{
    TRY(strcmp(path, "-") == 0 ? output_file_open_standard(file, context->error)
                               : output_file_open(file, path, context->error));
    TRY(predict_stream(context, work, stream, file));
    TRY(output_file_close(file, context->error));
    return output_file_commit(file, context->error);
}

dedpul_status predict_file(struct context *context, const struct model *model, bool by_pn, const char *path,
                           const char *out, struct prediction *prediction)
{
    struct output_file file = OUTPUT_FILE_NONE;
    struct work work = work_of(model, by_pn);
    struct stream stream;
    TRY(stream_open(&stream, path, context->error));
    const dedpul_status status = predict_to_file(context, &work, &stream, out, &file);
    stream_close(&stream);
    output_file_discard(&file);
    if (status == DEDPUL_OK)
        *prediction = work.prediction;
    return status;
}
