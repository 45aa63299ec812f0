/* What a report lists as a name and a value. */
#include "answer.h"
#include "comparison.h"
#include "html.h"
#include "message.h"
#include "report_parts.h"

#include <math.h>
#include <string.h>

static void fact_begin(FILE *stream, const char *name)
{
    (void)fprintf(stream, "<dt>%s</dt><dd>", name);
}

static void fact_end(FILE *stream)
{
    (void)fputs("</dd>\n", stream);
}

static void print_fact(FILE *stream, const char *name, const char *text)
{
    fact_begin(stream, name);
    html_text(stream, text);
    fact_end(stream);
}

static void print_number(FILE *stream, const char *name, double number, const char *explanation)
{
    if (isnan(number))
        return;
    fact_begin(stream, name);
    (void)fprintf(stream, "%.4g%s", number, explanation);
    fact_end(stream);
}

/* A registered name and what it stands for. */
static void print_registered(FILE *stream, const char *what, const char *wanted,
                             const char *(*name)(size_t index), const char *(*summary)(size_t index))
{
    fact_begin(stream, what);
    html_text(stream, wanted);
    for (size_t i = 0; name(i) != NULL; i++)
        if (strcmp(name(i), wanted) == 0) {
            (void)fputs(": ", stream);
            html_text(stream, summary(i));
        }
    fact_end(stream);
}

/* ---- below the headline ---- */

void print_headline_facts(FILE *stream, const struct report *report)
{
    const dedpul_result *result = report->result;
    const dedpul_interval *interval = result->interval;
    fact_begin(stream, "Found by");
    (void)fprintf(stream, "%s: %s", dedpul_rule_name(result->rule), explain_rule(result->rule));
    fact_end(stream);
    print_registered(stream, "Method", result->method, dedpul_method_name, dedpul_method_summary);
    if (report->model != NULL)
        print_fact(stream, "Scores by", report->model->classifier);
    print_number(stream, "AUC", result->auc, ", labeled against unlabeled");
    if (!report->has_labels_of_fit) {
        print_number(stream, "Of all rows", share_of_all(result), " are positive");
        print_number(stream, "Labeled", label_frequency(result), " of the positives");
    }
    if (!has_interval(result))
        return;
    fact_begin(stream, "Interval");
    if (interval->resamples > 0)
        (void)fprintf(
            stream,
            "by %u resamples of the rows, not of the training; %.4f to %.4f without the correction of "
            "its bias",
            interval->resamples, interval->percentile_low, interval->percentile_high);
    else
        (void)fputs("learned on simulated problems, checked on real ones", stream);
    if (result->n_kinds > 0)
        (void)fputs("; wider because the shares of kinds are uncertain", stream);
    fact_end(stream);
    print_number(stream, "At most", interval->upper_bound,
                 ", by a bound that assumes nothing about the distributions, with the same certainty");
}

/* ---- how it was computed ---- */

/* As for a shell. */
static void print_argument(FILE *stream, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=+-@%";
    if (*text != '\0' && text[strspn(text, plain)] == '\0') {
        html_text(stream, text);
        return;
    }
    (void)fputs("&#39;", stream);
    for (; *text != '\0'; text++) {
        const char character[] = {*text, '\0'};
        html_text(stream, *text == '\'' ? "'\\''" : character);
    }
    (void)fputs("&#39;", stream);
}

static void print_command_line(FILE *stream, const struct report *report)
{
    fact_begin(stream, "Command");
    (void)fputs("<code id=\"command\">dedpul", stream);
    for (int i = 0; i < report->argc; i++) {
        (void)fputc(' ', stream);
        print_argument(stream, report->argv[i]);
    }
    (void)fputs("</code>", stream);
    fact_end(stream);
}

static void print_estimate_origin(FILE *stream, const struct report *report)
{
    const dedpul_result *result = report->result;
    print_registered(stream, "Method", result->method, dedpul_method_name, dedpul_method_summary);
    if (result->density != NULL)
        print_registered(stream, "Density", result->density, dedpul_density_name, dedpul_density_summary);
    print_number(stream, "Bandwidth, labeled", result->bandwidth_p, " logits");
    print_number(stream, "Bandwidth, unlabeled", result->bandwidth_u, " logits");
    print_number(stream, "Mean ratio", result->mean_ratio, ", near 1 for good densities");
    print_number(stream, "alpha_c", result->alpha_c, ", the largest root of D(alpha)");
    print_number(stream, "alpha_n", result->alpha_n, ", the sharpest bend of D(alpha)");
    if (!report_is_trained(report))
        print_number(stream, "Scale", result->scale,
                     has_mean_posteriors(report)
                         ? "; plain posterior = min(scale * ratio, 1), its mean over alpha's distribution "
                           "is the posterior"
                         : "; posterior = min(scale * ratio, 1)");
}

static void print_comparison_origin(FILE *stream, const dedpul_comparison *comparison)
{
    if (compares_classifiers(comparison)) {
        const char *method = comparison->classifiers[0]->method;
        print_registered(stream, "Method", method, dedpul_method_name, dedpul_method_summary);
        return;
    }
    print_fact(stream, "Scores by", comparison->classifier);
    print_number(stream, "Seconds", comparison->seconds, ", those of the scores");
    print_number(stream, "AUC", comparison->auc, ", labeled against unlabeled");
}

void print_origin_facts(FILE *stream, const struct report *report)
{
    print_fact(stream, "File", input_name(report->file));
    print_command_line(stream, report);
    print_fact(stream, "Version", dedpul_version());
    if (report->comparison != NULL)
        print_comparison_origin(stream, report->comparison);
    else if (report->result != NULL)
        print_estimate_origin(stream, report);
    else
        print_registered(stream, "Method", report->model->method, dedpul_method_name, dedpul_method_summary);
}
