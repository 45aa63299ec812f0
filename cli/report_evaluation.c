#include "report_evaluation.h"

#include "answer.h"
#include "evaluation_output.h"
#include "html.h"
#include "json_output.h"
#include "report_parts.h"

#include <stddef.h>

/* ---- the evaluations ---- */

bool find_alpha_range(const struct report *report, double end[2])
{
    const dedpul_result *result = report->result;
    const dedpul_model_info *model = report->model;
    const size_t n = result != NULL ? result->n_quantiles : model->n_quantiles;
    const double *quantile = result != NULL ? result->quantiles : model->quantiles;
    if ((result != NULL ? result->rule : model->rule) == DEDPUL_RULE_GIVEN)
        return false;
    if (result != NULL && has_interval(result)) {
        end[0] = result->interval->low;
        end[1] = result->interval->high;
        return true;
    }
    if (n == 0)
        return false;
    end[0] = quantile[0];
    end[1] = quantile[n - 1];
    return true;
}

static dedpul_status evaluate(const struct report *report, const dedpul_evaluate_options *options,
                              dedpul_evaluation **evaluation, dedpul_error *error)
{
    if (report->fitted != NULL)
        return dedpul_model_evaluate(report->fitted, options, evaluation, error);
    return dedpul_evaluate(report->result, &report->rows, report->label, report->truth, options, evaluation,
                           error);
}

/* Adds an evaluation; alpha is NaN for that of the result. Where there is nothing to evaluate, none. */
static void add_evaluation(const struct report *report, const char *words, double alpha,
                           struct evaluations *evaluations)
{
    dedpul_evaluate_options options = *report->evaluate;
    dedpul_error error;
    dedpul_evaluation *evaluation;
    options.alpha = alpha;
    if (evaluate(report, &options, &evaluation, &error) == DEDPUL_OK)
        evaluations->item[evaluations->n++] = (struct supposed){words, evaluation};
    else if (isnan(alpha))
        evaluations->obstacle = error;
}

void evaluations_make(const struct report *report, struct evaluations *evaluations)
{
    double end[2];
    *evaluations = (struct evaluations){.n = 0};
    const bool has_ends = find_alpha_range(report, end);
    if (has_ends)
        add_evaluation(report, "the low end of its range", end[0], evaluations);
    evaluations->estimate = evaluations->n;
    add_evaluation(report, "as estimated", NAN, evaluations);
    if (evaluations->n == evaluations->estimate) {
        evaluations_free(evaluations);
        return;
    }
    if (has_ends)
        add_evaluation(report, "the high end of its range", end[1], evaluations);
}

void evaluations_free(struct evaluations *evaluations)
{
    for (size_t i = 0; i < evaluations->n; i++)
        dedpul_evaluation_free(evaluations->item[i].evaluation);
    evaluations->n = 0;
}

static const dedpul_evaluation *estimate_of(const struct evaluations *evaluations)
{
    return evaluations->item[evaluations->estimate].evaluation;
}

/* ---- the numbers behind the charts ---- */

/* What a page shows has fewer digits; a page stays small. */
static json_t *rounded(double number)
{
    return number_or_null(round(number * 1e4) / 1e4);
}

/* A page keeps about this many thresholds of a curve, so that it stays small. */
enum { PLACES = 200 };

static bool is_kept(const dedpul_evaluation *evaluation, size_t c)
{
    return c % (1 + evaluation->n_curve / PLACES) == 0 || c + 1 == evaluation->n_curve ||
           evaluation->curve[c]->score == evaluation->threshold->score;
}

/* How many of them are kept before one. */
static size_t count_kept(const dedpul_evaluation *evaluation, size_t end)
{
    size_t n = 0;
    for (size_t c = 0; c < end; c++)
        n += is_kept(evaluation, c);
    return n;
}

static double number_at(const dedpul_threshold *at, size_t offset)
{
    return *(const double *)((const char *)at + offset);
}

static json_t *curve_column(const dedpul_evaluation *evaluation, size_t offset, json_t *(*make)(double))
{
    json_t *column = json_array();
    for (size_t c = 0; c < evaluation->n_curve; c++)
        if (is_kept(evaluation, c))
            (void)json_array_append_new(column, make(number_at(evaluation->curve[c], offset)));
    return column;
}

/* Estimates, and the ends of their ranges. */
static json_t *range_columns(const dedpul_evaluation *evaluation, size_t offset)
{
    return json_pack("[o, o, o]", curve_column(evaluation, offset + offsetof(dedpul_range, value), rounded),
                     curve_column(evaluation, offset + offsetof(dedpul_range, low), rounded),
                     curve_column(evaluation, offset + offsetof(dedpul_range, high), rounded));
}

