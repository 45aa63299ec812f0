#include "evaluation_output.h"

#include "answer.h"
#include "message.h"

/* ---- for people ---- */

/* One measure: its estimate, its range, the truth if it is known, and what it means. */
struct line {
    const char *name;
    const dedpul_range *range;
    double truth;
    const char *meaning;
};

static bool is_outside(const struct line *line)
{
    const double rounding = 5e-5; /* of what is printed */
    return line->truth < line->range->low - rounding || line->truth > line->range->high + rounding;
}

static void print_line(const struct line *line, bool has_truth)
{
    printf("  %-18s", line->name);
    if (isnan(line->range->value))
        printf("%-8s  %-18s", "none", "");
    else
        printf("%-8.4f  %.4f to %-8.4f", line->range->value, line->range->low, line->range->high);
    if (has_truth && isnan(line->truth))
        printf("  %-8s", "none");
    else if (has_truth)
        printf("  %.4f%-2s", line->truth, is_outside(line) ? "!" : "");
    printf("  %s\n", line->meaning);
}

static void print_lines(size_t n, const struct line *line, const dedpul_evaluation *evaluation)
{
    bool is_any_outside = false;
    for (size_t i = 0; i < n; i++) {
        print_line(&line[i], evaluation->truth != NULL);
        is_any_outside = is_any_outside || (evaluation->truth != NULL && is_outside(&line[i]));
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
    if (isnan(at->score)) {
        (void)puts("\n  No unlabeled row is flagged: none has that score, or for none is that worth its "
                   "cost. Ask for\n"
                   "  another threshold (--top, --share, --max f1).");
        return;
    }
    printf("\n  %-18s%-8.4g  rows with at least this score are flagged; the posterior at it is %.4f\n",
           "threshold", at->score, at->posterior);
    printf("  %-18s%-8.4f  %.10g of %.10g unlabeled rows\n", "flagged", at->flagged, at->rows, total);
}

static const dedpul_known_truth *truth_of(const dedpul_evaluation *evaluation)
{
    static const dedpul_known_truth none;
    return evaluation->truth != NULL ? evaluation->truth : &none;
}

void print_threshold(const dedpul_evaluation *evaluation)
{
    const dedpul_known_truth *truth = truth_of(evaluation);
    const dedpul_threshold *at = evaluation->threshold;
    const struct line cut[] = {
        {"precision", &at->precision, truth->precision, "of the flagged rows are positive"},
        {"recall", &at->recall, truth->recall, "of the positives are flagged"},
        {"lift", &at->lift, truth->lift, "times as many positives as among all unlabeled rows"},
        {"F1", &at->f1, truth->f1, "harmonic mean of precision and recall"},
    };
    print_cut(at, evaluation->weight_unlabeled);
    if (!isnan(at->score))
        print_lines(sizeof cut / sizeof cut[0], cut, evaluation);
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
    const dedpul_known_truth *truth = truth_of(evaluation);
    const struct line order[] = {
        {"AUC", &evaluation->auc, truth->auc, "a positive scores higher than a negative"},
        {"average precision", &evaluation->average_precision, truth->average_precision,
         "mean precision over the positives"},
        {"best F1", &evaluation->best_f1, truth->best_f1, "of all thresholds"},
    };
    print_head(evaluated);
    print_lines(sizeof order / sizeof order[0], order, evaluation);
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
        (void)json_array_append_new(bins, json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "highest", bin->highest,
                                                    "lowest", bin->lowest, "labeled", bin->labeled,
                                                    "unlabeled", bin->unlabeled, "posterior", bin->posterior,
                                                    "share", bin->share));
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
    json_t *object = json_pack(
        "{s:s, s:f, s:I, s:I, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "method", evaluation->method, "alpha",
        evaluation->alpha, "n_positive", (json_int_t)evaluation->n_positive, "n_unlabeled",
        (json_int_t)evaluation->n_unlabeled, "level", evaluation->level, "auc",
        range_object(&evaluation->auc), "average_precision", range_object(&evaluation->average_precision),
        "best_f1", range_object(&evaluation->best_f1), "threshold", threshold_object(evaluation->threshold),
        "calibration", calibration_object(evaluation), "warnings", json_array());
    json_t *warnings = json_object_get(object, "warnings");
    if (evaluated->result != NULL)
        append_warnings(warnings, evaluated->result->n_warnings, evaluated->result->warnings);
    append_warnings(warnings, evaluation->n_warnings, evaluation->warnings);
    if (evaluation->truth != NULL)
        (void)json_object_set_new(object, "truth", truth_object(evaluation->truth));
    return print_json(object);
}
