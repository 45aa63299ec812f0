#include "answer.h"

#include "evaluation_output.h"
#include "label_check_output.h"
#include "message.h"
#include "top_rows.h"

double share_of_all(const dedpul_result *result)
{
    return (result->weight_positive + result->alpha * result->weight_unlabeled) /
           (result->weight_positive + result->weight_unlabeled);
}

double label_frequency(const dedpul_result *result)
{
    return result->weight_positive / (result->weight_positive + result->alpha * result->weight_unlabeled);
}

static json_t *interval_object(const dedpul_interval *interval)
{
    return json_pack("{s:i, s:f, s:f, s:f, s:f, s:f, s:f}", "resamples", (int)interval->resamples, "level",
                     interval->level, "low", interval->low, "high", interval->high, "percentile_low",
                     interval->percentile_low, "percentile_high", interval->percentile_high, "upper_bound",
                     interval->upper_bound);
}

/* The kinds, as an array. */
static json_t *kinds_array(const dedpul_result *result)
{
    json_t *array = json_array();
    for (size_t k = 0; k < result->n_kinds; k++) {
        const dedpul_kind *kind = result->kinds[k];
        (void)json_array_append_new(
            array, json_pack("{s:o, s:I, s:f, s:f, s:o, s:o, s:f, s:o, s:o}", "kind", json_text(kind->name),
                             "n_labeled", (json_int_t)kind->n_labeled, "weight_labeled", kind->weight_labeled,
                             "share", kind->share, "low", number_or_null(kind->low), "high",
                             number_or_null(kind->high), "label_rate", kind->label_rate, "label_rate_low",
                             number_or_null(kind->label_rate_low), "label_rate_high",
                             number_or_null(kind->label_rate_high)));
    }
    return array;
}

static json_t *propensities_object(const dedpul_propensities *found)
{
    json_t *groups = json_array();
    for (size_t k = 0; k < found->n_groups; k++) {
        const dedpul_propensity_group *group = found->groups[k];
        (void)json_array_append_new(groups,
                                    json_pack("{s:o, s:o, s:I, s:f}", "column", json_text(group->column),
                                              "values", json_text(group->values), "n_labeled",
                                              (json_int_t)group->n_labeled, "propensity", group->propensity));
    }
    return json_pack("{s:f, s:f, s:f, s:o, s:o, s:o}", "lowest", found->lowest, "highest", found->highest,
                     "mean", found->mean, "alpha_without", number_or_null(found->alpha_without),
                     "alpha_by_values", number_or_null(found->alpha_by_values), "groups", groups);
}

bool print_answer_json(const dedpul_result *result, const dedpul_model_info *model,
                       const dedpul_evaluation *evaluation, json_t *top)
{
    json_t *warnings = json_array();
    append_warnings(warnings, result->n_warnings, result->warnings);
    json_t *object = json_pack(
        "{s:s, s:s?, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:o}", "method",
        result->method, "density", result->density, "alpha", number_or_null(result->alpha), "alpha_c",
        number_or_null(result->alpha_c), "alpha_n", number_or_null(result->alpha_n), "rule",
        dedpul_rule_name(result->rule), "scale", number_or_null(result->scale), "mean_ratio",
        number_or_null(result->mean_ratio), "auc", number_or_null(result->auc), "bandwidth_p",
        number_or_null(result->bandwidth_p), "bandwidth_u", number_or_null(result->bandwidth_u), "n_positive",
        (json_int_t)result->n_positive, "n_unlabeled", (json_int_t)result->n_unlabeled, "weight_positive",
        number_or_null(result->weight_positive), "weight_unlabeled", number_or_null(result->weight_unlabeled),
        "warnings", warnings);
    (void)json_object_set_new(object, "pi_all", number_or_null(share_of_all(result)));
    (void)json_object_set_new(object, "c", number_or_null(label_frequency(result)));
    if (has_interval(result))
        (void)json_object_set_new(object, "interval", interval_object(result->interval));
    else if (result->interval != NULL)
        (void)json_object_set_new(object, "interval", json_null());
    if (result->n_kinds > 0)
        (void)json_object_set_new(object, "kinds", kinds_array(result));
    set_label_check(object, result->label_check);
    if (result->propensities != NULL)
        (void)json_object_set_new(object, "propensities", propensities_object(result->propensities));
    if (object != NULL && model != NULL) {
        (void)json_object_set_new(object, "classifier", json_string(model->classifier));
        (void)json_object_set_new(object, "n_features", json_integer((json_int_t)model->n_features));
        (void)json_object_set_new(object, "n_models", json_integer((json_int_t)model->n_members));
    }
    if (evaluation != NULL)
        (void)json_object_set_new(object, "threshold", threshold_object(evaluation->threshold));
    if (top != NULL)
        (void)json_object_set_new(object, "top", top);
    return print_json(object);
}

const char *explain_rule(dedpul_rule rule)
{
    switch (rule) {
    case DEDPUL_RULE_ROOT:
        return "the largest root of D(alpha)";
    case DEDPUL_RULE_MAX_SLOPE:
        return "the sharpest bend of D(alpha), which has no root but 0";
    case DEDPUL_RULE_FORMULA:
        return "the method's own formula";
    case DEDPUL_RULE_GIVEN:
        return "given, not estimated";
    case DEDPUL_RULE_MEDIAN:
        return "the median of alpha's distribution";
    }
    return "";
}

