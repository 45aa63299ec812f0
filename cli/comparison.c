#include "comparison.h"

#include "json_output.h"
#include "message.h"

static void print_row(const dedpul_compared *compared)
{
    printf("  %-13s ", compared->method);
    if (compared->status != DEDPUL_OK)
        printf("%-7s", "failed");
    else
        printf("%.4f ", compared->alpha);
    if (isnan(compared->low))
        printf(" %-16s", "");
    else
        printf(" %.4f to %.4f", compared->low, compared->high);
    printf("%10.2f", compared->seconds);
    if (compared->note[0] != '\0') {
        (void)fputs("  ", stdout);
        print_text(compared->note);
    }
    (void)putchar('\n');
}

void print_verdict(FILE *stream, const dedpul_comparison *comparison)
{
    size_t n_differing = 0;
    const dedpul_compared *reference = NULL;
    for (size_t i = 0; i < comparison->n_methods; i++) {
        if (comparison->methods[i]->is_reference)
            reference = comparison->methods[i];
        n_differing += comparison->methods[i]->differs != 0;
    }
    if (reference == NULL || comparison->n_methods < 2)
        return;
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
    const char *separator = " ";
    for (size_t i = 0; i < comparison->n_methods; i++)
        if (comparison->methods[i]->differs) {
            (void)fprintf(stream, "%s%s (%.4f)", separator, comparison->methods[i]->method,
                          comparison->methods[i]->alpha);
            separator = ", ";
        }
    (void)fputs(".\n", stream);
}

bool print_comparison(const char *file, double level, const dedpul_comparison *comparison)
{
    print_text(file);
    printf(": %zu labeled positive and %zu unlabeled rows\n", comparison->n_positive,
           comparison->n_unlabeled);
    printf("Scores by %s in %.1f s; AUC %.4f, labeled against unlabeled\n\n", comparison->classifier,
           comparison->seconds, comparison->auc);
    printf("  method        alpha   %2.3g%% interval       seconds  note\n", 100 * level);
    for (size_t i = 0; i < comparison->n_methods; i++)
        print_row(comparison->methods[i]);
    print_verdict(stdout, comparison);
    return flush_output();
}

bool print_comparison_json(const dedpul_comparison *comparison)
{
    json_t *array = json_array();
    for (size_t i = 0; i < comparison->n_methods; i++) {
        const dedpul_compared *compared = comparison->methods[i];
        json_t *object = json_pack("{s:s, s:o, s:o, s:o, s:f}", "method", compared->method, "alpha",
                                   number_or_null(compared->alpha), "low", number_or_null(compared->low),
                                   "high", number_or_null(compared->high), "seconds", compared->seconds);
        if (compared->status != DEDPUL_OK)
            (void)json_object_set_new(object, "error", json_string(compared->note));
        else if (compared->note[0] != '\0')
            (void)json_object_set_new(object, "note", json_string(compared->note));
        if (compared->status == DEDPUL_OK)
            (void)json_object_set_new(object, "differs", json_boolean(compared->differs));
        (void)json_array_append_new(array, object);
    }
    return print_json(array);
}
