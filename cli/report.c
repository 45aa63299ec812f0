#include "report.h"

#include "answer.h"
#include "comparison.h"
#include "html.h"
#include "message.h"
#include "output_files.h"
#include "report_parts.h"

#include <math.h>
#include <string.h>

/* What slots are filled from. */
struct page {
    const struct report *report;
    const json_t *data;
};

/* Files of cli/report that are part of the program. */
#define EMBEDDED(name)                 \
    extern const unsigned char name[]; \
    extern const size_t name##_size
EMBEDDED(page_report_html);
EMBEDDED(page_estimate_html);
EMBEDDED(page_densities_html);
EMBEDDED(page_comparison_html);
EMBEDDED(page_classifiers_html);
EMBEDDED(page_report_css);
EMBEDDED(page_report_js);
#undef EMBEDDED

static const struct report *report_of(const void *page)
{
    return ((const struct page *)page)->report;
}

/* ---- facts ---- */

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

/* ---- the page ---- */

static void print_command(FILE *stream, const void *page)
{
    html_text(stream, report_of(page)->argv[0]);
}

static void print_file(FILE *stream, const void *page)
{
    html_text(stream, input_name(report_of(page)->file));
}

static void print_row_counts(FILE *stream, const void *page)
{
    const struct report *report = report_of(page);
    if (report->comparison == NULL)
        print_rows(stream, report->result->n_positive, report->result->n_unlabeled,
                   report->result->weight_positive, report->result->weight_unlabeled);
    else
        (void)fprintf(stream, "%zu labeled positive and %zu unlabeled rows", report->comparison->n_positive,
                      report->comparison->n_unlabeled);
}

static void print_style(FILE *stream, const void *page)
{
    (void)page;
    (void)fwrite(page_report_css, 1, page_report_css_size, stream);
}

static void print_script(FILE *stream, const void *page)
{
    (void)page;
    (void)fwrite(page_report_js, 1, page_report_js_size, stream);
}

static void print_data(FILE *stream, const void *page)
{
    html_json(stream, ((const struct page *)page)->data);
}

static void print_warning_list(FILE *stream, const void *page)
{
    const struct report *report = report_of(page);
    const dedpul_comparison *comparison = report->comparison;
    const size_t n = comparison != NULL ? comparison->n_warnings : report->result->n_warnings;
    const dedpul_warning *warning = comparison != NULL ? comparison->warnings : report->result->warnings;
    if (n == 0) {
        (void)fputs("<p class=\"no-warnings\" id=\"warnings\">No warnings.</p>\n", stream);
        return;
    }
    (void)fputs("<section class=\"warnings\" id=\"warnings\" aria-labelledby=\"warnings-title\">\n"
                "<h2 id=\"warnings-title\">Doubts about this answer</h2>\n<ul>\n",
                stream);
    for (size_t i = 0; i < n; i++) {
        (void)fputs("<li><code>", stream);
        html_text(stream, warning[i].name);
        (void)fputs("</code>: ", stream);
        html_text(stream, warning[i].message);
        (void)fputs("</li>\n", stream);
    }
    (void)fputs("</ul>\n</section>\n", stream);
}

/* ---- one estimate ---- */

static void print_alpha(FILE *stream, const void *page)
{
    (void)fprintf(stream, "%.4f", report_of(page)->result->alpha);
}

static void print_interval(FILE *stream, const void *page)
{
    const dedpul_result *result = report_of(page)->result;
    const dedpul_interval *interval = result->interval;
    if (has_interval(result))
        (void)fprintf(stream, "%g%% interval: <strong id=\"interval\">%.4f to %.4f</strong>",
                      100 * interval->level, interval->low, interval->high);
    else if (result->rule == DEDPUL_RULE_GIVEN)
        (void)fputs("Given, not estimated.", stream);
    else if (interval != NULL)
        (void)fputs("No interval: the method has none, or there are too few rows or resamples.", stream);
    else
        (void)fputs("No interval: ask for it with <code>--interval</code>.", stream);
}

static void print_interval_key(FILE *stream, const void *page)
{
    if (has_interval(report_of(page)->result))
        (void)fputs(" <span class=\"key band\">its interval</span>", stream);
}

static void print_about(FILE *stream, const void *page)
{
    const dedpul_result *result = report_of(page)->result;
    (void)fprintf(stream, "About %.0f of %.0f unlabeled rows are positive.",
                  result->alpha * result->weight_unlabeled, result->weight_unlabeled);
    if (result->rule != DEDPUL_RULE_GIVEN)
        (void)fputs(" Where positives and negatives overlap everywhere, this is an upper bound.", stream);
}

static void print_facts(FILE *stream, const void *page)
{
    const struct report *report = report_of(page);
    const dedpul_result *result = report->result;
    const dedpul_interval *interval = result->interval;
    fact_begin(stream, "Found by");
    (void)fprintf(stream, "%s: %s", dedpul_rule_name(result->rule), explain_rule(result->rule));
    fact_end(stream);
    print_registered(stream, "Method", result->method, dedpul_method_name, dedpul_method_summary);
    if (report->model != NULL)
        print_fact(stream, "Scores by", report->model->classifier);
    print_number(stream, "AUC", result->auc, ", labeled against unlabeled");
    print_number(stream, "Of all rows", share_of_all(result), " are positive");
    print_number(stream, "Labeled", label_frequency(result), " of the positives");
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
    fact_end(stream);
    print_number(stream, "At most", interval->upper_bound,
                 ", by a bound that assumes nothing about the distributions, with the same certainty");
}