void print_rows(FILE *stream, size_t n_positive, size_t n_unlabeled, double weight_positive,
                double weight_unlabeled)
{
    (void)fprintf(stream, "%zu labeled positive and %zu unlabeled rows", n_positive, n_unlabeled);
    const double most = 1e-9 * (weight_positive + weight_unlabeled); /* weights of kinds are rounded */
    if (fabs(weight_positive - (double)n_positive) > most ||
        fabs(weight_unlabeled - (double)n_unlabeled) > most)
        (void)fprintf(stream, ", weighing %g and %g", weight_positive, weight_unlabeled);
}

static void print_interval(const dedpul_result *result)
{
    const double alpha = result->alpha;
    const dedpul_interval *interval = result->interval;
    const double level = 100 * interval->level;
    printf("  interval  %.4f to %.4f: %g%%, ", interval->low, interval->high, level);
    const char *uncertain = result->n_kinds > 0 ? "the shares of kinds"
                            : result->propensities != NULL && result->propensities->n_groups > 0
                                ? "propensities"
                                : NULL;
    if (uncertain != NULL)
        printf("%s, and wider because %s are uncertain\n",
               interval->resamples > 0 ? "from resamples of the rows" : "learned on simulated problems",
               uncertain);
    else if (interval->resamples > 0)
        printf("from %u resamples of the rows; their scores stay the same\n", interval->resamples);
    else
        (void)puts("learned on simulated problems, checked on real ones");
    printf("  at most   %.4f    %g%% bound that assumes nothing about the distributions%s\n",
           interval->upper_bound, level, alpha > interval->upper_bound ? "; alpha is above it" : "");
}

static void print_kinds(const dedpul_result *result)
{
    (void)puts("\n  share     interval            labeled rows  labeled of all  kind");
    for (size_t k = 0; k < result->n_kinds; k++) {
        const dedpul_kind *kind = result->kinds[k];
        printf("  %.4f    ", kind->share);
        if (isnan(kind->low))
            printf("%-16s", "none");
        else
            printf("%.4f to %.4f", kind->low, kind->high);
        printf("    %12zu  %14.4f  ", kind->n_labeled, kind->label_rate);
        print_text(kind->name);
        (void)putchar('\n');
    }
    (void)putchar('\n');
}

static void print_propensities(const dedpul_propensities *found)
{
    printf("  without   %.4f    alpha, if all positives had the same chance to be labeled\n",
           found->alpha_without);
    if (!isnan(found->alpha_by_values))
        printf("  by values %.4f    what the chances say by themselves, without a classifier\n",
               found->alpha_by_values);
    printf("  chance    %.4f    of a positive to be labeled, on average; from %.4f to %.4f\n", found->mean,
           found->lowest, found->highest);
    if (found->n_groups > 0)
        (void)puts("\n  labeled of all  labeled rows  column: values");
    for (size_t k = 0; k < found->n_groups; k++) {
        const dedpul_propensity_group *group = found->groups[k];
        printf("  %14.4f  %12zu  ", group->propensity, group->n_labeled);
        print_text(group->column);
        (void)fputs(": ", stdout);
        print_text(group->values);
        (void)putchar('\n');
    }
    if (found->n_groups > 0)
        (void)putchar('\n');
}

bool print_summary(const char *file, const dedpul_result *result, const dedpul_model_info *model)
{
    size_t likely = 0;
    for (size_t i = 0; i < result->n_unlabeled; i++)
        likely += result->posterior[i] > 0.5;
    print_text(file);
    (void)fputs(": ", stdout);
    print_rows(stdout, result->n_positive, result->n_unlabeled, result->weight_positive,
               result->weight_unlabeled);
    printf("\n\n  alpha     %.4f    share of positives among the unlabeled: about %.0f of %.0f\n",
           result->alpha, result->alpha * result->weight_unlabeled, result->weight_unlabeled);
    if (result->rule != DEDPUL_RULE_GIVEN)
        (void)puts("                      (an upper bound, if positives and negatives overlap "
                   "everywhere)");
    if (has_interval(result))
        print_interval(result);
    else if (result->interval != NULL && result->rule != DEDPUL_RULE_GIVEN)
        (void)puts("  interval  none: the method has none, or there are too few rows or resamples");
    printf("  found by  %-9s %s (method %s)\n", dedpul_rule_name(result->rule), explain_rule(result->rule),
           result->method);
    if (model != NULL)
        printf("  scores    %-9s %zu models on %zu features; each row is scored by models that have not seen "
               "it\n",
               model->classifier, model->n_members, model->n_features);
    printf("  AUC       %.4f    labeled against unlabeled\n", result->auc);
    if (model != NULL && model->trained != NULL)
        printf("  %-9s %-9s networks of positives against negatives; what follows is from them\n",
               result->method, model->trained);
    printf("  of all    %.4f    share of positives among all rows; %.4f of all positives are labeled\n",
           share_of_all(result), label_frequency(result));
    if (result->propensities != NULL)
        print_propensities(result->propensities);
    if (result->n_kinds > 0)
        print_kinds(result);
    print_label_check(result->label_check);
    printf("  rows      %-9zu unlabeled rows are more likely positive than not\n", likely);
    return flush_output();
}

void print_warnings(size_t n, const dedpul_warning *warnings)
{
    for (size_t i = 0; i < n; i++)
        complain("warning: %s [%s]", warnings[i].message, warnings[i].name);
}
