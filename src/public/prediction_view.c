#include "prediction_view.h"

#include "handle.h"
#include "result.h"

#include <math.h>

struct prediction_view *prediction_view_create(struct context *context, const struct model *model)
{
    const size_t n = model->encoding.n_columns;
    struct prediction_view *view = handle_allocate(&model->memory.allocator, sizeof *view, context->error);
    if (view == NULL)
        return NULL;
    view->rows = (struct predicted){.score = NULL};
    arena_init(&view->memory, &model->memory.allocator);
    view->drift = context_allocate_in(context, &view->memory, n, sizeof *view->drift);
    view->drifted = context_allocate_in(context, &view->memory, n, sizeof(dedpul_drift *));
    if (view->drift != NULL && view->drifted != NULL)
        return view;
    dedpul_prediction_free(&view->public);
    return NULL;
}

static dedpul_drift show_drift(const struct drift *drift)
{
    return (dedpul_drift){
        .column = drift->column,
        .change = drift->change,
        .share_before = drift->share.before,
        .share = drift->share.now,
        .missing_before = drift->missing.before,
        .missing = drift->missing.now,
        .out_of_range = drift->out_of_range,
        .unseen = drift->unseen,
        .mean_before = drift->mean.before,
        .mean = drift->mean.now,
        .distance = drift->distance,
        .chance = drift->chance,
    };
}

void prediction_view_show(const struct warnings *warnings, struct prediction_view *view)
{
    const struct prediction *found = &view->found;
    const struct decision *decision = &found->decision;
    for (size_t i = 0; i < found->drift.n; i++) {
        view->drift[i] = show_drift(&found->drift.column[i]);
        view->drifted[i] = &view->drift[i];
    }
    view->warnings = *warnings;
    warnings_show(&view->warnings, view->warning);
    view->public = (dedpul_prediction){
        .size = sizeof view->public,
        .rows = found->rows,
        .mean_posterior = found->rows > 0 ? found->sum / (double)found->rows : NAN,
        .unseen = found->unseen,
        .unseen_column = found->unseen_column,
        .n_compared = found->drift.n_compared,
        .n_drifted = found->drift.n,
        .drifted = view->drifted,
        .alpha = isnan(decision->share) ? decision->model->solution.proportion.alpha : decision->share,
        .batch_alpha = found->share.alpha,
        .batch_low = found->share.low,
        .batch_high = found->share.high,
        .has_threshold = decision->has_threshold,
        .threshold = decision->has_threshold ? decision->threshold : NAN,
        .flagged = found->flagged,
        .n_warnings = view->warnings.n,
        .warnings = view->warning,
        .score = view->rows.score,
        .posterior = view->rows.posterior,
        .n_kinds = decision->model->kinds.n,
        .kind_names = (const char *const *)decision->model->kinds.name,
        .kind_posterior = decision->model->kinds.n > 0 ? view->rows.kind_posterior : NULL,
    };
}

void dedpul_prediction_free(dedpul_prediction *public)
{
    struct prediction_view *view = (struct prediction_view *)public;
    if (view == NULL)
        return;
    const dedpul_allocator allocator = view->memory.allocator;
    arena_free(&view->memory);
    handle_free(allocator, view);
}
