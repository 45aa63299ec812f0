/* The tables of a report. */
#include "comparison.h"
#include "html.h"
#include "report_parts.h"
#include "top_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_cell(FILE *stream, double value)
{
    if (isnan(value))
        (void)fputs("<td>-</td>", stream);
    else
        (void)fprintf(stream, "<td>%.4f</td>", value);
}

static void print_range_cell(FILE *stream, double low, double high)
{
    if (isnan(low))
        (void)fputs("<td>none</td>", stream);
    else
        (void)fprintf(stream, "<td>%.4f to %.4f</td>", low, high);
}

/* ---- kinds of positives ---- */

void print_kind_rows(FILE *stream, const dedpul_result *result)
{
    for (size_t k = 0; k < result->n_kinds; k++) {
        const dedpul_kind *kind = result->kinds[k];
        (void)fputs("<tr><td class=\"text long\">", stream);
        html_text(stream, kind->name);
        (void)fputs("</td>", stream);
        print_cell(stream, kind->share);
        print_range_cell(stream, kind->low, kind->high);
        (void)fprintf(stream, "<td>%zu</td>", kind->n_labeled);
        print_cell(stream, kind->label_rate);
        print_range_cell(stream, kind->label_rate_low, kind->label_rate_high);
        (void)fputs("</tr>\n", stream);
    }
}

/* ---- rows with the highest posterior ---- */

/* Decimals with which numbers that differ from the next one look different; at least 4. */
static int decimals_to_tell_apart(size_t n, const double *number)
{
    enum { FEWEST = 4, MOST = 12 };
    int decimals = FEWEST;
    for (size_t i = 1; i < n; i++)
        for (; number[i] != number[i - 1] && decimals < MOST; decimals++) {
            char text[2][64];
            (void)snprintf(text[0], sizeof text[0], "%.*f", decimals, number[i - 1]);
            (void)snprintf(text[1], sizeof text[1], "%.*f", decimals, number[i]);
            if (strcmp(text[0], text[1]) != 0)
                break;
        }
    return decimals;
}

static void print_id_cell(FILE *stream, const dedpul_ids *ids, size_t row)
{
    char *text = copy_id(ids, row);
    (void)fputs("<td class=\"text long\">", stream);
    html_text(stream, text != NULL ? text : "");
    (void)fputs("</td>", stream);
    free(text);
}

static void print_top_head(FILE *stream, const struct report *report, bool has_bands)
{
    (void)fputs("<thead><tr>", stream);
    if (report->ids != NULL) {
        (void)fputs("<th scope=\"col\" class=\"text long\">", stream);
        html_text(stream, report->ids->name);
        (void)fputs("</th>", stream);
    }
    (void)fprintf(stream,
                  "<th scope=\"col\">row</th><th scope=\"col\">score</th>"
                  "<th scope=\"col\">ratio</th><th scope=\"col\">posterior</th>%s</tr></thead>\n<tbody>\n",
                  has_bands ? "<th scope=\"col\">its interval</th>" : "");
}

void print_top_rows(FILE *stream, const struct report *report)
{
    struct top_row top[MOST_TOP_ROWS];
    const dedpul_result *result = report->result;
    const size_t n = find_top_rows(result, &report->rows, report->label, top);
    double score[MOST_TOP_ROWS], posterior[MOST_TOP_ROWS];
    for (size_t i = 0; i < n; i++) {
        score[i] = top[i].score;
        posterior[i] = result->posterior[top[i].index];
    }
    const int score_decimals = decimals_to_tell_apart(n, score);
    const int posterior_decimals = decimals_to_tell_apart(n, posterior);
    const bool has_bands = result->posterior_low != NULL && result->posterior_high != NULL;
    print_top_head(stream, report, has_bands);
    for (size_t i = 0; i < n; i++) {
        const size_t k = top[i].index;
        (void)fputs("<tr>", stream);
        if (report->ids != NULL)
            print_id_cell(stream, report->ids, top[i].number - 1);
        (void)fprintf(stream, "<td>%zu</td><td>%.*f</td><td>%.4g</td><td>%.*f</td>", top[i].number,
                      score_decimals, score[i], result->ratio[k], posterior_decimals, posterior[i]);
        if (has_bands)
            (void)fprintf(stream, "<td>%.4f to %.4f</td>", result->posterior_low[k],
                          result->posterior_high[k]);
        (void)fputs("</tr>\n", stream);
    }
    (void)fputs("</tbody>\n", stream);
}

/* ---- the model ---- */

