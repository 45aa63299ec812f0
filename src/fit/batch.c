#include "batch.h"

#include "logistic.h"

#include <math.h>

dedpul_status batch_begin(struct context *context, const struct model *model, const struct predict_plan *plan,
                          struct batch *batch)
{
    const size_t n = model->kept.n;
    *batch = (struct batch){.model = model, .plan = plan};
    batch->prediction.share = (struct share_estimate){NAN, NAN, NAN};
    if (n > 0 && !predicts_by_pn(model, plan->by_pn)) {
        batch->count = context_allocate(context, n, sizeof *batch->count);
        if (batch->count == NULL)
            return DEDPUL_NO_MEMORY;
        for (size_t k = 0; k < n; k++)
            batch->count[k] = 0;
    }
    if (model->profiles.rows > 0)
        TRY(column_counts_make(context, &model->encoding, &model->profiles, &batch->counts));
    return decision_needs_all(plan) ? DEDPUL_OK : batch_decide(context, batch, 0, NULL);
}

static void count_unseen(struct batch *batch, const struct table *table)
{
    for (size_t c = 0; c < table->n_columns; c++)
        for (size_t i = 0; table->column[c].code != NULL && i < table->n_rows; i++)
            if (table->column[c].code[i] == LEVEL_UNSEEN) {
                if (batch->prediction.unseen++ == 0)
                    batch->prediction.unseen_column = batch->model->encoding.column[c].schema.name;
            }
}

dedpul_status batch_score(struct context *context, struct batch *batch, const struct table *table,
                          const struct beside *beside, struct scored_piece piece)
{
    struct block *mark = context_mark(context);
    const struct model *model = batch->model;
    const bool by_pn = predicts_by_pn(model, batch->plan->by_pn);
    const size_t n = table->n_rows;
    float *x = context_allocate(context, n, model->encoding.width * sizeof *x);
    if (x == NULL)
        return DEDPUL_NO_MEMORY;
    count_unseen(batch, table);
    if (batch->counts != NULL)
        TRY(column_counts_add(context, &model->encoding, &model->profiles, table, batch->counts));
    TRY(encoding_apply(context, &model->encoding, table, x));
    if (batch->plan->folds > 0)
        TRY(scorer_score_as_fit(context, &model->ntc, batch->plan->folds, batch->prediction.rows, n, x,
                                beside, piece.logit));
    else if (!by_pn)
        TRY(model_score(context, model, n, x, beside, piece.logit, piece.part));
    else {
        TRY(scorer_score(context, &model->pn.scorer, n, x, beside, piece.logit));
        TRY(model_kinds_apply(context, &model->kinds, n, x, NULL, piece.part));
    }
    if (batch->count != NULL)
        fit_scores_count(&model->kept, n, piece.logit, batch->count);
    batch->prediction.rows += n;
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- decisions ---- */

static dedpul_status estimate_share(struct context *context, struct batch *batch)
{
    struct share_estimate *share = &batch->prediction.share;
    return batch->count != NULL && isnan(share->alpha)
               ? share_of_new_rows(context, batch->model, batch->plan->estimate, batch->count, share)
               : DEDPUL_OK;
}

dedpul_status batch_decide(struct context *context, struct batch *batch, size_t n, const double *logit)
{
    struct prediction *prediction = &batch->prediction;
    if (batch->is_decided)
        return DEDPUL_OK;
    if (batch->plan->share_rule == SHARE_OF_ROWS)
        TRY(estimate_share(context, batch));
    TRY(decide(context, batch->model, batch->plan, n, logit, &prediction->share, &prediction->decision));
    batch->is_decided = true;
    return DEDPUL_OK;
}

void batch_predict(struct batch *batch, size_t n, struct scored_piece piece, struct predicted rows)
{
    struct prediction *prediction = &batch->prediction;
    const struct decision *decision = &prediction->decision;
    const size_t n_kinds = batch->model->kinds.n;
    for (size_t i = 0; i < n; i++) {
        rows.score[i] = sigmoid(piece.logit[i]);
        rows.posterior[i] = decision_posterior(decision, piece.logit[i]);
        for (size_t k = i * n_kinds; k < (i + 1) * n_kinds; k++)
            rows.kind_posterior[k] = rows.posterior[i] * piece.part[k];
        prediction->sum += rows.posterior[i];
        prediction->flagged += decision_flags(decision, rows.score[i]);
    }
}

/* ---- the end ---- */

/* Warns if the share that posteriors are for is not plausible for these rows. */
static void doubt_share(struct context *context, const struct batch *batch)
{
    const struct share_estimate *share = &batch->prediction.share;
    const double given = batch->prediction.decision.share,
                 alpha = isnan(given) ? batch->model->solution.proportion.alpha : given;
    if (alpha < share->low || alpha > share->high)
        context_warn(context, DEDPUL_WARNING_OTHER_SHARE,
                     "by their scores, a share of %.3f of these rows is positive (%.3f to %.3f with a "
                     "probability of 99%%), but posteriors are for a share of %.3f: estimate it anew "
                     "(--alpha auto), or give it (--alpha X)",
                     share->alpha, share->low, share->high, alpha);
}

dedpul_status batch_end(struct context *context, struct batch *batch, struct arena *memory)
{
    const struct model *model = batch->model;
    TRY(estimate_share(context, batch));
    doubt_share(context, batch);
    return batch->counts != NULL
               ? find_drift(context, &model->encoding, &model->profiles, batch->prediction.rows,
                            batch->counts, memory, &batch->prediction.drift)
               : DEDPUL_OK;
}
