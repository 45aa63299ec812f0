#include "label_check_output.h"

#include "json_output.h"
#include "message.h"
#include "top_rows.h"

const char *label_check_verdict(const dedpul_label_check *check, const dedpul_checked_kind *kind)
{
    if (check->p_value >= check->level || kind->deviation == 0)
        return "";
    return kind->deviation > 0 ? "too often" : "too rarely";
}

const char *label_check_summary(const dedpul_label_check *check)
{
    return check->p_value < check->level ? "labeled rows are probably not a random draw of the positives"
                                         : "labeled rows may be a random draw of the positives";
}

static void print_kind(const dedpul_label_check *check, const dedpul_checked_kind *kind)
{
    if (isnan(kind->label_rate_low))
        printf("  %-16s", "too few rows");
    else
        printf("  %.4f to %.4f", kind->label_rate_low, kind->label_rate_high);
    printf("    %12zu  %-10s  ", kind->n_labeled, label_check_verdict(check, kind));
    print_text(kind->name);
    if (kind->traits[0] != '\0') {
        (void)fputs(": ", stdout);
        print_text(kind->traits);
    }
    (void)putchar('\n');
}

void print_label_check(const dedpul_label_check *check)
{
    if (check == NULL)
        return;
    printf("  labels    p = %-8.2g%s (false alarms: at most %g%%)\n", check->p_value,
           label_check_summary(check), 100 * check->level);
    printf("\n  labeled of all      labeled rows  labeled     kind%s\n",
           check->has_found_kinds ? ", as found among the labeled rows" : "");
    for (size_t k = 0; k < check->n_kinds; k++)
        print_kind(check, check->kinds[k]);
    (void)putchar('\n');
}

void set_label_check(json_t *object, const dedpul_label_check *check)
{
    json_t *kinds = check != NULL ? json_array() : NULL;
    if (check == NULL)
        return;
    for (size_t k = 0; k < check->n_kinds; k++) {
        const dedpul_checked_kind *kind = check->kinds[k];
        (void)json_array_append_new(
            kinds, json_pack("{s:o, s:o, s:I, s:o, s:o, s:f}", "kind", json_text(kind->name), "traits",
                             json_text(kind->traits), "n_labeled", (json_int_t)kind->n_labeled,
                             "label_rate_low", number_or_null(kind->label_rate_low), "label_rate_high",
                             number_or_null(kind->label_rate_high), "deviation", kind->deviation));
    }
    (void)json_object_set_new(object, "label_check",
                              json_pack("{s:f, s:f, s:f, s:b, s:o}", "p_value", check->p_value, "level",
                                        check->level, "label_rate", check->label_rate, "found_kinds",
                                        check->has_found_kinds, "kinds", kinds));
}