enum { MOST_COLUMNS = 200 };

/* A column, how the model uses it, and what it says by itself. */
struct column {
    const dedpul_column_info *use;
    const dedpul_column_summary *summary;
};

static int compare_columns(const void *a, const void *b)
{
    const struct column *x = a, *y = b;
    if (x->summary->auc != y->summary->auc)
        return x->summary->auc > y->summary->auc ? -1 : 1;
    return x->summary > y->summary ? 1 : -1; /* as in the table */
}

/* What is typical of labeled or of unlabeled rows: the median, or the most frequent text. */
static void print_typical(FILE *stream, double median, const char *level, double share)
{
    if (level != NULL) {
        (void)fputs("<td class=\"text long\">", stream);
        html_text(stream, level);
        (void)fprintf(stream, " (%.0f%%)</td>", 100 * share);
    } else if (isnan(median))
        (void)fputs("<td class=\"text\">none</td>", stream);
    else
        (void)fprintf(stream, "<td class=\"text\">%.4g</td>", median);
}

static void print_column(FILE *stream, const struct column *column)
{
    const dedpul_column_summary *summary = column->summary;
    (void)fputs("<tr><td class=\"text long\">", stream);
    html_text(stream, column->use->name);
    (void)fprintf(stream, "</td><td>%.3f</td><td>%.3g%%</td>", summary->auc, 100 * summary->missing);
    print_typical(stream, summary->median_labeled, summary->level_labeled, summary->share_labeled);
    print_typical(stream, summary->median_unlabeled, summary->level_unlabeled, summary->share_unlabeled);
    (void)fputs("<td class=\"text\">", stream);
    html_text(stream, column->use->use);
    if (column->use->n_levels > 0)
        (void)fprintf(stream, "</td><td>%zu</td>", column->use->n_levels);
    else
        (void)fputs("</td><td></td>", stream);
    (void)fprintf(stream, "<td>%zu</td></tr>\n", column->use->n_features);
}

static void print_columns(FILE *stream, const dedpul_model_info *model, const dedpul_table_summary *summary)
{
    const size_t shown = model->n_columns < MOST_COLUMNS ? model->n_columns : MOST_COLUMNS;
    struct column *column = calloc(model->n_columns, sizeof *column);
    if (column == NULL)
        return;
    for (size_t c = 0; c < model->n_columns; c++)
        column[c] = (struct column){model->columns[c], summary->columns[c]};
    qsort(column, model->n_columns, sizeof *column, compare_columns);
    (void)fputs("<p>Columns, those first that tell labeled from unlabeled rows best by themselves. "
                "&ldquo;Alone&rdquo; is the AUC: 0.5 says nothing; near 1, the column may have leaked the "
                "label.</p>\n"
                "<div class=\"scroll\" role=\"region\" aria-label=\"Columns\" tabindex=\"0\">\n"
                "<table id=\"columns\">\n<thead><tr><th scope=\"col\" class=\"text long\">column</th>"
                "<th scope=\"col\">alone</th><th scope=\"col\">missing</th>"
                "<th scope=\"col\" class=\"text\">labeled: median or most frequent</th>"
                "<th scope=\"col\" class=\"text\">unlabeled</th>"
                "<th scope=\"col\" class=\"text\">used as</th><th scope=\"col\">levels</th>"
                "<th scope=\"col\">features</th></tr></thead>\n<tbody>\n",
                stream);
    for (size_t c = 0; c < shown; c++)
        print_column(stream, &column[c]);
    (void)fputs("</tbody>\n</table>\n</div>\n", stream);
    if (shown < model->n_columns)
        (void)fprintf(stream, "<p class=\"note\">and %zu more columns</p>\n", model->n_columns - shown);
    free(column);
}

/* "name=value" lines; "-" stands for an option that was not given. */
static void print_settings(FILE *stream, const char *settings)
{
    (void)fputs("<details>\n<summary>All settings</summary>\n<dl class=\"facts\" id=\"settings\">\n", stream);
    for (const char *line = settings; *line != '\0';) {
        char text[256];
        const size_t length = strcspn(line, "\n"), name = strcspn(line, "=");
        (void)snprintf(text, sizeof text, "%.*s", (int)length, line);
        if (name < length && name < sizeof text - 1) {
            text[name] = '\0';
            (void)fputs("<dt>", stream);
            html_text(stream, text);
            (void)fputs("</dt><dd>", stream);
            html_text(stream, strcmp(text + name + 1, "-") == 0 ? "not given" : text + name + 1);
            (void)fputs("</dd>\n", stream);
        }
        line += length + (line[length] == '\n');
    }
    (void)fputs("</dl>\n</details>\n", stream);
}

