#include "evaluation_output.h"

#include "answer.h"
#include "message.h"

/* ---- for people ---- */

static const dedpul_known_truth *truth_of(const dedpul_evaluation *evaluation)
{
    static const dedpul_known_truth none;
    return evaluation->truth != NULL ? evaluation->truth : &none;
}

void order_lines(const dedpul_evaluation *evaluation, struct measure_line line[N_ORDER_LINES])
{
    const dedpul_known_truth *truth = truth_of(evaluation);
    line[0] = (struct measure_line){"AUC", &evaluation->auc, truth->auc,
                                    "a positive scores higher than a negative"};
    line[1] = (struct measure_line){"average precision", &evaluation->average_precision,
                                    truth->average_precision, "mean precision over the positives"};
    line[2] = (struct measure_line){"best F1", &evaluation->best_f1, truth->best_f1, "of all thresholds"};
}

void cut_lines(const dedpul_evaluation *evaluation, struct measure_line line[N_CUT_LINES])
{
    const dedpul_threshold *at = evaluation->threshold;
    const dedpul_known_truth *truth = truth_of(evaluation);
    line[0] = (struct measure_line){"precision", &at->precision, truth->precision,
                                    "of the flagged rows are positive"};
    line[1] = (struct measure_line){"recall", &at->recall, truth->recall, "of the positives are flagged"};
    line[2] = (struct measure_line){"lift", &at->lift, truth->lift,
                                    "times as many positives as among all unlabeled rows"};
    line[3] = (struct measure_line){"F1", &at->f1, truth->f1, "harmonic mean of precision and recall"};
}

bool truth_is_outside(const struct measure_line *line)
{
    const double rounding = 5e-5; /* of what is printed */
    return line->truth < line->range->low - rounding || line->truth > line->range->high + rounding;
}

static void print_line(const struct measure_line *line, bool has_truth)
{
    printf("  %-18s", line->name);
    if (isnan(line->range->value))
        printf("%-8s  %-18s", "none", "");
    else
        printf("%-8.4f  %.4f to %-8.4f", line->range->value, line->range->low, line->range->high);
    if (has_truth && isnan(line->truth))
        printf("  %-8s", "none");
    else if (has_truth)
        printf("  %.4f%-2s", line->truth, truth_is_outside(line) ? "!" : "");
    printf("  %s\n", line->meaning);
}

static void print_lines(size_t n, const struct measure_line *line, const dedpul_evaluation *evaluation)
{
    bool is_any_outside = false;
    for (size_t i = 0; i < n; i++) {
        print_line(&line[i], evaluation->truth != NULL);
        is_any_outside = is_any_outside || (evaluation->truth != NULL && truth_is_outside(&line[i]));
    }
    if (is_any_outside)
        (void)puts("  ! The truth is out of the range.");
}

static void print_head(const struct evaluated *evaluated)
{
    const dedpul_evaluation *evaluation = evaluated->evaluation;
    const dedpul_known_truth *truth = evaluation->truth;
    print_text(evaluated->file);
    (void)fputs(": ", stdout);
    if (evaluated->has_labels_of_fit)
        printf("%zu unlabeled rows; the %.10g labeled rows are those of the fit", evaluation->n_unlabeled,
               evaluation->weight_positive);
    else
        print_rows(stdout, evaluation->n_positive, evaluation->n_unlabeled, evaluation->weight_positive,
                   evaluation->weight_unlabeled);
    printf("\n\n  %-18s%-8.4f  share of positives among the unlabeled (method %s)\n", "alpha",
           evaluation->alpha, evaluation->method);
    if (truth != NULL)
        printf("  %-18s%-8.4f  share of positives among the %.10g unlabeled rows whose class is known\n",
               "true alpha", truth->alpha, truth->rows);
    printf("\n  %-18s%-8s  %g%% range%s\n", "", "estimate", 100 * evaluation->level,
           truth != NULL ? "           truth" : "");
}

static void print_cut(const dedpul_threshold *at, double total)
{
    if (at->rows == 0) {
        (void)puts("\n  No unlabeled row is flagged: none has that score, or for none is that worth its "
                   "cost. Ask for\n"
                   "  another threshold (--top, --share, --max f1).");
        return;
    }
    printf("\n  %-18s%-8.4g  rows with at least this score are flagged; the posterior at it is %.4f\n",
           "threshold", at->score, at->posterior);
    printf("  %-18s%-8.4f  %.10g of %.10g unlabeled rows\n", "flagged", at->flagged, at->rows, total);
}

