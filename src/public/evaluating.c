/* How good scores are, without known negatives. */
#include "arrays.h"
#include "c_locale.h"
#include "evaluate_options.h"
#include "evaluation.h"
#include "handle.h"
#include "logistic.h"
#include "number.h"
#include "output_file.h"
#include "result.h"

_Static_assert((int)TRUTH_UNKNOWN == DEDPUL_TRUTH_UNKNOWN, "unknown classes agree");

/* The public evaluation, and the data that it shows. */
struct evaluation_handle {
    dedpul_evaluation public; /* first: a dedpul_evaluation * is a struct evaluation_handle * */
    struct arena memory;      /* holds the curve */
    struct evaluation evaluation;
    dedpul_threshold chosen, *point; /* point: (n_curve) */
    const dedpul_threshold **curve;  /* (n_curve) */
    dedpul_calibration_bin bin[CALIBRATION_BINS_MOST];
    const dedpul_calibration_bin *bins[CALIBRATION_BINS_MOST];
    dedpul_known_truth truth;
    struct warnings warnings;
    dedpul_warning warning[WARNING_KINDS];
};

static double alpha_of(const dedpul_result *result, const dedpul_evaluate_options *options)
{
    return isnan(options->alpha) ? result->alpha : options->alpha;
}

/* ---- input ---- */

static dedpul_status check_result(const dedpul_result *result, double alpha, dedpul_error *error)
{
    const struct estimator *method = estimator_find(result->method, error);
    if (method == NULL)
        return DEDPUL_INVALID_ARGUMENT;
    if (method->training != RISK_CLASSES)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the posteriors of method %s are from networks of its own, not from the scores: "
                         "evaluate another method",
                         result->method);
    if (!(alpha > 0 && alpha < 1))
        return error_set(error, DEDPUL_INVALID_DATA,
                         "alpha is %g, so all unlabeled rows count as %s: there is nothing to evaluate",
                         alpha, alpha > 0 ? "positive" : "negative");
    if (result->n_quantiles != 0 && result->n_quantiles != N_QUANTILES)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "the result has %zu quantiles of alpha instead of %d", result->n_quantiles,
                         N_QUANTILES);
    return DEDPUL_OK;
}

static dedpul_status check_rows(const dedpul_result *result, const dedpul_sample *rows,
                                const unsigned char *label, dedpul_error *error)
{
    size_t unlabeled = 0;
    TRY(check_labels(rows->n, label, error));
    for (size_t i = 0; i < rows->n; i++)
        unlabeled += label[i] == 0;
    if (unlabeled != result->n_unlabeled || rows->n - unlabeled != result->n_positive)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "there are %zu labeled and %zu unlabeled rows, but the result is about %zu and %zu",
                         rows->n - unlabeled, unlabeled, result->n_positive, result->n_unlabeled);
    return check_weights("", rows->n, rows->weight, error);
}

/* Copies the classes of the unlabeled rows. */
static dedpul_status read_truth(struct context *context, size_t n, const unsigned char *label,
                                const unsigned char *truth, const unsigned char **of_unlabeled)
{
    unsigned char *copy = context_allocate(context, n, sizeof *copy);
    size_t known[2] = {0, 0}, k = 0;
    if (copy == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        if (truth[i] > TRUTH_UNKNOWN)
            return error_set(context->error, DEDPUL_INVALID_DATA, "truth[%zu] is %d: it must be 1, 0 or %d",
                             i, truth[i], TRUTH_UNKNOWN);
        if (label[i] != 0)
            continue;
        if (truth[i] != TRUTH_UNKNOWN)
            known[truth[i]]++;
        copy[k++] = truth[i];
    }
    if (known[0] + known[1] == 0)
        return error_set(context->error, DEDPUL_INVALID_DATA,
                         "no class of an unlabeled row is known: there is nothing to check the estimates by");
    if (known[0] == 0 || known[1] == 0)
        return error_set(
            context->error, DEDPUL_INVALID_DATA,
            "the %zu unlabeled rows whose class is known are all %s: it takes rows of both classes "
            "to check the estimates",
            known[0] + known[1], known[0] == 0 ? "positive" : "negative");
    *of_unlabeled = copy;
    return DEDPUL_OK;
}

static struct alpha_quantiles read_quantiles(const dedpul_result *result)
{
    struct alpha_quantiles quantiles = {{0}};
    for (size_t k = 0; k < result->n_quantiles; k++)
        quantiles.logit[k] = logit_of(result->quantiles[k]);
    return quantiles;
}

static dedpul_status run(struct context *context, const dedpul_result *result, const dedpul_sample *rows,
                         const unsigned char *label, const unsigned char *truth,
                         const dedpul_evaluate_options *options, struct evaluation_handle *shown)
{
    const struct scored_rows scored = {.n = rows->n, .score = rows->score, .weight = rows->weight};
    const struct score_input input = {scored, scored, label, NULL};
    const struct alpha_quantiles quantiles = read_quantiles(result);
    const bool is_supposed = !isnan(options->alpha);
    const bool is_certain = is_supposed || result->rule == DEDPUL_RULE_GIVEN;
    struct evaluation_input evaluated = {
        .rows = &input,
        .values = {.ratio = result->ratio, .posterior = result->posterior},
        .belief = {.alpha = alpha_of(result, options),
                   .quantiles = result->n_quantiles > 0 && !is_certain ? &quantiles : NULL,
                   .is_supposed = is_supposed},
    };
    const struct evaluation_plan plan = {evaluate_options_request(options), options->level};
    TRY(result_scales(result, &evaluated.belief.scales, context->error));
    if (truth != NULL)
        TRY(read_truth(context, rows->n, label, truth, &evaluated.values.truth));
    if (result->n_quantiles == 0 && !is_certain)
        context_warn(
            context, DEDPUL_WARNING_ALPHA_AS_KNOWN,
            "ranges leave out that alpha is uncertain: method %s does not know its distribution. The "
            "methods pooled and learned do",
            result->method);
    return evaluate(context, &evaluated, &plan, &shown->memory, &shown->evaluation);
}

