#include "predict_rows.h"

#include "csv_text.h"
#include "model_rows.h"
#include "number.h"
#include "output_file.h"

#include <math.h>
#include <string.h>

static dedpul_status allocate_piece(struct context *context, struct arena *memory, size_t n, size_t n_kinds,
                                    struct scored_piece *piece)
{
    piece->logit = context_allocate_in(context, memory, n, sizeof *piece->logit);
    piece->part = context_allocate_in(context, memory, n * n_kinds, sizeof *piece->part);
    return piece->logit != NULL && piece->part != NULL ? DEDPUL_OK : DEDPUL_NO_MEMORY;
}

static dedpul_status allocate_predicted(struct context *context, struct arena *memory, size_t n,
                                        size_t n_kinds, struct predicted *rows)
{
    rows->score = context_allocate_in(context, memory, n, sizeof *rows->score);
    rows->posterior = context_allocate_in(context, memory, n, sizeof *rows->posterior);
    rows->kind_posterior = context_allocate_in(context, memory, n * n_kinds, sizeof *rows->kind_posterior);
    return rows->score != NULL && rows->posterior != NULL && rows->kind_posterior != NULL ? DEDPUL_OK
                                                                                          : DEDPUL_NO_MEMORY;
}

/* ---- matrices ---- */

dedpul_status predict_matrix(struct context *context, const struct model *model,
                             const struct predict_plan *plan, const struct matrix *rows,
                             struct predicted predicted, struct arena *memory, struct prediction *prediction)
{
    const size_t n_kinds = model->kinds.n;
    struct scored_piece all;
    struct batch batch;
    TRY(allocate_piece(context, context->arena, rows->n, n_kinds, &all));
    TRY(batch_begin(context, model, plan, &batch));
    for (size_t first = 0; first < rows->n; first += MODEL_ROWS_PIECE) {
        struct block *mark = context_mark(context);
        const size_t n = rows->n - first < MODEL_ROWS_PIECE ? rows->n - first : MODEL_ROWS_PIECE;
        struct table table;
        TRY(table_of_matrix(context, rows, first, n, context->arena, &table));
        TRY(batch_score(context, &batch, &table, NULL,
                        (struct scored_piece){all.logit + first, all.part + first * n_kinds}));
        context_release(context, mark);
        const dedpul_progress progress = {
            .stage = "predict", .step = batch.prediction.rows, .loss = NAN, .unit = DEDPUL_UNIT_ROWS};
        TRY(context_report(context, &progress));
    }
    TRY(batch_decide(context, &batch, rows->n, all.logit));
    batch_predict(&batch, rows->n, all, predicted);
    TRY(batch_end(context, &batch, memory));
    *prediction = batch.prediction;
    return DEDPUL_OK;
}

/* ---- files and streams of arrays ---- */

/* Rows that wait for the decision or the end. */
struct held {
    struct held *before;
    size_t n;
    struct scored_piece piece;
};

/* A file or a stream while it is predicted. */
struct filing {
    struct batch batch;
    struct model_rows input;
    struct output_file output;
    bool has_output; /* if there is none, all rows wait for the end */
    size_t n_written;
    struct predicted rows;     /* room for a piece */
    struct scored_piece piece; /* room for one */
    struct arena memory;       /* of the pieces that wait */
    struct held *held;         /* the last one */
    struct row_texts id;       /* of the piece, since its table is read over, or of all pieces that wait */
};

static void write_header(const struct filing *filing)
{
    const struct model_kinds *kinds = &filing->batch.model->kinds;
    FILE *stream = filing->output.stream;
    if (filing->batch.plan->id != NULL)
        write_id_name(stream, filing->batch.plan->id);
    (void)fprintf(stream, "row,score,posterior%s",
                  filing->batch.prediction.decision.has_threshold ? ",positive" : "");
    for (size_t k = 0; k < kinds->n; k++)
        write_kind_name(stream, kinds->name[k]);
    (void)fputc('\n', stream);
}

/*
 * Writes a piece and checks the file, so that a full disk or a closed pipe ends the work at once. Its
 * identifiers begin at `first`.
 */
