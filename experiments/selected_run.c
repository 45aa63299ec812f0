#include "selected_run.h"

#include "clock.h"
#include "resolve.h"

#include <math.h>
#include <string.h>

const char *const selected_methods[N_SELECTED_METHODS] = {"dedpul", "pooled"};

/* A sample on the way to its rows. */
struct run {
    const struct selected_cell *cell;
    const struct selected_set *set;
    struct selected_draw draw;
    struct selected_row (*row)[N_SELECTED_METHODS];
};

static dedpul_status resolve(const struct run *run, const char *method, struct resolved *resolved,
                             dedpul_error *error)
{
    dedpul_options options;
    dedpul_options_init(&options);
    options.method = method;
    options.classifier = run->set->classifier != NULL ? run->set->classifier : options.classifier;
    options.seed = run->cell->repeat;
    options.threads = 1;
    TRY(options_resolve(&options, resolved, error));
    resolved->plan.estimate.interval = INTERVAL_BY_METHOD;
    resolved->plan.estimate.resamples = 0;
    if (resolved->plan.estimate.method->distribution == NULL)
        resolved->plan.estimate.interval = INTERVAL_NONE;
    return DEDPUL_OK;
}

/* The mean error of the shares of the kinds, and how many of their intervals hold the truth. */
static void judge_kinds(const struct run *run, const struct selected_fit *fit,
                        const struct kind_estimates *answer, struct selected_row *row)
{
    const struct table *table = fit->rows.table;
    double truth[MOST_KINDS] = {0};
    bool is_counted[MOST_CLASSES] = {false};
    for (size_t i = 0; i < table->n_rows; i++)
        if (table->label[i] == 1 && !is_counted[table->kind[i]]) {
            is_counted[table->kind[i]] = true;
            truth[fit->kinds.kinds.of_row[i]] +=
                (double)run->draw.unlabeled[table->kind[i]] / (double)run->draw.n_unlabeled;
        }
    row->kind_error = row->kinds_held = 0;
    for (size_t k = 0; k < answer->n; k++) {
        const struct kind_estimate *kind = &answer->kind[k];
        row->kind_error += fabs(kind->share - truth[k]) / (double)answer->n;
        row->kinds_held += (truth[k] >= kind->low && truth[k] <= kind->high) / (double)answer->n;
    }
}

/* Estimates alpha by one method, from rows as the approach has left them. */
static dedpul_status estimate_by(struct context *context, const struct run *run,
                                 const struct selected_approach *approach, const struct selected_fit *fit,
                                 struct selected_row *row)
{
    struct resolved resolved;
    struct arena memory;
    struct estimate estimate;
    struct kind_estimates answer = {.n = 0};
    struct propensity_estimates propensities;
    const double began = clock_thread_seconds();
    TRY(resolve(run, row->method, &resolved, context->error));
    arena_init(&memory, NULL);
    dedpul_status status =
        fit_rows_estimate(context, &fit->rows, &resolved.plan, &memory, &estimate, NULL, NULL);
    if (status == DEDPUL_OK && fit->kinds.kinds.n > 0)
        status = fit_kinds_answer(context, &fit->rows, fit->model, &fit->kinds, &memory, &estimate, &answer);
    if (status == DEDPUL_OK && fit->propensity.odds != NULL)
        status =
            fit_propensity_answer(context, &fit->rows, &fit->propensity, &memory, &estimate, &propensities);
    if (status == DEDPUL_OK) {
        row->estimate = estimate.solution.proportion.alpha;
        if (estimate.interval.kind != INTERVAL_NONE) {
            row->low = estimate.interval.low;
            row->high = estimate.interval.high;
        }
        if (approach->knows_kinds)
            judge_kinds(run, fit, &answer, row);
        row->seconds += clock_thread_seconds() - began;
    }
    arena_free(&memory);
    return status;
}

static void describe(const struct run *run, const char *approach, const char *method,
                     struct selected_row *row)
{
    size_t positive = 0;
    for (size_t k = 0; k < run->set->n_kinds; k++)
        positive += run->draw.unlabeled[k];
    *row = (struct selected_row){.strength = run->set->strength[run->cell->strength],
                                 .repeat = run->cell->repeat,
                                 .alpha = run->set->share[run->cell->share],
                                 .target = (double)positive / (double)run->draw.n_unlabeled,
                                 .low = NAN,
                                 .high = NAN,
                                 .kind_error = NAN,
                                 .kinds_held = NAN,
                                 .p_value = NAN};
    (void)snprintf(row->set, sizeof row->set, "%s", run->set->name);
    (void)snprintf(row->method, sizeof row->method, "%s", method);
    (void)snprintf(row->approach, sizeof row->approach, "%s", approach);
}