/* ---- the public view ---- */

static dedpul_range show_range(const struct range *range)
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

static void show_bins(struct evaluation_handle *shown)
{
    const struct calibration *calibration = &shown->evaluation.calibration;
    for (size_t b = 0; b < calibration->n; b++) {
        const struct calibration_bin *from = &calibration->bin[b];
        shown->bin[b] = (dedpul_calibration_bin){
            .highest = from->highest,
            .lowest = from->lowest,
            .labeled = from->labeled,
            .unlabeled = from->unlabeled,
            .posterior = from->posterior,
            .share = from->share.value,
            .share_low = from->share.low,
            .share_high = from->share.high,
        };
        shown->bins[b] = &shown->bin[b];
    }
}

static void show_truth(struct evaluation_handle *shown)
{
    const struct known_truth *truth = &shown->evaluation.truth;
    const struct true_measures *at = &shown->evaluation.chosen.truth;
    shown->truth = (dedpul_known_truth){
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

static dedpul_status show(struct context *context, const dedpul_result *result,
                          const dedpul_evaluate_options *options, bool has_truth,
                          struct evaluation_handle *shown)
{
    const struct evaluation *evaluation = &shown->evaluation;
    const size_t n = evaluation->n_curve;
    const double total = evaluation->weight_unlabeled;
    shown->point = context_allocate_in(context, &shown->memory, n, sizeof *shown->point);
    shown->curve = context_allocate_in(context, &shown->memory, n, sizeof(dedpul_threshold *));
    if (shown->point == NULL || shown->curve == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t c = 0; c < n; c++) {
        shown->point[c] = show_threshold(&evaluation->curve[c], total);
        shown->curve[c] = &shown->point[c];
    }
    shown->chosen = show_threshold(&evaluation->chosen, total);
    show_bins(shown);
    show_truth(shown);
    shown->warnings = *context->warnings;
    warnings_show(&shown->warnings, shown->warning);
    shown->public = (dedpul_evaluation){
        .size = sizeof shown->public,
        .alpha = alpha_of(result, options),
        .level = options->level,
        .auc = show_range(&evaluation->auc),
        .average_precision = show_range(&evaluation->average_precision),
        .best_f1 = show_range(&evaluation->best_f1),
        .threshold = &shown->chosen,
        .n_curve = n,
        .curve = shown->curve,
        .n_bins = evaluation->calibration.n,
        .bins = shown->bins,
        .calibration_difference = evaluation->calibration.difference,
        .calibration_chance = evaluation->calibration.chance,
        .truth = has_truth ? &shown->truth : NULL,
        .n_warnings = shown->warnings.n,
        .warnings = shown->warning,
    };
    return DEDPUL_OK;
}

void dedpul_evaluation_free(dedpul_evaluation *public)
{
    struct evaluation_handle *shown = (struct evaluation_handle *)public;
    if (shown == NULL)
        return;
    const dedpul_allocator allocator = shown->memory.allocator;
    arena_free(&shown->memory);
    handle_free(allocator, shown);
}

dedpul_status dedpul_evaluate(const dedpul_result *result, const dedpul_sample *rows,
                              const unsigned char *label, const unsigned char *truth,
                              const dedpul_evaluate_options *given, dedpul_evaluation **public,
                              dedpul_error *error)
{
    dedpul_evaluate_options options;
    struct warnings warnings = {.n = 0};
    struct arena arena;
    if (result == NULL || result->method == NULL || rows == NULL || rows->score == NULL || label == NULL ||
        public == NULL)
        return error_set(error, DEDPUL_INVALID_ARGUMENT,
                         "result, rows, their scores, label and evaluation must not be NULL");
    TRY(evaluate_options_read(given, &options, error));
    TRY(check_result(result, alpha_of(result, &options), error));
    TRY(check_rows(result, rows, label, error));
    struct evaluation_handle *shown = handle_allocate(options.allocator, sizeof *shown, error);
    if (shown == NULL)
        return DEDPUL_NO_MEMORY;
    arena_init(&shown->memory, options.allocator);
    arena_init(&arena, options.allocator);
    struct context context = context_of(&arena, &warnings, error);
    context.threads = threads_or_default(options.threads);
    dedpul_status status = run(&context, result, rows, label, truth, &options, shown);
    if (status == DEDPUL_OK)
        status = show(&context, result, &options, truth != NULL, shown);
    arena_free(&arena);
    if (status == DEDPUL_OK)
        *public = &shown->public;
    else
        dedpul_evaluation_free(&shown->public);
    return status;
}

/* ---- the curve as a file ---- */

static void write_range(FILE *stream, const dedpul_range *range)
{
    (void)fprintf(stream, ",%.6g,%.6g,%.6g", range->value, range->low, range->high);
}

static void write_curve(FILE *stream, const dedpul_evaluation *evaluation)
{
    (void)fputs("score,posterior,rows,flagged,precision,precision_low,precision_high,recall,recall_low,"
                "recall_high,lift,lift_low,lift_high,f1,f1_low,f1_high,fall_out,fall_out_low,fall_out_high\n",
                stream);
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