static dedpul_status write_piece(struct context *context, struct filing *filing, size_t n,
                                 struct scored_piece piece, size_t first)
{
    const struct predicted *rows = &filing->rows;
    const size_t n_kinds = filing->batch.model->kinds.n;
    const struct row_texts *id = &filing->id;
    const struct decision *decision = &filing->batch.prediction.decision;
    char of_score[NUMBER_SIZE], of_posterior[NUMBER_SIZE];
    batch_predict(&filing->batch, n, piece, *rows);
    for (size_t i = 0; i < n; i++) {
        if (filing->batch.plan->id != NULL)
            write_csv_text(filing->output.stream, id->bytes + id->offset[first + i],
                           row_texts_length(id, first + i));
        (void)fprintf(filing->output.stream, "%zu,%s,%s%s", ++filing->n_written,
                      format_share(of_score, rows->score[i]), format_share(of_posterior, rows->posterior[i]),
                      !decision->has_threshold                   ? ""
                      : decision_flags(decision, rows->score[i]) ? ",1"
                                                                 : ",0");
        for (size_t k = i * n_kinds; k < (i + 1) * n_kinds; k++)
            (void)fprintf(filing->output.stream, ",%s", format_share(of_posterior, rows->kind_posterior[k]));
        (void)fputc('\n', filing->output.stream);
    }
    return output_file_check(&filing->output, context->error);
}

/* Gives the place of the next piece, which is one of its own if it must wait. */
static dedpul_status next_piece(struct context *context, struct filing *filing, size_t n,
                                struct scored_piece *piece)
{
    *piece = filing->piece;
    if (filing->batch.is_decided && filing->has_output)
        return DEDPUL_OK;
    struct held *held = context_allocate_in(context, &filing->memory, 1, sizeof *held);
    if (held == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(allocate_piece(context, &filing->memory, n, filing->batch.model->kinds.n, &held->piece));
    held->before = filing->held;
    held->n = n;
    filing->held = held;
    *piece = held->piece;
    return DEDPUL_OK;
}

/* Copies what waits to one piece, and decides by it. */
static dedpul_status decide_held(struct context *context, struct filing *filing, struct scored_piece *all)
{
    const size_t n = filing->batch.prediction.rows, n_kinds = filing->batch.model->kinds.n;
    size_t begin = n;
    TRY(allocate_piece(context, context->arena, n, n_kinds, all));
    for (const struct held *held = filing->held; held != NULL; held = held->before) {
        begin -= held->n;
        memcpy(all->logit + begin, held->piece.logit, held->n * sizeof *all->logit);
        memcpy(all->part + begin * n_kinds, held->piece.part, held->n * n_kinds * sizeof *all->part);
    }
    return batch_decide(context, &filing->batch, n, all->logit);
}

static dedpul_status write_held(struct context *context, struct filing *filing)
{
    const size_t n = filing->batch.prediction.rows, n_kinds = filing->batch.model->kinds.n;
    struct scored_piece all;
    TRY(decide_held(context, filing, &all));
    write_header(filing);
    for (size_t first = 0; first < n; first += MODEL_ROWS_PIECE)
        TRY(write_piece(context, filing, n - first < MODEL_ROWS_PIECE ? n - first : MODEL_ROWS_PIECE,
                        (struct scored_piece){all.logit + first, all.part + first * n_kinds}, first));
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
        struct scored_piece piece;
        TRY(next_piece(context, filing, n, &piece));
        if (batch->plan->id != NULL)
            TRY(keep_ids(context, filing, &table->id));
        TRY(batch_score(context, batch, table, &reading_on, piece));
        if (piece.logit == filing->piece.logit)
            TRY(write_piece(context, filing, n, piece, 0));
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
    const size_t n_kinds = filing->batch.model->kinds.n;
    TRY(allocate_predicted(context, context->arena, MODEL_ROWS_PIECE, n_kinds, &filing->rows));
    TRY(allocate_piece(context, context->arena, MODEL_ROWS_PIECE, n_kinds, &filing->piece));
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
    struct scored_piece all;
    TRY(predict_stream(context, filing, stream));
    TRY(decide_held(context, filing, &all));
    const size_t n = filing->batch.prediction.rows;
    TRY(allocate_predicted(context, memory, n, filing->batch.model->kinds.n, rows));
    batch_predict(&filing->batch, n, all, *rows);
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