void print_threshold(const dedpul_evaluation *evaluation)
{
    struct measure_line cut[N_CUT_LINES];
    cut_lines(evaluation, cut);
    print_cut(evaluation->threshold, evaluation->weight_unlabeled);
    if (!isnan(evaluation->threshold->score))
        print_lines(N_CUT_LINES, cut, evaluation);
}

static void print_calibration(const dedpul_evaluation *evaluation)
{
    if (evaluation->n_bins < 2)
        return;
    printf("\n  %-18s%-8.4f  mean difference between posteriors and what labeled rows say\n", "calibration",
           evaluation->calibration_difference);
    printf("  %-18s%-8.2g  probability that chance makes them differ so much\n", "chance",
           evaluation->calibration_chance);
}

bool print_evaluation(const struct evaluated *evaluated)
{
    const dedpul_evaluation *evaluation = evaluated->evaluation;
    struct measure_line order[N_ORDER_LINES];
    order_lines(evaluation, order);
    print_head(evaluated);
    print_lines(N_ORDER_LINES, order, evaluation);
    print_threshold(evaluation);
    print_calibration(evaluation);
    return flush_output();
}

/* ---- for programs ---- */

json_t *threshold_object(const dedpul_threshold *at)
{
    return json_pack("{s:o, s:o, s:f, s:f, s:o, s:o, s:o, s:o}", "score", number_or_null(at->score),
                     "posterior", number_or_null(at->posterior), "rows", at->rows, "flagged", at->flagged,
                     "precision", range_object(&at->precision), "recall", range_object(&at->recall), "lift",
                     range_object(&at->lift), "f1", range_object(&at->f1));
}

static json_t *calibration_object(const dedpul_evaluation *evaluation)
{
    json_t *bins = json_array();
    for (size_t b = 0; b < evaluation->n_bins; b++) {
        const dedpul_calibration_bin *bin = evaluation->bins[b];
        (void)json_array_append_new(bins, json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "highest",
                                                    bin->highest, "lowest", bin->lowest, "labeled",
                                                    bin->labeled, "unlabeled", bin->unlabeled, "posterior",
                                                    bin->posterior, "share", bin->share, "share_low",
                                                    bin->share_low, "share_high", bin->share_high));
    }
    return json_pack("{s:f, s:f, s:o}", "difference", evaluation->calibration_difference, "chance",
                     evaluation->calibration_chance, "bins", bins);
}

static json_t *truth_object(const dedpul_known_truth *truth)
{
    return json_pack("{s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "rows", truth->rows, "positives",
                     truth->positives, "alpha", truth->alpha, "auc", number_or_null(truth->auc),
                     "average_precision", number_or_null(truth->average_precision), "best_f1",
                     number_or_null(truth->best_f1), "precision", number_or_null(truth->precision), "recall",
                     number_or_null(truth->recall), "lift", number_or_null(truth->lift), "f1",
                     number_or_null(truth->f1));
}

bool print_evaluation_json(const struct evaluated *evaluated)
{
    const dedpul_evaluation *evaluation = evaluated->evaluation;
    const json_int_t n_positive = evaluated->has_labels_of_fit
                                      ? (json_int_t)round(evaluation->weight_positive)
                                      : (json_int_t)evaluation->n_positive;
    json_t *object = json_pack(
        "{s:s, s:f, s:I, s:I, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "method", evaluation->method, "alpha",
        evaluation->alpha, "n_positive", n_positive, "n_unlabeled", (json_int_t)evaluation->n_unlabeled,
        "level", evaluation->level, "auc", range_object(&evaluation->auc), "average_precision",
        range_object(&evaluation->average_precision), "best_f1", range_object(&evaluation->best_f1),
        "threshold", threshold_object(evaluation->threshold), "calibration", calibration_object(evaluation),
        "warnings", json_array());
    json_t *warnings = json_object_get(object, "warnings");
    if (evaluated->result != NULL)
        append_warnings(warnings, evaluated->result->n_warnings, evaluated->result->warnings);
    append_warnings(warnings, evaluation->n_warnings, evaluation->warnings);
    if (evaluation->truth != NULL)
        (void)json_object_set_new(object, "truth", truth_object(evaluation->truth));
    return print_json(object);
}
