#include "check.h"

#include "evaluation.h"

#include <math.h>

static void fill(struct outcome *row, enum checked which, const struct range *range, double truth)
{
    const double rounding = 5e-5; /* of what a user sees */
    row->gap[which] = range->value - truth;
    if (!isnan(row->gap[which]))
        row->held[which] = truth >= range->low - rounding && truth <= range->high + rounding;
}

static void fill_curve(struct outcome *row, const struct evaluation *evaluation)
{
    double precision = 0, recall = 0;
    for (size_t c = 0; c < evaluation->n_curve; c++) {
        const struct threshold *at = &evaluation->curve[c];
        precision += fabs(at->precision.value - at->truth.precision);
        recall += fabs(at->recall.value - at->truth.recall);
    }
    row->curve_precision_gap = precision / (double)evaluation->n_curve;
    row->curve_recall_gap = recall / (double)evaluation->n_curve;
}

/* The threshold may be out of reach. */
static dedpul_status ask_for_precision(struct context *context, const struct evaluation_input *input,
                                       struct arena *memory, struct outcome *row)
{
    const struct evaluation_plan plan = {.request = {CUT_PRECISION, 0.9}, .level = 0.95};
    struct context silent = *context;
    struct evaluation evaluation;
    silent.error = NULL;
    const dedpul_status status = evaluate(&silent, input, &plan, memory, &evaluation);
    if (status == DEDPUL_OK)
        row->asked_precision = evaluation.chosen.truth.precision;
    return status == DEDPUL_INVALID_DATA ? DEDPUL_OK : status;
}

dedpul_status check_evaluation(struct context *context, const struct drawing *drawing,
                               const struct fit_rows *rows, const struct estimate *estimate,
                               struct outcome *row)
{
    const struct scored_rows scored = {.n = rows->table->n_rows, .logit = rows->logit};
    const struct score_input scores = {scored, scored, rows->table->label, NULL};
    const struct solution *solution = &estimate->solution;
    const struct evaluation_input input = {
        .rows = &scores,
        .values = {estimate->ratio, estimate->posterior, drawing->truth + drawing->n_labeled},
        .belief = {solution->proportion.alpha, &solution->quantiles, solution->scales},
    };
    const struct evaluation_plan plan = {.request = {CUT_COST, 1}, .level = 0.95};
    struct evaluation evaluation;
    struct arena memory;
    if (drawing->posterior != NULL)
        return DEDPUL_OK;
    arena_init(&memory, NULL);
    dedpul_status status = evaluate(context, &input, &plan, &memory, &evaluation);
    if (status == DEDPUL_OK) {
        fill(row, CHECKED_AUC, &evaluation.auc, evaluation.truth.auc);
        fill(row, CHECKED_PRECISION, &evaluation.chosen.precision, evaluation.chosen.truth.precision);
        fill(row, CHECKED_RECALL, &evaluation.chosen.recall, evaluation.chosen.truth.recall);
        fill(row, CHECKED_F1, &evaluation.chosen.f1, evaluation.chosen.truth.f1);
        fill_curve(row, &evaluation);
        status = ask_for_precision(context, &input, &memory, row);
    }
    arena_free(&memory);
    return status;
}
