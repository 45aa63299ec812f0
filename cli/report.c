#include "report.h"

#include "answer.h"
#include "comparison.h"
#include "html.h"
#include "message.h"
#include "output_files.h"
#include "report_evaluation.h"
#include "report_parts.h"

#include <math.h>

/* What slots are filled from. */
struct page {
    const struct report *report;
    const struct evaluations *evaluations; /* of an estimate */
    const dedpul_table_summary *columns;   /* of a table that has no images */
    const json_t *data;
};

/* Files of cli/report that are part of the program. */
#define EMBEDDED(name)                 \
    extern const unsigned char name[]; \
    extern const size_t name##_size
EMBEDDED(page_report_html);
EMBEDDED(page_estimate_html);
EMBEDDED(page_kinds_html);
EMBEDDED(page_densities_html);
EMBEDDED(page_evaluated_html);
EMBEDDED(page_comparison_html);
EMBEDDED(page_classifiers_html);
EMBEDDED(page_report_css);
EMBEDDED(page_report_js);
EMBEDDED(page_evaluation_js);
#undef EMBEDDED

static const struct report *report_of(const void *page)
{
    return ((const struct page *)page)->report;
}

static const struct evaluations *evaluations_of(const void *page)
{
    return ((const struct page *)page)->evaluations;
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
    const dedpul_result *result = report->result;
    if (report->has_labels_of_fit)
        (void)fprintf(stream, "%zu unlabeled rows; the %.10g labeled rows are those of the fit",
                      result->n_unlabeled, result->weight_positive);
    else if (result != NULL)
        print_rows(stream, result->n_positive, result->n_unlabeled, result->weight_positive,
                   result->weight_unlabeled);
    else
        (void)fprintf(stream, "%zu labeled positive and %zu unlabeled rows",
                      report->comparison != NULL ? report->comparison->n_positive : report->model->n_positive,
                      report->comparison != NULL ? report->comparison->n_unlabeled
                                                 : report->model->n_unlabeled);
}

static void print_style(FILE *stream, const void *page)
{
    (void)page;
    (void)fwrite(page_report_css, 1, page_report_css_size, stream);
}

static void print_script(FILE *stream, const void *page)
{
    (void)fwrite(page_report_js, 1, page_report_js_size, stream);
    if (report_of(page)->comparison == NULL && evaluations_of(page)->n > 0)
        (void)fwrite(page_evaluation_js, 1, page_evaluation_js_size, stream);
}

static void print_data(FILE *stream, const void *page)
{
    html_json(stream, ((const struct page *)page)->data);
}

void print_warning_items(FILE *stream, size_t n, const dedpul_warning *warning)
{
    (void)fputs("<ul>\n", stream);
    for (size_t i = 0; i < n; i++) {
        (void)fputs("<li><code>", stream);
        html_text(stream, warning[i].name);
        (void)fputs("</code>: ", stream);
        html_text(stream, warning[i].message);
        (void)fputs("</li>\n", stream);
    }
    (void)fputs("</ul>\n", stream);
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
                "<h2 id=\"warnings-title\">Doubts about this answer</h2>\n",
                stream);
    print_warning_items(stream, n, warning);
    (void)fputs("</section>\n", stream);
}

static void print_label_check_part(FILE *stream, const void *page)
{
    const struct report *report = report_of(page);
    print_label_check_section(stream, report->comparison != NULL ? report->comparison->label_check
                                                                 : report->result->label_check);
}

/* ---- one estimate ---- */

/* As many decimals as tell where in its range alpha is; all, if the range is not known. */
static int alpha_decimals(const struct report *report)
{
    enum { FEWEST = 2, MOST = 4 };
    double end[2];
    if (!find_alpha_range(report, end) || !(end[1] > end[0]))
        return MOST;
    const int needed = 1 + (int)ceil(-log10(end[1] - end[0]));
    return needed < FEWEST ? FEWEST : needed > MOST ? MOST : needed;
}

static void print_alpha(FILE *stream, const void *page)
{
    const struct report *report = report_of(page);
    (void)fprintf(stream, "%.*f", alpha_decimals(report),
                  report->result != NULL ? report->result->alpha : report->model->alpha);
}

static void print_unsure(FILE *stream, const void *page)
{
    if (report_of(page)->result->n_warnings > 0)
        (void)fputs(" unsure", stream);
}

