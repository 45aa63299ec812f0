#include "run.h"

#include "check.h"
#include "clock.h"
#include "fit_rows.h"
#include "kept_scores.h"
#include "metrics.h"
#include "resolve.h"
#include "result.h"
#include "train.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool is_as_published(const struct experiment *experiment)
{
    return strcmp(experiment->preset, "paper") == 0;
}

void run_describe(const struct run *run, const struct variant *variant, struct outcome *row)
{
    const struct experiment *experiment = run->experiment;
    *row = (struct outcome){.alpha = run->size->alpha,
                            .repeat = run->repeat,
                            .target = NAN,
                            .estimate = NAN,
                            .abs_error = NAN,
                            .posterior_mae = NAN,
                            .error = NAN,
                            .f1 = NAN,
                            .roc_auc = NAN,
                            .seconds = NAN,
                            .low = NAN,
                            .high = NAN,
                            .log_loss = NAN,
                            .brier = NAN,
                            .calibration = NAN,
                            .plain_log_loss = NAN,
                            .asked_precision = NAN,
                            .curve_precision_gap = NAN,
                            .curve_recall_gap = NAN};
    for (size_t k = 0; k < N_CHECKED; k++)
        row->gap[k] = row->held[k] = NAN;
    int used =
        snprintf(row->setting, sizeof row->setting, "%s/%s", kind_name(experiment->kind), experiment->preset);
    for (size_t i = 0; i < experiment->n_options && used < (int)sizeof row->setting; i++)
        used += snprintf(row->setting + used, sizeof row->setting - (size_t)used, "+%s=%s",
                         experiment->option[i][0], experiment->option[i][1]);
    (void)snprintf(row->set, sizeof row->set, "%s", run->set->name);
    (void)snprintf(row->method, sizeof row->method, "%s", variant->name);
}

/* The options of the fit, or of a method on it. */
static dedpul_status resolve(const struct run *run, const struct variant *variant, struct resolved *resolved,
                             dedpul_error *error)
{
    const struct experiment *experiment = run->experiment;
    dedpul_options options;
    dedpul_options_init(&options);
    TRY(dedpul_options_set(&options, "preset", experiment->preset, error));
    if (is_as_published(experiment))
        TRY(protocol_set_options(run->set, &options, error));
    if (is_as_published(experiment) && variant != NULL && variant->answers == ANSWERS_POSTERIORS)
        TRY(protocol_set_nnpu(run->set, &options, error));
    for (size_t i = 0; i < experiment->n_options; i++)
        TRY(dedpul_options_set(&options, experiment->option[i][0], experiment->option[i][1], error));
    if (variant != NULL)
        TRY(protocol_set_variant(run->set, variant, &options, error));
    options.seed += run->repeat;
    options.threads = 1; /* each run has its own thread, whose time is that of the run */
    options.progress = run->progress;
    options.progress_context = run->progress_context;
    return options_resolve(&options, resolved, error);
}

static dedpul_status draw(struct context *context, const struct run *run, const struct dataset *dataset,
                          struct drawing *drawing)
{
    const size_t cell = run->place * (size_t)MOST_ALPHAS + (size_t)(run->size - run->set->sample);
    struct rng rng;
    rng_init(&rng, context->seed, rng_stream(STREAM_EXPERIMENT, cell));
    return dataset == NULL ? draw_synthetic(context, run->set, run->size, &rng, drawing)
                           : draw_rows(context, dataset, run->size, &rng, drawing);
}

/* An estimate and the memory that it needs. */
struct answer {
    struct arena memory;
    struct estimate estimate;
    struct pn_scorer pn;
};

static void answer_close(struct answer *answer)
{
    scorer_close(&answer->pn.scorer);
    arena_free(&answer->memory);
}

/* Makes the estimate, with the share given unless it is NaN. The caller always closes the answer. */
static dedpul_status estimate_rows(struct context *context, const struct fit_rows *rows,
                                   const struct fit_plan *given, double alpha, struct answer *answer)
{
    struct fit_plan plan = *given;
    plan.estimate.alpha = alpha;
    answer->pn = (struct pn_scorer){.shift = 0};
    arena_init(&answer->memory, NULL);
    return fit_rows_estimate(context, rows, &plan, &answer->memory, &answer->estimate, &answer->memory,
                             &answer->pn);
}

/* The unlabeled rows of a sample, on which posteriors are measured. */
struct judge {
    size_t n;
    unsigned char *truth; /* (n) */
    const double *known;  /* (n) true posteriors; NULL: not known */
};

static struct judge judge_of(const struct drawing *drawing)
{
    const size_t first = drawing->n_labeled;
    return (struct judge){drawing->table.n_rows - first, drawing->truth + first,
                          drawing->posterior != NULL ? drawing->posterior + first : NULL};
}

