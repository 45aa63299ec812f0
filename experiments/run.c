#include "run.h"

#include "clock.h"
#include "metrics.h"
#include "options.h"
#include "prepare.h"
#include "result.h"

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
                            .seconds = NAN};
    int used =
        snprintf(row->setting, sizeof row->setting, "%s/%s", kind_name(experiment->kind), experiment->preset);
    for (size_t i = 0; i < experiment->n_options && used < (int)sizeof row->setting; i++)
        used += snprintf(row->setting + used, sizeof row->setting - (size_t)used, "+%s=%s",
                         experiment->option[i][0], experiment->option[i][1]);
    (void)snprintf(row->set, sizeof row->set, "%s", run->set->name);
    (void)snprintf(row->method, sizeof row->method, "%s", variant->name);
}

/* The options of the fit, or of a method on it. */
static dedpul_status set_options(const struct run *run, const struct variant *variant,
                                 dedpul_fit_options *options, dedpul_error *error)
{
    const struct experiment *experiment = run->experiment;
    dedpul_fit_options_init(options);
    TRY(dedpul_fit_options_set(options, "preset", experiment->preset, error));
    if (is_as_published(experiment))
        TRY(protocol_set_options(run->set, options, error));
    if (is_as_published(experiment) && variant != NULL && variant->answers == ANSWERS_POSTERIORS)
        TRY(protocol_set_nnpu(run->set, options, error));
    for (size_t i = 0; i < experiment->n_options; i++)
        TRY(dedpul_fit_options_set(options, experiment->option[i][0], experiment->option[i][1], error));
    if (variant != NULL)
        TRY(protocol_set_variant(run->set, variant, options, error));
    options->estimate.seed += run->repeat;
    options->estimate.threads = run->threads;
    options->progress = run->progress;
    options->progress_context = run->progress_context;
    return fit_options_check(options, error);
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

/* The estimate, with the share given unless it is NaN. */
static dedpul_status estimate(struct context *context, const struct fit *fit, dedpul_fit_options *options,
                              double alpha, dedpul_result **result)
{
    struct fit own = *fit;
    *result = NULL;
    options->estimate.alpha = alpha;
    own.options = options;
    return estimate_fit(context, &own, &options->estimate, result);
}

static dedpul_status estimate_share(struct context *context, const struct drawing *drawing,
                                    const struct fit *fit, dedpul_fit_options *options, struct outcome *row)
{
    dedpul_result *result;
    const dedpul_status status = estimate(context, fit, options, NAN, &result);
    if (status == DEDPUL_OK) {
        row->estimate = result->alpha;
        row->abs_error = fabs(result->alpha - drawing->target);
    }
    dedpul_result_free(result);
    return status;
}

/* With the target given. */
static dedpul_status classify(struct context *context, const struct drawing *drawing, const struct fit *fit,
                              dedpul_fit_options *options, struct outcome *row)
{
    const size_t first = drawing->n_labeled, n = drawing->table.n_rows - first;
    const double *known = drawing->posterior != NULL ? drawing->posterior + first : NULL;
    struct metrics metrics;
    dedpul_result *result;
    dedpul_status status = estimate(context, fit, options, drawing->target, &result);
    if (status == DEDPUL_OK)
        status = measure(context, n, result->posterior, drawing->truth + first, known, &metrics);
    if (status == DEDPUL_OK) {
        row->posterior_mae = metrics.posterior_mae;
        row->error = metrics.error;
        row->f1 = metrics.f1;
        row->roc_auc = metrics.roc_auc;
    }
    dedpul_result_free(result);
    return status;
}

static dedpul_status run_method(struct context *context, const struct run *run, const struct drawing *drawing,
                                const struct fit *fit, const struct variant *variant, struct outcome *row)
{
    dedpul_fit_options options;
    TRY(set_options(run, variant, &options, context->error));
    if (variant->answers != ANSWERS_POSTERIORS)
        TRY(estimate_share(context, drawing, fit, &options, row));
    if (variant->answers != ANSWERS_ALPHA)
        TRY(classify(context, drawing, fit, &options, row));
    return DEDPUL_OK;
}

/* Fills in the rows of all methods that are wanted; a method that fails leaves its message and no row. */
static dedpul_status run_all(struct context *context, const struct run *run, const struct drawing *drawing,
                             const struct fit *fit, double shared_seconds, struct outcome *row,
                             size_t *n_rows, dedpul_error *failure)
{
    const struct variant *variant;
    for (unsigned k = 0; (variant = variant_at(k)) != NULL; k++) {
        struct block *mark = context_mark(context);
        dedpul_error own = {DEDPUL_OK, ""}, *const callers = context->error;
        const double began = clock_seconds();
        if ((run->wanted >> k & 1) == 0)
            continue;
        run_describe(run, variant, &row[*n_rows]);
        row[*n_rows].target = drawing->target;
        context->error = fit->model->memory.error = &own;
        const dedpul_status status = run_method(context, run, drawing, fit, variant, &row[*n_rows]);
        context->error = fit->model->memory.error = callers;
        context_release(context, mark);
        if (status == DEDPUL_CANCELLED)
            return error_set(callers, status, "%s", own.message);
        if (status == DEDPUL_OK)
            row[(*n_rows)++].seconds = clock_seconds() - began + (variant->needs_table ? 0 : shared_seconds);
        else if (failure->status == DEDPUL_OK)
            error_fill(failure, status, "%s, alpha %g, repeat %u, %s: %s", run->set->name, run->size->alpha,
                       run->repeat, variant->name, own.message);
    }
    return DEDPUL_OK;
}

/* What both a run and the example begin with: the sample and its cross-fitted scores. To be closed in any
 * case. */
struct begun {
    dedpul_fit_options options;
    struct context context;
    struct drawing drawing;
    struct fit fit;
};

static dedpul_status begin(struct begun *begun, const struct run *run, const struct dataset *dataset,
                           dedpul_error *error)
{
    begun->fit = (struct fit){.options = &begun->options, .table = &begun->drawing.table};
    context_init(&begun->context, NULL, error);
    TRY(set_options(run, NULL, &begun->options, error));
    options_begin(&begun->options.estimate, error, &begun->context);
    TRY(draw(&begun->context, run, dataset, &begun->drawing));
    begun->fit.model = model_create(NULL, error);
    return begun->fit.model != NULL ? prepare(&begun->context, &begun->fit, 0) : DEDPUL_NO_MEMORY;
}

static void end(struct begun *begun)
{
    if (begun->fit.model != NULL)
        begun->fit.model->memory.error = NULL; /* the caller's, for this call only */
    dedpul_model_free(begun->fit.model);
    context_free(&begun->context);
}

dedpul_status run_do(const struct run *run, const struct dataset *dataset, struct outcome *row,
                     size_t *n_rows, dedpul_error *failure, dedpul_error *error)
{
    struct begun begun;
    const double began = clock_seconds();
    *failure = (dedpul_error){DEDPUL_OK, ""};
    *n_rows = 0;
    dedpul_status status = begin(&begun, run, dataset, error);
    if (status == DEDPUL_OK)
        status = run_all(&begun.context, run, &begun.drawing, &begun.fit, clock_seconds() - began, row,
                         n_rows, failure);
    end(&begun);
    return status;
}

dedpul_status example_curve(dedpul_result **result, double *target, dedpul_error *error)
{
    const struct experiment experiment = {.kind = KIND_SYNTHETIC, .preset = "paper"};
    struct run run = {.experiment = &experiment, .place = 1};
    struct begun begun;
    run.set = set_at(run.place);
    run.size = &run.set->sample[3];
    dedpul_status status = begin(&begun, &run, NULL, error);
    if (status == DEDPUL_OK)
        status = estimate(&begun.context, &begun.fit, &begun.options, NAN, result);
    if (status == DEDPUL_OK)
        *target = begun.drawing.target;
    end(&begun);
    return status;
}