/* Approaches change logits in place, so each has its own. */
static dedpul_status copy_logits(struct context *context, struct fit_rows *rows)
{
    double *logit = context_allocate(context, rows->table->n_rows, sizeof *logit);
    if (logit == NULL)
        return DEDPUL_NO_MEMORY;
    memcpy(logit, rows->logit, rows->table->n_rows * sizeof *logit);
    rows->logit = logit;
    return DEDPUL_OK;
}

/* The fit has scores of an ordinary one, which took so many seconds. */
static dedpul_status run_approach(struct context *context, const struct run *run, size_t index,
                                  const struct selected_fit *scored, double seconds)
{
    const struct selected_approach *approach = &selected_approaches[index];
    struct block *mark = context_mark(context);
    struct selected_fit fit = *scored;
    const double began = clock_thread_seconds();
    TRY(copy_logits(context, &fit.rows));
    if (approach->correct != NULL)
        TRY(approach->correct(context, &fit));
    seconds += clock_thread_seconds() - began;
    if (approach->check != NULL)
        TRY(approach->check(context, &fit));
    for (size_t m = 0; m < N_SELECTED_METHODS; m++)
        if (run->cell->is_wanted[index][m]) {
            struct selected_row *row = &run->row[index][m];
            describe(run, approach->name, selected_methods[m], row);
            row->seconds = seconds;
            row->p_value = fit.checked.is_done ? fit.checked.check.p_value : NAN;
            TRY(estimate_by(context, run, approach, &fit, row));
        }
    model_kinds_close(&fit.model->kinds);
    context_release(context, mark);
    return DEDPUL_OK;
}

static bool is_any_wanted(const bool wanted[N_SELECTED_METHODS])
{
    bool is_any = false;
    for (size_t m = 0; m < N_SELECTED_METHODS; m++)
        is_any = is_any || wanted[m];
    return is_any;
}

static dedpul_status draw_and_fit(struct context *context, const struct selected_data *data, struct run *run,
                                  const struct fit_plan *plan, struct model *model)
{
    const struct selected_cell *cell = run->cell;
    struct selected_fit fit = {.plan = plan, .model = model};
    struct rng rng;
    const double began = clock_thread_seconds();
    rng_init(&rng, cell->repeat,
             rng_stream(STREAM_EXPERIMENT,
                        100000 + (cell->set * MOST_SHARES + cell->share) * MOST_STRENGTHS + cell->strength));
    TRY(selected_draw_rows(context, data, run->set->share[cell->share], run->set->strength[cell->strength],
                           cell->repeat, &rng, &run->draw));
    TRY(fit_rows_encode(context, &run->draw.table, 0, plan, model, &fit.rows));
    TRY(fit_rows_score(context, plan, model, &fit.rows));
    const double seconds = clock_thread_seconds() - began;
    for (size_t a = 0; a < N_APPROACHES; a++)
        if (is_any_wanted(cell->is_wanted[a]))
            TRY(run_approach(context, run, a, &fit, seconds));
    return DEDPUL_OK;
}

dedpul_status selected_run_cell(const struct selected_data *data, const struct selected_cell *cell,
                                dedpul_progress_function *progress, void *progress_context,
                                struct selected_row row[N_APPROACHES][N_SELECTED_METHODS],
                                dedpul_error *error)
{
    struct run run = {.cell = cell, .set = selected_set_at(cell->set), .row = row};
    struct resolved resolved;
    struct call call;
    struct model model;
    TRY(resolve(&run, selected_methods[0], &resolved, error));
    resolved.options.progress = progress;
    resolved.options.progress_context = progress_context;
    model_init(&model, NULL);
    call_begin(&call, &resolved.options, error);
    const dedpul_status status = draw_and_fit(&call.context, data, &run, &resolved.plan, &model);
    model_close(&model);
    call_end(&call);
    return status;
}