/*
 * Measures the posteriors of the method's own estimate. On synthetic sets the true posteriors stand for the
 * classes: alpha* is their share of positives, while that of the classes drawn, alpha, cannot be known.
 */
static dedpul_status measure_own(struct context *context, const struct drawing *drawing,
                                 const struct estimate *estimate, struct trust *trust)
{
    const struct judge judge = judge_of(drawing);
    return measure_trust(context, judge.n, estimate->posterior, judge.truth, judge.known, trust);
}

/* Finds alpha. Its interval is that of its distribution: the bootstrap would take longer than all else. */
static dedpul_status estimate_share(struct context *context, const struct drawing *drawing,
                                    const struct fit_rows *rows, const struct fit_plan *given,
                                    bool has_posteriors, struct outcome *row)
{
    struct fit_plan plan = *given;
    struct trust trust;
    struct answer answer;
    plan.estimate.interval = plan.estimate.method->distribution != NULL ? INTERVAL_BY_METHOD : INTERVAL_NONE;
    dedpul_status status = estimate_rows(context, rows, &plan, NAN, &answer);
    if (status == DEDPUL_OK) {
        row->estimate = answer.estimate.solution.proportion.alpha;
        row->abs_error = fabs(row->estimate - drawing->target);
        row->low = answer.estimate.interval.low;
        row->high = answer.estimate.interval.high;
    }
    if (status == DEDPUL_OK && has_posteriors)
        status = measure_own(context, drawing, &answer.estimate, &trust);
    if (status == DEDPUL_OK && has_posteriors) {
        row->log_loss = trust.log_loss;
        row->brier = trust.brier;
        row->calibration = trust.calibration;
    }
    answer_close(&answer);
    return status;
}

/* Repeats the estimate with plain posteriors, to see what their mean over alpha's distribution gains. */
static dedpul_status repeat_plain(struct context *context, const struct drawing *drawing,
                                  const struct fit_rows *rows, const struct fit_plan *given,
                                  struct outcome *row)
{
    struct fit_plan plan = *given;
    struct trust trust;
    struct answer answer;
    plan.estimate.plain_posterior = true;
    dedpul_status status = estimate_rows(context, rows, &plan, NAN, &answer);
    if (status == DEDPUL_OK)
        status = measure_own(context, drawing, &answer.estimate, &trust);
    if (status == DEDPUL_OK)
        row->plain_log_loss = trust.log_loss;
    answer_close(&answer);
    return status;
}

/* Repeats the estimate once more, to evaluate it. */
static dedpul_status repeat_evaluated(struct context *context, const struct drawing *drawing,
                                      const struct fit_rows *rows, const struct fit_plan *plan,
                                      struct outcome *row)
{
    struct answer answer;
    dedpul_status status = estimate_rows(context, rows, plan, NAN, &answer);
    if (status == DEDPUL_OK)
        status = check_evaluation(context, drawing, rows, &answer.estimate, row);
    answer_close(&answer);
    return status;
}

/* Measures the posteriors that follow if the target is given as alpha. */
static dedpul_status classify(struct context *context, const struct drawing *drawing,
                              const struct fit_rows *rows, const struct fit_plan *plan, struct outcome *row)
{
    const struct judge judge = judge_of(drawing);
    struct metrics metrics;
    struct answer answer;
    dedpul_status status = estimate_rows(context, rows, plan, drawing->target, &answer);
    if (status == DEDPUL_OK)
        status = measure(context, judge.n, answer.estimate.posterior, judge.truth, judge.known, &metrics);
    if (status == DEDPUL_OK) {
        row->posterior_mae = metrics.posterior_mae;
        row->error = metrics.error;
        row->f1 = metrics.f1;
        row->roc_auc = metrics.roc_auc;
    }
    answer_close(&answer);
    return status;
}

static dedpul_status run_method(struct context *context, const struct run *run, const struct drawing *drawing,
                                const struct fit_rows *rows, const struct variant *variant,
                                struct outcome *row)
{
    const double began = clock_thread_seconds();
    const enum answers answers = variant->answers;
    struct resolved resolved;
    TRY(resolve(run, variant, &resolved, context->error));
    const struct fit_plan *plan = &resolved.plan;
    if (answers != ANSWERS_POSTERIORS)
        TRY(estimate_share(context, drawing, rows, plan, answers == ANSWERS_BOTH, row));
    if (answers != ANSWERS_ALPHA)
        TRY(classify(context, drawing, rows, plan, row));
    row->seconds = clock_thread_seconds() - began; /* the repeats are none of the method's work */
    if (answers != ANSWERS_BOTH || plan->estimate.method->distribution == NULL)
        return DEDPUL_OK;
    TRY(repeat_plain(context, drawing, rows, plan, row));
    return repeat_evaluated(context, drawing, rows, plan, row);
}

