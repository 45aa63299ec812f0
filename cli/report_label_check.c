/* The section of a report about a check of the labels. */
#include "html.h"
#include "label_check_output.h"
#include "report_parts.h"

#include <math.h>

static void print_kind_row(FILE *stream, const dedpul_label_check *check, const dedpul_checked_kind *kind)
{
    (void)fputs("<tr><td class=\"text\">", stream);
    html_text(stream, kind->name);
    (void)fputs("</td><td class=\"text long\">", stream);
    html_text(stream, kind->traits);
    (void)fprintf(stream, "</td><td>%zu</td><td>", kind->n_labeled);
    if (isnan(kind->label_rate_low))
        (void)fputs("too few rows", stream);
    else
        (void)fprintf(stream, "%.4f to %.4f", kind->label_rate_low, kind->label_rate_high);
    (void)fprintf(stream, "</td><td class=\"text\">%s</td></tr>\n", label_check_verdict(check, kind));
}

void print_label_check_section(FILE *stream, const dedpul_label_check *check)
{
    if (check == NULL)
        return;
    (void)fprintf(
        stream,
        "<section aria-labelledby=\"labels-title\">\n"
        "<h2 id=\"labels-title\">Are the labels a random draw?</h2>\n"
        "<p><span id=\"labels-p\">p = %.2g</span>: %s. False alarms are at most %g%%.\n"
        "Below is what share of the positives of each kind seems to be labeled%s; one rate for all would "
        "be %.4f.</p>\n",
        check->p_value, label_check_summary(check), 100 * check->level,
        check->has_found_kinds ? " (kinds were found among the labeled rows)" : "", check->label_rate);
    (void)fputs(
        "<div class=\"scroll\" role=\"region\" aria-labelledby=\"labels-title\" tabindex=\"0\">\n"
        "<table id=\"labels\">\n<thead><tr><th scope=\"col\" class=\"text\">kind</th>"
        "<th scope=\"col\" class=\"text long\">its rows</th><th scope=\"col\">labeled rows</th>"
        "<th scope=\"col\">labeled of all</th><th scope=\"col\" class=\"text\">labeled</th></tr></thead>\n"
        "<tbody>\n",
        stream);
    for (size_t k = 0; k < check->n_kinds; k++)
        print_kind_row(stream, check, check->kinds[k]);
    (void)fputs("</tbody>\n</table>\n</div>\n</section>\n", stream);
}
