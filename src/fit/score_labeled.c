#include "score_labeled.h"

#include "labeled_kinds.h"
#include "logistic.h"
#include "model_rows.h"
#include "weighted.h"

/* A row's place in the table, and what is known of it. */
struct scored_row {
    double score, weight;
    unsigned char label, truth;
    const char *id; /* not NUL-terminated */
    size_t id_length;
};

static dedpul_status append(struct context *context, const char *file, const struct score_columns *columns,
                            const struct scored_row *row, struct score_table *table)
{
    TRY(score_table_reserve(table, columns, file, context->error));
    table->score[table->n] = row->score;
    table->label[table->n] = row->label;
    if (table->weight != NULL)
        table->weight[table->n] = row->weight;
    if (table->truth != NULL)
        table->truth[table->n] = row->truth;
    if (columns->id != NULL && !row_texts_add(&table->id, &table->allocator, row->id, row->id_length))
        return error_set(context->error, DEDPUL_NO_MEMORY, "out of memory reading %s", file);
    table->n++;
    return DEDPUL_OK;
}

static dedpul_status append_piece(struct context *context, const char *file,
                                  const struct score_columns *columns, const struct table *rows,
                                  const double *logit, struct score_table *table)
{
    for (size_t i = 0; i < rows->n_rows; i++) {
        const struct scored_row row = {
            .score = sigmoid(logit[i]),
            .weight = weight_at(rows->weight, i),
            .label = rows->label != NULL ? rows->label[i] : 0,
            .truth = rows->truth != NULL ? rows->truth[i] : TRUTH_NOT_KNOWN,
            .id = columns->id != NULL ? rows->id.bytes + rows->id.offset[i] : NULL,
            .id_length = columns->id != NULL ? row_texts_length(&rows->id, i) : 0,
        };
        TRY(append(context, file, columns, &row, table));
    }
    return DEDPUL_OK;
}

/* Appends the labeled rows of the fit, which are counted at the logits that the model kept. */
static dedpul_status append_kept(struct context *context, const char *file,
                                 const struct score_columns *columns, const struct fit_scores *kept,
                                 struct score_table *table)
{
    for (size_t k = 0; k < kept->n; k++) {
        const struct scored_row row = {.score = sigmoid(kept->logit[k]),
                                       .weight = kept->labeled[k],
                                       .label = 1,
                                       .truth = TRUTH_NOT_KNOWN};
        if (row.weight > 0)
            TRY(append(context, file, columns, &row, table));
    }
    return DEDPUL_OK;
}

static dedpul_status score_rows(struct context *context, const struct model *model, const char *file,
                                const struct score_columns *columns, struct model_rows *rows,
                                struct labeled_kinds *kinds, struct score_table *table)
{
    float *x = context_allocate(context, MODEL_ROWS_PIECE, model->encoding.width * sizeof *x);
    double *logit = context_allocate(context, MODEL_ROWS_PIECE, sizeof *logit);
    if (x == NULL || logit == NULL)
        return DEDPUL_NO_MEMORY;
    for (;;) {
        TRY(model_rows_next(rows));
        if (rows->table.n_rows == 0)
            return DEDPUL_OK;
        TRY(encoding_apply(context, &model->encoding, &rows->table, x));
        TRY(model_score(context, model, rows->table.n_rows, x, NULL, logit, NULL));
        TRY(append_piece(context, file, columns, &rows->table, logit, table));
        if (columns->kind != NULL)
            TRY(labeled_kinds_add(context, kinds, &rows->table));
        TRY(model_rows_report(context, rows, table->n));
    }
}

dedpul_status score_labeled(struct context *context, const struct model *model, struct stream *stream,
                            const struct score_columns *wanted, struct score_table *table)
{
    const bool has_labels = wanted->label != NULL;
    const struct table_request request = {.label = wanted->label,
                                          .positive = wanted->positive,
                                          .weight = wanted->weight,
                                          .truth = wanted->truth,
                                          .id = wanted->id,
                                          .kind = wanted->kind,
                                          .format = wanted->format};
    struct score_columns columns = *wanted;
    struct labeled_kinds kinds = {.known = &model->kinds};
    struct model_rows rows;
    *table = (struct score_table){.allocator = context->arena->allocator};
    if (!has_labels || wanted->kind != NULL) /* rows that the model kept stand for several */
        columns.weight = "weight";
    TRY(model_rows_open(context, model, stream, &request, &rows));
    dedpul_status status = score_rows(context, model, stream->name, &columns, &rows, &kinds, table);
    model_rows_close(&rows);
    TRY(status);
    if (table->n == 0)
        return error_set(context->error, DEDPUL_INVALID_DATA, "%s has no rows", stream->name);
    if (wanted->kind != NULL)
        TRY(labeled_kinds_weigh(context, &kinds, stream->name, table->weight));
    return has_labels ? DEDPUL_OK : append_kept(context, stream->name, &columns, &model->kept, table);
}