/* Fills in the rows of all methods that are wanted; a method that fails leaves its message and no row. */
static dedpul_status run_all(struct context *context, const struct run *run, const struct drawing *drawing,
                             const struct fit_rows *rows, double shared_seconds, struct outcome *row,
                             size_t *n_rows, dedpul_error *failure)
{
    const struct variant *variant;
    for (unsigned k = 0; (variant = variant_at(k)) != NULL; k++) {
        struct block *mark = context_mark(context);
        dedpul_error own = {DEDPUL_OK, ""};
        struct context apart = *context;
        if ((run->wanted >> k & 1) == 0)
            continue;
        run_describe(run, variant, &row[*n_rows]);
        row[*n_rows].target = drawing->target;
        apart.error = &own;
        const dedpul_status status = run_method(&apart, run, drawing, rows, variant, &row[*n_rows]);
        context_release(context, mark);
        if (status == DEDPUL_CANCELLED)
            return error_set(context->error, status, "%s", own.message);
        if (status == DEDPUL_OK)
            row[(*n_rows)++].seconds += variant->needs_table ? 0 : shared_seconds;
        else if (failure->status == DEDPUL_OK)
            error_fill(failure, status, "%s, alpha %g, repeat %u, %s: %s", run->set->name, run->size->alpha,
                       run->repeat, variant->name, own.message);
    }
    return DEDPUL_OK;
}

/* What both a run and the example begin with: the sample and its cross-fitted scores. Always call `end`. */
struct begun {
    struct resolved resolved;
    struct call call;
    struct drawing drawing;
    struct model model;
    struct fit_rows rows;
    bool has_kept_scores; /* of an earlier run */
};

/* If it fails, there is nothing to end. */
static dedpul_status begin(struct begun *begun, const struct run *run, dedpul_error *error)
{
    TRY(resolve(run, NULL, &begun->resolved, error));
    model_init(&begun->model, NULL);
    call_begin(&begun->call, &begun->resolved.options, error);
    begun->call.context.warnings = NULL;
    return DEDPUL_OK;
}

/* Draws the sample and scores it, or takes the scores that an earlier run has kept. */
static dedpul_status score_sample(struct begun *begun, const struct run *run, const struct dataset *dataset)
{
    struct context *context = &begun->call.context;
    const struct fit_plan *plan = &begun->resolved.plan;
    struct model *model = &begun->model;
    struct fit_rows *rows = &begun->rows;
    TRY(draw(context, run, dataset, &begun->drawing));
    TRY(fit_rows_encode(context, &begun->drawing.table, 0, plan, model, rows));
    const size_t n = rows->table->n_rows;
    TRY(kept_scores_read(run, n, rows->logit, &begun->has_kept_scores, context->error));
    if (begun->has_kept_scores)
        return DEDPUL_OK;
    TRY(train_ntc(context, rows, plan, &model->memory, &model->ntc, rows->logit));
    return kept_scores_write(run, n, rows->logit, context->error);
}

static void end(struct begun *begun)
{
    model_close(&begun->model);
    call_end(&begun->call);
}

dedpul_status run_do(const struct run *run, const struct dataset *dataset, struct outcome *row,
                     size_t *n_rows, dedpul_error *failure, dedpul_error *error)
{
    struct begun begun;
    const double began = clock_thread_seconds();
    *failure = (dedpul_error){DEDPUL_OK, ""};
    *n_rows = 0;
    TRY(begin(&begun, run, error));
    dedpul_status status = score_sample(&begun, run, dataset);
    if (status == DEDPUL_OK)
        status = run_all(&begun.call.context, run, &begun.drawing, &begun.rows,
                         begun.has_kept_scores ? NAN : clock_thread_seconds() - began, row, n_rows, failure);
    end(&begun);
    return status;
}

dedpul_status example_curve(dedpul_result **result, double *target, dedpul_error *error)
{
    const struct experiment experiment = {.kind = KIND_SYNTHETIC, .preset = "paper"};
    struct run run = {.experiment = &experiment, .place = 1};
    struct begun begun;
    struct pn_scorer none;
    run.set = set_at(run.place);
    run.size = &run.set->sample[3];
    TRY(begin(&begun, &run, error));
    const struct fit_plan *plan = &begun.resolved.plan;
    struct result *shown = result_create(NULL, error);
    dedpul_status status = shown != NULL ? score_sample(&begun, &run, NULL) : DEDPUL_NO_MEMORY;
    if (status == DEDPUL_OK)
        status = fit_rows_estimate(&begun.call.context, &begun.rows, plan, &shown->memory, &shown->estimate,
                                   &shown->memory, &none);
    if (status == DEDPUL_OK) {
        result_show(shown, plan->estimate.method, &begun.call.warnings);
        *result = &shown->public;
        *target = begun.drawing.target;
    } else {
        dedpul_result_free((dedpul_result *)shown);
    }
    end(&begun);
    return status;
}