/* The measures of a threshold, and where their ranges and true values are. */
#define MEASURE(name)                                                                    \
    {                                                                                    \
#name, offsetof(dedpul_threshold, name), offsetof(dedpul_threshold, true_##name) \
    }
static const struct {
    const char *name;
    size_t range, truth;
} measures[] = {MEASURE(precision), MEASURE(recall), MEASURE(lift), MEASURE(f1), MEASURE(fall_out)};
#undef MEASURE

enum { N_MEASURES = sizeof measures / sizeof measures[0] };

static json_t *curve_object(const dedpul_evaluation *evaluation)
{
    json_t *curve =
        json_pack("{s:o, s:o, s:o}", "score",
                  curve_column(evaluation, offsetof(dedpul_threshold, score), number_or_null), "posterior",
                  curve_column(evaluation, offsetof(dedpul_threshold, posterior), rounded), "rows",
                  curve_column(evaluation, offsetof(dedpul_threshold, rows), number_or_null));
    for (size_t m = 0; m < N_MEASURES; m++)
        (void)json_object_set_new(curve, measures[m].name, range_columns(evaluation, measures[m].range));
    return curve;
}

static json_t *truth_object(const dedpul_evaluation *evaluation)
{
    json_t *truth = json_object();
    for (size_t m = 0; m < N_MEASURES; m++)
        (void)json_object_set_new(truth, measures[m].name,
                                  curve_column(evaluation, measures[m].truth, rounded));
    return truth;
}

/* Mean posterior, share of positives by labeled rows, and the ends of its range. */
static json_t *bins_array(const dedpul_evaluation *evaluation)
{
    json_t *bins = json_array();
    for (size_t b = 0; b < evaluation->n_bins; b++) {
        const dedpul_calibration_bin *bin = evaluation->bins[b];
        (void)json_array_append_new(bins,
                                    json_pack("[o, o, o, o]", rounded(bin->posterior), rounded(bin->share),
                                              rounded(bin->share_low), rounded(bin->share_high)));
    }
    return bins;
}

/* The place of the threshold in force among those kept; null if it flags no row. */
static json_t *place_of_threshold(const dedpul_evaluation *evaluation)
{
    for (size_t c = 0; c < evaluation->n_curve; c++)
        if (evaluation->curve[c]->score == evaluation->threshold->score)
            return json_integer((json_int_t)count_kept(evaluation, c));
    return json_null();
}

static json_t *evaluation_object(const struct supposed *supposed)
{
    const dedpul_evaluation *evaluation = supposed->evaluation;
    json_t *object = json_pack("{s:f, s:o, s:o, s:o}", "alpha", evaluation->alpha, "threshold",
                               place_of_threshold(evaluation), "curve", curve_object(evaluation), "bins",
                               bins_array(evaluation));
    if (evaluation->truth != NULL)
        (void)json_object_set_new(object, "truth", truth_object(evaluation));
    return object;
}

json_t *evaluations_data(const struct evaluations *evaluations)
{
    json_t *array = json_array();
    for (size_t i = 0; i < evaluations->n; i++)
        (void)json_array_append_new(array, evaluation_object(&evaluations->item[i]));
    return json_pack("{s:I, s:f, s:o}", "estimate", (json_int_t)evaluations->estimate, "total",
                     estimate_of(evaluations)->weight_unlabeled, "supposed", array);
}

/* ---- the section ---- */

static void print_doubts(FILE *stream, const void *evaluations)
{
    const dedpul_evaluation *evaluation = estimate_of(evaluations);
    if (evaluation->n_warnings == 0)
        return;
    (void)fputs("<div class=\"warnings\" id=\"evaluation-warnings\">\n", stream);
    print_warning_items(stream, evaluation->n_warnings, evaluation->warnings);
    (void)fputs("</div>\n", stream);
}

static void print_measure(FILE *stream, const struct measure_line *line, bool has_truth)
{
    (void)fprintf(stream, "<tr><td class=\"text\">%s</td>", line->name);
    if (isnan(line->range->value))
        (void)fputs("<td>none</td><td></td>", stream);
    else
        (void)fprintf(stream, "<td>%.4f</td><td>%.4f to %.4f</td>", line->range->value, line->range->low,
                      line->range->high);
    if (has_truth && isnan(line->truth))
        (void)fputs("<td>none</td>", stream);
    else if (has_truth)
        (void)fprintf(stream, "<td>%.4f%s</td>", line->truth,
                      truth_is_outside(line) ? ", out of the range" : "");
    (void)fprintf(stream, "<td class=\"text long\">%s</td></tr>\n", line->meaning);
}

