/* The numbers behind the charts of a report. */
#include "answer.h"
#include "comparison.h"
#include "json_output.h"
#include "report_parts.h"

#include <stdlib.h>
#include <string.h>

/* So that a page stays small whatever the number of rows. */
enum { MOST_POINTS = 2000 };

/* Unlabeled rows of one ratio, or of a narrow range of them. */
struct point {
    double ratio, weight;
    size_t rows;
};

static int compare_points(const void *a, const void *b)
{
    const double x = ((const struct point *)a)->ratio, y = ((const struct point *)b)->ratio;
    return (x > y) - (x < y);
}

/* A point for each row, ratios growing. Posteriors of networks stand for ratios. */
static void points_fill(const struct report *report, struct point *point)
{
    const bool is_trained = report_is_trained(report);
    const double *ratio = is_trained ? report->result->posterior : report->result->ratio;
    size_t k = 0;
    for (size_t i = 0; i < report->rows.n; i++)
        if (report->label[i] == 0) {
            const double weight = report->rows.weight != NULL ? report->rows.weight[i] : 1;
            point[k] = (struct point){ratio[k], weight, 1};
            k++;
        }
    qsort(point, k, sizeof *point, compare_points);
}

/* The two as one, with their mean ratio. */
static struct point points_join(const struct point *a, const struct point *b)
{
    struct point sum = {a->ratio, a->weight + b->weight, a->rows + b->rows};
    if (a->ratio != b->ratio)
        sum.ratio += (b->ratio - a->ratio) *
                     (sum.weight > 0 ? b->weight / sum.weight : (double)b->rows / (double)sum.rows);
    return sum;
}

/* Equal ratios become one point. Their number. */
static size_t points_join_equal(size_t n, struct point *point)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (kept > 0 && point[kept - 1].ratio == point[i].ratio)
            point[kept - 1] = points_join(&point[kept - 1], &point[i]);
        else
            point[kept++] = point[i];
    return kept;
}

/* Neighbours become one point, so that each has about as many of the rows. Their number. */
static size_t points_join_near(size_t n, struct point *point, size_t rows)
{
    size_t kept = 0, before = 0, last_group = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t group = (size_t)((double)before / (double)rows * MOST_POINTS);
        before += point[i].rows;
        if (kept > 0 && group == last_group)
            point[kept - 1] = points_join(&point[kept - 1], &point[i]);
        else
            point[kept++] = point[i];
        last_group = group;
    }
    return kept;
}

static json_t *points_object(size_t n, const struct point *point, bool is_weighted)
{
    json_t *ratio = json_array(), *rows = json_array(), *weight = json_array();
    for (size_t i = 0; i < n; i++) {
        (void)json_array_append_new(ratio, number_or_null(point[i].ratio));
        (void)json_array_append_new(rows, json_integer((json_int_t)point[i].rows));
        if (is_weighted)
            (void)json_array_append_new(weight, number_or_null(point[i].weight));
    }
    json_t *object = json_pack("{s:o, s:o, s:o}", "ratio", ratio, "rows", rows, "weight", weight);
    if (!is_weighted)
        (void)json_object_del(object, "weight");
    return object;
}

static json_t *numbers(size_t n, const double *number)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        (void)json_array_append_new(array, number_or_null(number[i]));
    return array;
}

static json_t *grid_object(const dedpul_result *result)
{
    const size_t n = result->n_grid;
    return json_pack("{s:o, s:o, s:o, s:o}", "logit", numbers(n, result->grid_logit), "positive",
                     numbers(n, result->grid_positive), "unlabeled", numbers(n, result->grid_unlabeled),
                     "ratio", numbers(n, result->grid_ratio));
}

/* Pairs of a scale and its weight. */
static json_t *scales_array(const dedpul_result *result)
{
    json_t *array = json_array();
    for (size_t k = 0; k < result->n_scales; k++)
        (void)json_array_append_new(array, json_pack("[f, f]", result->scales[k], result->scale_weights[k]));
    return array;
}

json_t *estimate_data(const struct report *report)
{
    const dedpul_result *result = report->result;
    const bool is_trained = report_is_trained(report);
    struct point *point = calloc(result->n_unlabeled, sizeof *point);
    if (point == NULL)
        return NULL;
    points_fill(report, point);
    const size_t n_distinct = points_join_equal(result->n_unlabeled, point);
    const bool is_summarised = n_distinct > MOST_POINTS;
    const size_t n_points =
        is_summarised ? points_join_near(n_distinct, point, result->n_unlabeled) : n_distinct;
    json_t *data =
        json_pack("{s:o, s:o, s:o, s:I, s:b, s:b, s:o, s:o}", "alpha", number_or_null(result->alpha), "scale",
                  number_or_null(is_trained ? 1 : result->scale), "scales",
                  is_trained ? json_pack("[[i, i]]", 1, 1) : scales_array(result), "rows",
                  (json_int_t)result->n_unlabeled, "trained", is_trained, "summarised", is_summarised,
                  "curve", numbers(result->n_curve, result->curve_d), "points",
                  points_object(n_points, point, report->rows.weight != NULL));
    free(point);
    if (data != NULL && result->n_grid > 0)
        (void)json_object_set_new(data, "grid", grid_object(result));
    if (data != NULL && has_interval(result))
        (void)json_object_set_new(data, "interval",
                                  json_pack("[o, o]", number_or_null(result->interval->low),
                                            number_or_null(result->interval->high)));
    return data;
}

bool data_is_summarised(const json_t *data)
{
    return json_is_true(json_object_get(data, "summarised"));
}

/* What is drawn of an entry: alpha and its interval, or a classifier's AUC and its range. */
static dedpul_range drawn_of(const dedpul_comparison *comparison, const dedpul_compared *entry)
{
    return compares_classifiers(comparison) ? entry->auc
                                            : (dedpul_range){entry->alpha, entry->low, entry->high};
}

json_t *comparison_data(const dedpul_comparison *comparison)
{
    json_t *methods = json_array();
    double lowest = 1;
    for (size_t i = 0; i < compared_count(comparison); i++) {
        const dedpul_compared *entry = compared_at(comparison, i);
        const dedpul_range drawn = drawn_of(comparison, entry);
        lowest = fmin(lowest, fmin(drawn.value, drawn.low)); /* NaN does not count */
        (void)json_array_append_new(
            methods, json_pack("{s:s, s:o, s:o, s:o, s:b, s:b}", "name", compared_name(comparison, entry),
                               "value", number_or_null(drawn.value), "low", number_or_null(drawn.low), "high",
                               number_or_null(drawn.high), "reference", entry->is_reference, "differs",
                               entry->differs));
    }
    return json_pack("{s:o, s:s, s:f}", "methods", methods, "measure",
                     compares_classifiers(comparison) ? "AUC" : "alpha", "from",
                     compares_classifiers(comparison) ? floor(10 * fmin(lowest, 0.9)) / 10 : 0);
}
