#include "predict_rows.h"

#include "csv_text.h"
#include "model_rows.h"
#include "number.h"
#include "output_file.h"

#include <math.h>
#include <string.h>

/* ---- matrices ---- */

dedpul_status predict_matrix(struct context *context, const struct model *model,
                             const struct predict_plan *plan, const struct matrix *rows,
                             struct predicted predicted, struct arena *memory, struct prediction *prediction)
{
    double *logit = context_allocate(context, rows->n, sizeof *logit);
    struct batch batch;
    if (logit == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(batch_begin(context, model, plan, &batch));
    for (size_t first = 0; first < rows->n; first += MODEL_ROWS_PIECE) {
        struct block *mark = context_mark(context);
        const size_t n = rows->n - first < MODEL_ROWS_PIECE ? rows->n - first : MODEL_ROWS_PIECE;
        struct table table;
        TRY(table_of_matrix(context, rows, first, n, context->arena, &table));
        TRY(batch_score(context, &batch, &table, NULL, logit + first));
        context_release(context, mark);
        const dedpul_progress progress = {
            .stage = "predict", .step = batch.prediction.rows, .loss = NAN, .unit = DEDPUL_UNIT_ROWS};
        TRY(context_report(context, &progress));
    }
    TRY(batch_decide(context, &batch, rows->n, logit));
    batch_predict(&batch, rows->n, logit, predicted);
    TRY(batch_end(context, &batch, memory));
    *prediction = batch.prediction;
    return DEDPUL_OK;
}

/* ---- files and streams of arrays ---- */

/* Logits of rows that wait for the decision or the end, a piece to a block. */
struct held {
    struct held *before;
    size_t n;
    double logit[MODEL_ROWS_PIECE];
};

/* A file or a stream while it is predicted. */
struct filing {
    struct batch batch;
    struct model_rows input;
    struct output_file output;
    bool has_output; /* if there is none, all rows wait for the end */
    size_t n_written;
    struct predicted rows; /* room for a piece */
    double *logit;         /* (MODEL_ROWS_PIECE) */
    struct arena memory;   /* of the pieces that wait */
    struct held *held;     /* the last one */
    struct row_texts id;   /* of the piece, since its table is read over, or of all pieces that wait */
};

static dedpul_status allocate(struct context *context, struct filing *filing)
{
    struct predicted *rows = &filing->rows;
    rows->score = context_allocate(context, MODEL_ROWS_PIECE, sizeof *rows->score);
    rows->posterior = context_allocate(context, MODEL_ROWS_PIECE, sizeof *rows->posterior);
    filing->logit = context_allocate(context, MODEL_ROWS_PIECE, sizeof *filing->logit);
    return rows->score != NULL && rows->posterior != NULL && filing->logit != NULL ? DEDPUL_OK
                                                                                   : DEDPUL_NO_MEMORY;
}

static void write_header(const struct filing *filing)
{
    if (filing->batch.plan->id != NULL)
        write_id_name(filing->output.stream, filing->batch.plan->id);
    (void)fprintf(filing->output.stream, "row,score,posterior%s\n",
                  filing->batch.prediction.decision.has_threshold ? ",positive" : "");
}

/*
 * Writes a piece and checks the file, so that a full disk or a closed pipe ends the work at once. Its
 * identifiers begin at `first`.
 */
static dedpul_status write_piece(struct context *context, struct filing *filing, size_t n,
                                 const double *logit, size_t first)
{
    const struct predicted *rows = &filing->rows;
    const struct row_texts *id = &filing->id;
    const struct decision *decision = &filing->batch.prediction.decision;
    char of_score[NUMBER_SIZE], of_posterior[NUMBER_SIZE];
    batch_predict(&filing->batch, n, logit, *rows);
    for (size_t i = 0; i < n; i++) {
        if (filing->batch.plan->id != NULL)
            write_csv_text(filing->output.stream, id->bytes + id->offset[first + i],
                           row_texts_length(id, first + i));
        (void)fprintf(filing->output.stream, "%zu,%s,%s%s\n", ++filing->n_written,
                      format_share(of_score, rows->score[i]), format_share(of_posterior, rows->posterior[i]),
                      !decision->has_threshold                   ? ""
                      : decision_flags(decision, rows->score[i]) ? ",1"
                                                                 : ",0");
    }
    return output_file_check(&filing->output, context->error);
}

/* Returns where the logits of the next piece go, which is a block of its own if it must wait. */
static double *next_logits(struct context *context, struct filing *filing, size_t n)
{
    if (filing->batch.is_decided && filing->has_output)
        return filing->logit;
    struct held *held = context_allocate_in(context, &filing->memory, 1, sizeof *held);
    if (held == NULL)
        return NULL;
    held->before = filing->held;
    held->n = n;
    filing->held = held;
    return held->logit;
}

/* Copies the logits that wait to one array, and decides by them. */
static dedpul_status decide_held(struct context *context, struct filing *filing, double **all)
{
    const size_t n = filing->batch.prediction.rows;
    double *logit = context_allocate(context, n, sizeof *logit);
    size_t begin = n;
    if (logit == NULL)
        return DEDPUL_NO_MEMORY;
    for (const struct held *held = filing->held; held != NULL; held = held->before) {
        begin -= held->n;
        memcpy(logit + begin, held->logit, held->n * sizeof *logit);
    }
    *all = logit;
    return batch_decide(context, &filing->batch, n, logit);
}

static dedpul_status write_held(struct context *context, struct filing *filing)
{
    const size_t n = filing->batch.prediction.rows;
    double *logit;
    TRY(decide_held(context, filing, &logit));
    write_header(filing);
    for (size_t first = 0; first < n; first += MODEL_ROWS_PIECE)
        TRY(write_piece(context, filing, n - first < MODEL_ROWS_PIECE ? n - first : MODEL_ROWS_PIECE,
                        logit + first, first));
    return DEDPUL_OK;
}

/* Keeps the identifiers of a piece until it is written. */
static dedpul_status keep_ids(struct context *context, struct filing *filing, const struct row_texts *id)
{
    if (filing->batch.is_decided)
        row_texts_clear(&filing->id);
    return row_texts_append(&filing->id, &context->arena->allocator, id)
               ? DEDPUL_OK
               : error_set(context->error, DEDPUL_NO_MEMORY, "out of memory");
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
static dedpul_status predict_rows(struct context *context, struct filing *filing)
{
    struct batch *batch = &filing->batch;
    const struct table *table = &filing->input.table;
    struct reading reading = {.rows = &filing->input};
    const struct beside reading_on = {read_piece, &reading};
    for (read_piece(&reading);;) {
        const size_t n = table->n_rows;
        TRY(reading.status);
        if (n == 0)
            return DEDPUL_OK;
        double *logit = next_logits(context, filing, n);
        if (logit == NULL)
            return DEDPUL_NO_MEMORY;
        if (batch->plan->id != NULL)
            TRY(keep_ids(context, filing, &table->id));
        TRY(batch_score(context, batch, table, &reading_on, logit));
        if (logit == filing->logit)
            TRY(write_piece(context, filing, n, logit, 0));
        TRY(model_rows_report(context, &filing->input, batch->prediction.rows));
    }
}

static dedpul_status predict_stream(struct context *context, struct filing *filing, struct stream *stream)
{
    const struct table_request wanted = {.format = filing->batch.plan->format, .id = filing->batch.plan->id};
    TRY(model_rows_open(context, filing->batch.model, stream, &wanted, &filing->input));
    const dedpul_status status = predict_rows(context, filing);
    model_rows_close(&filing->input);
    return status;
}

static dedpul_status predict_to_file(struct context *context, struct filing *filing, struct stream *stream,
                                     const char *path, struct arena *memory)
{
    struct output_file *output = &filing->output;
    TRY(strcmp(path, "-") == 0 ? output_file_open_standard(output, context->error)
                               : output_file_open(output, path, context->error));
    TRY(allocate(context, filing));
    filing->has_output = true;
    if (filing->batch.is_decided)
        write_header(filing);
    TRY(predict_stream(context, filing, stream));
    if (!filing->batch.is_decided)
        TRY(write_held(context, filing));
    TRY(batch_end(context, &filing->batch, memory));
    TRY(output_file_close(output, context->error));
    return output_file_commit(output, context->error);
}

dedpul_status predict_file(struct context *context, const struct model *model,
                           const struct predict_plan *plan, const char *path, const char *out,
                           struct arena *memory, struct prediction *prediction)
{
    struct filing filing = {.output = OUTPUT_FILE_NONE};
    struct stream stream;
    TRY(batch_begin(context, model, plan, &filing.batch));
    TRY(stream_open(&stream, path, context->error));
    arena_init(&filing.memory, &context->arena->allocator);
    const dedpul_status status = predict_to_file(context, &filing, &stream, out, memory);
    arena_free(&filing.memory);
    row_texts_free(&filing.id, &context->arena->allocator);
    stream_close(&stream);
    output_file_discard(&filing.output);
    if (status == DEDPUL_OK)
        *prediction = filing.batch.prediction;
    return status;
}

/* Predicts into `memory`. */
static dedpul_status predict_to_arrays(struct context *context, struct filing *filing, struct stream *stream,
                                       struct arena *memory, struct predicted *rows)
{
    double *logit;
    TRY(predict_stream(context, filing, stream));
    TRY(decide_held(context, filing, &logit));
    const size_t n = filing->batch.prediction.rows;
    rows->score = context_allocate_in(context, memory, n, sizeof *rows->score);
    rows->posterior = context_allocate_in(context, memory, n, sizeof *rows->posterior);
    if (rows->score == NULL || rows->posterior == NULL)
        return DEDPUL_NO_MEMORY;
    batch_predict(&filing->batch, n, logit, *rows);
    return batch_end(context, &filing->batch, memory);
}

dedpul_status predict_arrays(struct context *context, const struct model *model,
                             const struct predict_plan *plan, struct stream *stream, struct arena *memory,
                             struct predicted *predicted, struct prediction *prediction)
{
    struct filing filing = {.output = OUTPUT_FILE_NONE};
    TRY(batch_begin(context, model, plan, &filing.batch));
    arena_init(&filing.memory, &context->arena->allocator);
    const dedpul_status status = predict_to_arrays(context, &filing, stream, memory, predicted);
    arena_free(&filing.memory);
    if (status == DEDPUL_OK)
        *prediction = filing.batch.prediction;
    return status;
}