/* Whether posteriors are means over alpha's distribution. */
static bool has_mean_posteriors(const struct report *report)
{
    return !report_is_trained(report) && report->result->n_scales > 1;
}

static void print_what_if(FILE *stream, const void *page)
{
    const struct report *report = report_of(page);
    if (report_is_trained(report)) {
        (void)fputs("Posteriors are those of trained networks.", stream);
        return;
    }
    (void)fputs("With another alpha, posteriors are the ratios of densities, scaled so that their mean is "
                "alpha and none is above 1.",
                stream);
    if (has_mean_posteriors(report))
        (void)fputs(" Those of the answer are means over alpha's distribution, so few of them are exactly 1.",
                    stream);
}

static void print_summarised(FILE *stream, const void *page)
{
    if (data_is_summarised(((const struct page *)page)->data))
        (void)fputs("<p class=\"note\" id=\"summarised\">To keep this page small, rows of nearly equal "
                    "ratio are drawn as one: counts are right to about 1 in 2000 rows.</p>\n",
                    stream);
}

static void print_full_key(FILE *stream, const void *page)
{
    const struct report *report = report_of(page);
    if (!report_is_trained(report))
        (void)fprintf(stream, "\n<span class=\"key full\">%sposterior 1 from here up</span>",
                      has_mean_posteriors(report) ? "plain " : "");
}

static const struct html_slot density_slots[] = {{"full_key", print_full_key}};

static void print_densities(FILE *stream, const void *page)
{
    if (report_of(page)->result->n_grid > 0)
        html_template(stream, page_densities_html_size, page_densities_html, density_slots, page);
}

static void print_top(FILE *stream, const void *page)
{
    print_top_rows(stream, report_of(page));
}

static void print_model_section(FILE *stream, const void *page)
{
    if (report_of(page)->model != NULL)
        print_model(stream, report_of(page)->model);
}

/* ---- a comparison ---- */

static void print_method_rows(FILE *stream, const void *page)
{
    print_comparison_rows(stream, report_of(page));
}

/* Height of the chart in pixels: a line for each entry. */
static void print_methods_height(FILE *stream, const void *page)
{
    const dedpul_comparison *comparison = report_of(page)->comparison;
    (void)fprintf(stream, "%zu", 64 + 26 * compared_count(comparison));
}

static void print_level(FILE *stream, const void *page)
{
    (void)fprintf(stream, "%g", 100 * report_of(page)->level);
}

static void print_verdict_sentence(FILE *stream, const void *page)
{
    print_verdict(stream, report_of(page)->comparison);
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

static void print_origin(FILE *stream, const void *page)
{
    const struct report *report = report_of(page);
    print_fact(stream, "File", input_name(report->file));
    print_command_line(stream, report);
    print_fact(stream, "Version", dedpul_version());
    if (report->comparison != NULL)
        print_comparison_origin(stream, report->comparison);
    else
        print_estimate_origin(stream, report);
}

/* ---- all of it ---- */

static const struct html_slot part_slots[] = {
    {"alpha", print_alpha},
    {"interval", print_interval},
    {"interval_key", print_interval_key},
    {"about", print_about},
    {"facts", print_facts},
    {"warnings", print_warning_list},
    {"what_if", print_what_if},
    {"summarised", print_summarised},
    {"densities", print_densities},
    {"top", print_top},
    {"model", print_model_section},
    {"methods", print_method_rows},
    {"methods_height", print_methods_height},
    {"level", print_level},
    {"verdict", print_verdict_sentence},
};

static void print_content(FILE *stream, const void *page)
{
    const dedpul_comparison *comparison = report_of(page)->comparison;
    if (comparison != NULL && compares_classifiers(comparison))
        html_template(stream, page_classifiers_html_size, page_classifiers_html, part_slots, page);
    else if (comparison != NULL)
        html_template(stream, page_comparison_html_size, page_comparison_html, part_slots, page);
    else
        html_template(stream, page_estimate_html_size, page_estimate_html, part_slots, page);
}

static const struct html_slot page_slots[] = {
    {"command", print_command}, {"file", print_file},       {"rows", print_row_counts},
    {"style", print_style},     {"content", print_content}, {"origin", print_origin},
    {"data", print_data},       {"script", print_script},
};

static void print_page(FILE *stream, const void *page)
{
    html_template(stream, page_report_html_size, page_report_html, page_slots, page);
}

dedpul_status report_write(const char *path, const struct report *report, dedpul_error *error)
{
    json_t *data = report->comparison != NULL ? comparison_data(report->comparison) : estimate_data(report);
    if (data == NULL) {
        *error = (dedpul_error){DEDPUL_NO_MEMORY, "out of memory"};
        return DEDPUL_NO_MEMORY;
    }
    const struct page page = {report, data};
    const dedpul_status status = write_whole(path, print_page, &page, error);
    json_decref(data);
    return status;
}