static void print_interval(FILE *stream, const void *page)
{
    const dedpul_result *result = report_of(page)->result;
    const dedpul_interval *interval = result->interval;
    const int decimals = alpha_decimals(report_of(page));
    if (has_interval(result))
        (void)fprintf(stream, "%g%% interval: <strong id=\"interval\">%.*f to %.*f</strong>",
                      100 * interval->level, decimals, interval->low, decimals, interval->high);
    else if (result->rule == DEDPUL_RULE_GIVEN)
        (void)fputs("Given, not estimated.", stream);
    else if (interval != NULL)
        (void)fputs("No interval: the method has none, or there are too few rows or resamples.", stream);
    else
        (void)fputs("No interval: <code>--interval</code> of fit and scores gives one.", stream);
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
    if (result->n_warnings > 0)
        (void)fputs(" <strong>There are doubts</strong>: <a href=\"#warnings\">see below</a>.", stream);
    if (result->rule != DEDPUL_RULE_GIVEN)
        (void)fputs(" Where positives and negatives overlap everywhere, this is an upper bound.", stream);
}

static void print_facts(FILE *stream, const void *page)
{
    print_headline_facts(stream, report_of(page));
}

static void print_origin(FILE *stream, const void *page)
{
    print_origin_facts(stream, report_of(page));
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

static void print_kind_lines(FILE *stream, const void *page)
{
    print_kind_rows(stream, report_of(page)->result);
}

static const struct html_slot kind_slots[] = {{"kinds", print_kind_lines}};

static void print_kinds(FILE *stream, const void *page)
{
    if (report_of(page)->result->n_kinds > 0)
        html_template(stream, page_kinds_html_size, page_kinds_html, kind_slots, page);
}

static void print_evaluation_section(FILE *stream, const void *page)
{
    evaluations_print(stream, evaluations_of(page));
}

static void print_top(FILE *stream, const void *page)
{
    print_top_rows(stream, report_of(page));
}

static void print_model_section(FILE *stream, const void *page)
{
    if (report_of(page)->model != NULL)
        print_model(stream, report_of(page)->model, ((const struct page *)page)->columns);
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

/* ---- all of it ---- */

static const struct html_slot part_slots[] = {
    {"alpha", print_alpha},
    {"unsure", print_unsure},
    {"interval", print_interval},
    {"interval_key", print_interval_key},
    {"about", print_about},
    {"facts", print_facts},
    {"warnings", print_warning_list},
    {"kinds", print_kinds},
    {"label_check", print_label_check_part},
    {"evaluation", print_evaluation_section},
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
    else if (report_of(page)->result == NULL)
        html_template(stream, page_evaluated_html_size, page_evaluated_html, part_slots, page);
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

static dedpul_status write_page(const char *path, const struct page *page, dedpul_error *error)
{
    if (page->data != NULL)
        return write_whole(path, print_page, page, error);
    *error = (dedpul_error){DEDPUL_NO_MEMORY, "out of memory"};
    return DEDPUL_NO_MEMORY;
}

static dedpul_status write_comparison(const char *path, const struct report *report, dedpul_error *error)
{
    json_t *data = comparison_data(report->comparison);
    const dedpul_status status = write_page(path, &(struct page){.report = report, .data = data}, error);
    json_decref(data);
    return status;
}

static dedpul_status write_estimate(const char *path, const struct report *report,
                                    const dedpul_table_summary *columns, dedpul_error *error)
{
    struct evaluations evaluations;
    evaluations_make(report, &evaluations);
    json_t *data = report->result != NULL ? estimate_data(report) : json_object();
    if (evaluations.n > 0)
        (void)json_object_set_new(data, "evaluations", evaluations_data(&evaluations));
    const dedpul_status status = write_page(path, &(struct page){report, &evaluations, columns, data}, error);
    json_decref(data);
    evaluations_free(&evaluations);
    return status;
}

dedpul_status report_write(const char *path, const struct report *report, dedpul_error *error)
{
    dedpul_table_summary *columns = NULL;
    dedpul_status status = DEDPUL_OK;
    if (report->comparison != NULL)
        return write_comparison(path, report, error);
    if (report->table != NULL && report->model->height == 0)
        status = dedpul_table_summarise(report->table, report->evaluate->threads, NULL, &columns, error);
    if (status == DEDPUL_OK)
        status = write_estimate(path, report, columns, error);
    dedpul_table_summary_free(columns);
    return status;
}