/* The threshold in force, over all columns of the table. */
static void print_cut(FILE *stream, const dedpul_threshold *at, double total, int columns)
{
    (void)fprintf(stream, "<tr><th scope=\"rowgroup\" class=\"text long\" colspan=\"%d\">", columns);
    if (at->rows == 0)
        (void)fputs("No unlabeled row is flagged: none has that score, or for none is that worth its cost.",
                    stream);
    else
        (void)fprintf(stream,
                      "%.10g of %.10g unlabeled rows have a score of at least %.6g, where the posterior is "
                      "%.4f. If these are flagged:",
                      at->rows, total, at->score, at->posterior);
    (void)fputs("</th></tr>\n", stream);
}

static void print_measures(FILE *stream, const void *evaluations)
{
    const dedpul_evaluation *evaluation = estimate_of(evaluations);
    const bool has_truth = evaluation->truth != NULL;
    struct measure_line order[N_ORDER_LINES], cut[N_CUT_LINES];
    order_lines(evaluation, order);
    cut_lines(evaluation, cut);
    (void)fprintf(stream,
                  "<thead><tr><th scope=\"col\" class=\"text\">measure</th><th scope=\"col\">estimate</th>"
                  "<th scope=\"col\">%g%% range</th>%s<th scope=\"col\" class=\"text long\">what it is</th>"
                  "</tr></thead>\n<tbody>\n",
                  100 * evaluation->level, has_truth ? "<th scope=\"col\">truth</th>" : "");
    for (size_t i = 0; i < N_ORDER_LINES; i++)
        print_measure(stream, &order[i], has_truth);
    (void)fputs("</tbody>\n<tbody>\n", stream);
    print_cut(stream, evaluation->threshold, evaluation->weight_unlabeled, has_truth ? 5 : 4);
    for (size_t i = 0; i < N_CUT_LINES && !isnan(evaluation->threshold->score); i++)
        print_measure(stream, &cut[i], has_truth);
    (void)fputs("</tbody>\n", stream);
}

static void print_last(FILE *stream, const void *evaluations)
{
    const dedpul_evaluation *evaluation = estimate_of(evaluations);
    (void)fprintf(stream, "%zu", count_kept(evaluation, evaluation->n_curve) - 1);
}

/* A choice of alpha, if there is one. */
static void print_suppose(FILE *stream, const void *what)
{
    const struct evaluations *evaluations = what;
    if (evaluations->n < 2)
        return;
    (void)fputs("<fieldset id=\"suppose\">\n<legend>with alpha</legend>\n", stream);
    for (size_t i = 0; i < evaluations->n; i++)
        (void)fprintf(stream,
                      "<label><input type=\"radio\" name=\"suppose\" value=\"%zu\"%s> %.4f, %s</label>\n", i,
                      i == evaluations->estimate ? " checked" : "", evaluations->item[i].evaluation->alpha,
                      evaluations->item[i].words);
    (void)fputs("</fieldset>\n", stream);
}

static void print_keys(FILE *stream, const void *evaluations)
{
    const dedpul_evaluation *evaluation = estimate_of(evaluations);
    (void)fprintf(stream,
                  "<span class=\"key smoothed\">estimate</span> <span class=\"key band\">%g%% range</span> "
                  "<span class=\"key marker\">the threshold chosen</span>%s",
                  100 * evaluation->level,
                  evaluation->truth != NULL ? " <span class=\"key estimate\">truth</span>" : "");
}

static void print_bin_keys(FILE *stream, const void *evaluations)
{
    const dedpul_evaluation *evaluation = estimate_of(evaluations);
    (void)fprintf(stream,
                  "<span class=\"key reference\">bins</span> <span class=\"key band\">%g%% range</span> "
                  "<span class=\"key full\">the threshold chosen</span>",
                  100 * evaluation->level);
    if (evaluation->n_bins > 1)
        (void)fprintf(stream,
                      " Mean difference: %.4f; that chance makes them differ so much has the probability "
                      "%.2g.",
                      evaluation->calibration_difference, evaluation->calibration_chance);
}

static const struct html_slot slots[] = {
    {"doubts", print_doubts},   {"measures", print_measures}, {"last", print_last},
    {"suppose", print_suppose}, {"keys", print_keys},         {"bin_keys", print_bin_keys},
};

extern const unsigned char page_evaluation_html[]; /* cli/report/evaluation.html */
extern const size_t page_evaluation_html_size;

void evaluations_print(FILE *stream, const struct evaluations *evaluations)
{
    if (evaluations->n > 0) {
        html_template(stream, page_evaluation_html_size, page_evaluation_html, slots, evaluations);
        return;
    }
    (void)fputs("<p class=\"note\" id=\"no-evaluation\">How good the scores are cannot be told: ", stream);
    html_text(stream, evaluations->obstacle.message);
    (void)fputs(".</p>\n", stream);
}
