#include "evaluation_view.h"

#include "c_locale.h"
#include "handle.h"
#include "number.h"
#include "output_file.h"
#include "result.h"

struct evaluation_view *evaluation_view_create(const dedpul_allocator *allocator, dedpul_error *error)
{
    struct evaluation_view *view = handle_allocate(allocator, sizeof *view, error);
    if (view != NULL)
        arena_init(&view->memory, allocator);
    return view;
}

dedpul_range show_range(const struct range *range)
{
    return (dedpul_range){range->value, range->low, range->high};
}

static dedpul_threshold show_threshold(const struct threshold *at, double total)
{
    return (dedpul_threshold){
        .score = at->score,
        .posterior = at->posterior,
        .rows = at->rows,
        .flagged = at->rows / total,
        .precision = show_range(&at->precision),
        .recall = show_range(&at->recall),
        .lift = show_range(&at->lift),
        .f1 = show_range(&at->f1),
        .fall_out = show_range(&at->fall_out),
        .true_precision = at->truth.precision,
        .true_recall = at->truth.recall,
        .true_lift = at->truth.lift,
        .true_f1 = at->truth.f1,
        .true_fall_out = at->truth.fall_out,
    };
}

static void show_bins(struct evaluation_view *view)
{
    const struct calibration *calibration = &view->evaluation.calibration;
    for (size_t b = 0; b < calibration->n; b++) {
        const struct calibration_bin *from = &calibration->bin[b];
        view->bin[b] = (dedpul_calibration_bin){
            .highest = from->highest,
            .lowest = from->lowest,
            .labeled = from->labeled,
            .unlabeled = from->unlabeled,
            .posterior = from->posterior,
            .share = from->share.value,
            .share_low = from->share.low,
            .share_high = from->share.high,
        };
        view->bins[b] = &view->bin[b];
    }
}

static void show_truth(struct evaluation_view *view)
{
    const struct known_truth *truth = &view->evaluation.truth;
    const struct true_measures *at = &view->evaluation.chosen.truth;
    view->truth = (dedpul_known_truth){
        .rows = truth->rows,
        .positives = truth->positive,
        .alpha = truth->positive / truth->rows,
        .auc = truth->auc,
        .average_precision = truth->average_precision,
        .best_f1 = truth->best_f1,
        .precision = at->precision,
        .recall = at->recall,
        .lift = at->lift,
        .f1 = at->f1,
    };
}

dedpul_status evaluation_view_show(struct context *context, const struct evaluated_estimate *estimate,
                                   const struct evaluation_plan *plan, struct evaluation_view *view)
{
    const struct evaluation *evaluation = &view->evaluation;
    const size_t n = evaluation->n_curve;
    const double total = evaluation->weight_unlabeled;
    view->point = context_allocate_in(context, &view->memory, n, sizeof *view->point);
    view->curve = context_allocate_in(context, &view->memory, n, sizeof(dedpul_threshold *));
    if (view->point == NULL || view->curve == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < n; c++) {
        view->point[c] = show_threshold(&evaluation->curve[c], total);
        view->curve[c] = &view->point[c];
    }
    view->chosen = show_threshold(&evaluation->chosen, total);
    show_bins(view);
    show_truth(view);
    view->warnings = *context->warnings;
    warnings_show(&view->warnings, view->warning);
    view->public = (dedpul_evaluation){
        .size = sizeof view->public,
        .alpha = plan->alpha > 0 ? plan->alpha : estimate->alpha,
        .level = plan->level,
        .auc = show_range(&evaluation->auc),
        .average_precision = show_range(&evaluation->average_precision),
        .best_f1 = show_range(&evaluation->best_f1),
        .threshold = &view->chosen,
        .n_curve = n,
        .curve = view->curve,
        .n_bins = evaluation->calibration.n,
        .bins = view->bins,
        .calibration_difference = evaluation->calibration.difference,
        .calibration_chance = evaluation->calibration.chance,
        .truth = evaluation->truth.rows > 0 ? &view->truth : NULL,
        .n_warnings = view->warnings.n,
        .warnings = view->warning,
        .method = estimate->method->name,
        .n_positive = estimate->n_positive,
        .n_unlabeled = estimate->n_unlabeled,
        .weight_positive = evaluation->weight_labeled,
        .weight_unlabeled = total,
        .goal = (dedpul_goal)plan->request.rule,
        .goal_value = plan->request.value,
    };
    return DEDPUL_OK;
}

void dedpul_evaluation_free(dedpul_evaluation *public)
{
    struct evaluation_view *view = (struct evaluation_view *)public;
    if (view == NULL)
        return;
    const dedpul_allocator allocator = view->memory.allocator;
    arena_free(&view->memory);
    handle_free(allocator, view);
}

/* ---- the curve as a file ---- */

static void write_range(FILE *stream, const dedpul_range *range)
{
    (void)fprintf(stream, ",%.6g,%.6g,%.6g", range->value, range->low, range->high);
}

static void write_truth(FILE *stream, const dedpul_threshold *at)
{
    (void)fprintf(stream, ",%.6g,%.6g,%.6g,%.6g,%.6g", at->true_precision, at->true_recall, at->true_lift,
                  at->true_f1, at->true_fall_out);
}

static void write_curve(FILE *stream, const dedpul_evaluation *evaluation)
{
    const bool has_truth = evaluation->truth != NULL;
    (void)fprintf(stream,
                  "score,posterior,rows,flagged,precision,precision_low,precision_high,recall,recall_low,"
                  "recall_high,lift,lift_low,lift_high,f1,f1_low,f1_high,fall_out,fall_out_low,fall_out_high"
                  "%s\n",
                  has_truth ? ",true_precision,true_recall,true_lift,true_f1,true_fall_out" : "");
    for (size_t c = 0; c < evaluation->n_curve; c++) {
        const dedpul_threshold *at = evaluation->curve[c];
        char text[NUMBER_SIZE];
        (void)fputs(format_double(text, at->score), stream);
        (void)fprintf(stream, ",%.6g,%.10g,%.6g", at->posterior, at->rows, at->flagged);
        write_range(stream, &at->precision);
        write_range(stream, &at->recall);
        write_range(stream, &at->lift);
        write_range(stream, &at->f1);
        write_range(stream, &at->fall_out);
        if (has_truth)
            write_truth(stream, at);
        (void)fputc('\n', stream);
    }
}

static dedpul_status write_whole(const dedpul_evaluation *evaluation, struct output_file *file,
                                 dedpul_error *error)
{
    write_curve(file->stream, evaluation);
    TRY(output_file_close(file, error));
    return output_file_commit(file, error);
}

dedpul_status dedpul_evaluation_write(const dedpul_evaluation *evaluation, const char *path,
                                      dedpul_error *error)
{
    struct output_file file = OUTPUT_FILE_NONE;
    if (evaluation == NULL || path == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT, "evaluation and path must not be NULL");
    const struct c_locale locale = c_locale_begin();
    dedpul_status status = output_file_open(&file, path, error);
    if (status == DEDPUL_OK)
        status = write_whole(evaluation, &file, error);
    c_locale_end(&locale);
    output_file_discard(&file);
    return status;
}
