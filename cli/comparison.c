#include "comparison.h"

#include "json_output.h"
#include "label_check_output.h"
#include "message.h"

bool compares_classifiers(const dedpul_comparison *comparison)
{
    return comparison->n_classifiers > 0;
}

size_t compared_count(const dedpul_comparison *comparison)
{
    return comparison->n_methods + comparison->n_classifiers; /* one of them is 0 */
}

const dedpul_compared *compared_at(const dedpul_comparison *comparison, size_t index)
{
    return compares_classifiers(comparison) ? comparison->classifiers[index] : comparison->methods[index];
}

const char *compared_name(const dedpul_comparison *comparison, const dedpul_compared *compared)
{
    return compares_classifiers(comparison) ? compared->classifier : compared->method;
}

/* ---- for people ---- */

static void print_interval(double low, double high)
{
    if (isnan(low))
        printf(" %-16s", "");
    else
        printf(" %.4f to %.4f", low, high);
}

static void print_measure(int width, double value)
{
    if (isnan(value))
        printf("%*s", width, "-");
    else
        printf("%*.4f", width, value);
}

static void print_row(const dedpul_comparison *comparison, const dedpul_compared *compared)
{
    printf("  %-13s ", compared_name(comparison, compared));
    if (compared->status != DEDPUL_OK)
        printf("%-7s", "failed");
    else
        printf("%.4f ", compared->alpha);
    print_interval(compared->low, compared->high);
    print_measure(8, compared->auc.value);
    if (compares_classifiers(comparison)) {
        (void)putchar(' ');
        print_interval(compared->auc.low, compared->auc.high);
        print_measure(13, compared->average_precision.value);
    }
    print_measure(11, compared->precision.value);
    printf("%10.2f", compared->seconds);
    if (compared->note[0] != '\0') {
        (void)fputs("  ", stdout);
        print_text(compared->note);
    }
    (void)putchar('\n');
}

static void print_heading(const dedpul_comparison *comparison, double level)
{
    const double percent = 100 * level;
    if (compares_classifiers(comparison))
        printf("  classifier    alpha   %2.3g%% interval         AUC  %2.3g%% range        av. precision  "
               "precision"
               "   seconds  note\n",
               percent, percent);
    else
        printf("  method        alpha   %2.3g%% interval         AUC  precision   seconds  note\n", percent);
}

/* ---- verdicts ---- */

static const dedpul_compared *find_reference(const dedpul_comparison *comparison)
{
    for (size_t i = 0; i < compared_count(comparison); i++)
        if (compared_at(comparison, i)->is_reference)
            return compared_at(comparison, i);
    return NULL;
}

/* Lists entries that differ from the reference, or those that do not, with their numbers. */
static void print_list(FILE *stream, const dedpul_comparison *comparison, const char *before, bool differs)
{
    const char *separator = before;
    for (size_t i = 0; i < compared_count(comparison); i++) {
        const dedpul_compared *compared = compared_at(comparison, i);
        const double value = compares_classifiers(comparison) ? compared->auc.value : compared->alpha;
        if (compared->is_reference || isnan(value) || (compared->differs != 0) != differs)
            continue;
        (void)fprintf(stream, "%s%s (%.4f)", separator, compared_name(comparison, compared), value);
        separator = ", ";
    }
    if (separator != before)
        (void)fputs(".", stream);
}

static void print_method_verdict(FILE *stream, const dedpul_comparison *comparison,
                                 const dedpul_compared *reference)
{
    size_t n_differing = 0;
    for (size_t i = 0; i < comparison->n_methods; i++)
        n_differing += comparison->methods[i]->differs != 0;
    if (isnan(reference->low)) {
        (void)fputs("\nThere are too few rows, or resamples, to tell how uncertain these are.\n", stream);
        return;
    }
    if (n_differing == 0) {
        (void)fprintf(stream, "\nNone differs from %s by more than their uncertainty.\n", reference->method);
        return;
    }
    (void)fprintf(stream, "\nDiffer from %s (%.4f) by more than their uncertainty:", reference->method,
                  reference->alpha);
    print_list(stream, comparison, " ", true);
    (void)fputs("\n", stream);
}