void print_model(FILE *stream, const dedpul_model_info *model, const dedpul_table_summary *summary)
{
    (void)fputs("<section aria-labelledby=\"model-title\">\n<h2 id=\"model-title\">The classifier</h2>\n"
                "<p>Scores by <strong>",
                stream);
    html_text(stream, model->classifier);
    (void)fprintf(stream, "</strong>: %zu models on %zu features, each row by models that have not seen it.",
                  model->n_members, model->n_features);
    if (model->trained != NULL) {
        (void)fputs(" Posteriors by networks of positives against negatives, ", stream);
        html_text(stream, model->trained);
        (void)fputc('.', stream);
    }
    if (model->height > 0)
        (void)fprintf(stream, " Rows are images of %zu x %zu pixels, channels: %zu.", model->height,
                      model->width, model->channels);
    (void)fputs("</p>\n", stream);
    if (summary != NULL)
        print_columns(stream, model, summary);
    print_settings(stream, model->settings);
    (void)fputs("</section>\n", stream);
}

/* ---- the comparison ---- */

/* How an entry stands to the reference. */
static void print_standing(FILE *stream, const dedpul_comparison *comparison, const dedpul_compared *entry,
                           double reference)
{
    if (compares_classifiers(comparison))
        (void)fprintf(stream, "<td>%s</td>", entry->is_reference ? "highest" : entry->differs ? "lower" : "");
    else if (entry->is_reference)
        (void)fputs("<td>reference</td>", stream);
    else if (isfinite(entry->alpha - reference))
        (void)fprintf(stream, "<td>%+.4f%s</td>", entry->alpha - reference,
                      entry->differs ? ", differs" : "");
    else
        (void)fputs("<td></td>", stream);
}

static void print_compared(FILE *stream, const dedpul_comparison *comparison, const dedpul_compared *entry,
                           double reference)
{
    (void)fprintf(stream, "<tr%s><td class=\"text\">", entry->differs ? " class=\"differs\"" : "");
    html_text(stream, compared_name(comparison, entry));
    (void)fputs("</td>", stream);
    if (entry->status != DEDPUL_OK)
        (void)fputs("<td>failed</td>", stream);
    else
        print_cell(stream, entry->alpha);
    print_range_cell(stream, entry->low, entry->high);
    print_standing(stream, comparison, entry, reference);
    print_cell(stream, entry->auc.value);
    if (compares_classifiers(comparison)) {
        print_range_cell(stream, entry->auc.low, entry->auc.high);
        print_cell(stream, entry->average_precision.value);
    }
    print_cell(stream, entry->precision.value);
    (void)fprintf(stream, "<td>%.2f</td><td class=\"text long\">", entry->seconds);
    html_text(stream, entry->note);
    (void)fputs("</td></tr>\n", stream);
}

static void print_compared_head(FILE *stream, const struct report *report)
{
    const bool of_classifiers = compares_classifiers(report->comparison);
    (void)fprintf(stream,
                  "<thead><tr><th scope=\"col\" class=\"text\">%s</th><th scope=\"col\">alpha</th>"
                  "<th scope=\"col\">%g%% interval</th><th scope=\"col\">%s</th><th scope=\"col\">AUC</th>",
                  of_classifiers ? "classifier" : "method", 100 * report->level,
                  of_classifiers ? "its AUC is" : "difference");
    if (of_classifiers)
        (void)fprintf(stream, "<th scope=\"col\">%g%% range</th><th scope=\"col\">average precision</th>",
                      100 * report->level);
    (void)fputs("<th scope=\"col\">precision</th><th scope=\"col\">seconds</th>"
                "<th scope=\"col\" class=\"text long\">note</th></tr></thead>\n",
                stream);
}

void print_comparison_rows(FILE *stream, const struct report *report)
{
    const dedpul_comparison *comparison = report->comparison;
    double reference = NAN;
    for (size_t i = 0; i < compared_count(comparison); i++)
        if (compared_at(comparison, i)->is_reference)
            reference = compared_at(comparison, i)->alpha;
    print_compared_head(stream, report);
    (void)fputs("<tbody>\n", stream);
    for (size_t i = 0; i < compared_count(comparison); i++)
        print_compared(stream, comparison, compared_at(comparison, i), reference);
    (void)fputs("</tbody>\n", stream);
}