static void print_classifier_verdict(FILE *stream, const dedpul_comparison *comparison,
                                     const dedpul_compared *best)
{
    (void)fprintf(stream, "\nThe highest AUC is that of %s (%.4f).", best->classifier, best->auc.value);
    print_list(stream, comparison, "\nLower by more than chance: ", true);
    print_list(stream, comparison, "\nNot lower by more than chance: ", false);
    (void)fputs(
        "\nDifferences are tested by the AUC of labeled against unlabeled rows, whose order does not\n"
        "depend on alpha. Ranges have alpha's uncertainty in common, so they may overlap anyway.\n",
        stream);
}

void print_verdict(FILE *stream, const dedpul_comparison *comparison)
{
    const dedpul_compared *reference = find_reference(comparison);
    if (reference == NULL || compared_count(comparison) < 2)
        return;
    if (compares_classifiers(comparison))
        print_classifier_verdict(stream, comparison, reference);
    else
        print_method_verdict(stream, comparison, reference);
}

bool print_comparison(const char *file, double level, const dedpul_comparison *comparison)
{
    print_text(file);
    printf(": %zu labeled positive and %zu unlabeled rows\n", comparison->n_positive,
           comparison->n_unlabeled);
    if (compares_classifiers(comparison) && comparison->alpha_of != NULL)
        printf("AUC, positives against negatives, and precision are estimates for alpha %.4f, that of %s, "
               "which is best by its own alpha\n\n",
               comparison->alpha, comparison->alpha_of);
    else if (!compares_classifiers(comparison))
        printf("Scores by %s in %.1f s; AUC %.4f, labeled against unlabeled\n\n", comparison->classifier,
               comparison->seconds, comparison->auc);
    print_heading(comparison, level);
    for (size_t i = 0; i < compared_count(comparison); i++)
        print_row(comparison, compared_at(comparison, i));
    print_verdict(stdout, comparison);
    if (comparison->label_check != NULL)
        (void)putchar('\n');
    print_label_check(comparison->label_check);
    return flush_output();
}

/* ---- for programs ---- */

static json_t *compared_object(const dedpul_compared *compared)
{
    json_t *object = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:f}", "method", compared->method,
                               "classifier", compared->classifier, "alpha", number_or_null(compared->alpha),
                               "low", number_or_null(compared->low), "high", number_or_null(compared->high),
                               "auc", range_or_null(&compared->auc), "average_precision",
                               range_or_null(&compared->average_precision), "precision",
                               range_or_null(&compared->precision), "seconds", compared->seconds);
    if (compared->status != DEDPUL_OK)
        (void)json_object_set_new(object, "error", json_string(compared->note));
    else if (compared->note[0] != '\0')
        (void)json_object_set_new(object, "note", json_string(compared->note));
    return object;
}

static void set_standing(json_t *object, const dedpul_compared *compared, bool is_classifier)
{
    if (is_classifier) {
        (void)json_object_set_new(object, "auc_unlabeled", number_or_null(compared->auc_unlabeled));
        (void)json_object_set_new(object, "best", json_boolean(compared->is_reference));
        (void)json_object_set_new(object, "worse", json_boolean(compared->differs));
        (void)json_object_set_new(object, "chance", number_or_null(compared->chance));
    } else {
        (void)json_object_set_new(object, "differs", json_boolean(compared->differs));
    }
}

bool print_comparison_json(const dedpul_comparison *comparison)
{
    json_t *array = json_array();
    for (size_t i = 0; i < compared_count(comparison); i++) {
        const dedpul_compared *compared = compared_at(comparison, i);
        json_t *object = compared_object(compared);
        if (compared->status == DEDPUL_OK)
            set_standing(object, compared, compares_classifiers(comparison));
        (void)json_array_append_new(array, object);
    }
    return print_json(array);
}
