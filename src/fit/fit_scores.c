#include "fit_scores.h"

#include "search.h"
#include "sort.h"
#include "weighted.h"

#include <float.h>
#include <math.h>

static dedpul_status allocate(struct context *context, size_t n, struct arena *memory,
                              struct fit_scores *kept)
{
    double **const array[] = {&kept->logit, &kept->labeled, &kept->unlabeled};
    kept->n = n;
    for (size_t i = 0; i < sizeof array / sizeof array[0]; i++) {
        *array[i] = context_allocate_in(context, memory, n, sizeof **array[i]);
        if (*array[i] == NULL)
            return DEDPUL_NO_MEMORY;
    }
    return DEDPUL_OK;
}

/* ---- making ---- */

/* Returns the end of the rows, from this one on, that are merged: those within the distance of it. */
static size_t end_of_merged(size_t n, const double *logit, size_t begin, double distance)
{
    size_t end = begin + 1;
    while (end < n && logit[end] - logit[begin] <= distance)
        end++;
    return end;
}

static size_t count_merged(size_t n, const double *logit, double distance)
{
    size_t count = 0;
    for (size_t begin = 0; begin < n; begin = end_of_merged(n, logit, begin, distance))
        count++;
    return count;
}

/* Starts far below what matters: a 2048th part of the range would always do. */
static double choose_distance(size_t n, const double *logit)
{
    double distance = 0;
    while (count_merged(n, logit, distance) > MOST_FIT_SCORES)
        distance =
            distance > 0 ? 2 * distance : fmax((logit[n - 1] - logit[0]) / (64.0 * MOST_FIT_SCORES), DBL_MIN);
    return distance;
}

dedpul_status fit_scores_make(struct context *context, size_t n, const double *logit, const double *weight,
                              const unsigned char *label, struct arena *memory, struct fit_scores *kept)
{
    struct block *mark = context_mark(context);
    double *sorted = context_allocate(context, n, sizeof *sorted);
    uint32_t *row = context_allocate(context, n, sizeof *row);
    size_t rows = 0, end;
    if (sorted == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        if (weight_at(weight, i) > 0) {
            sorted[rows] = logit[i];
            row[rows++] = (uint32_t)i;
        }
    TRY(sort_numbers(context, rows, sorted, row));
    const double distance = choose_distance(rows, sorted);
    TRY(allocate(context, count_merged(rows, sorted, distance), memory, kept));
    for (size_t begin = 0, k = 0; begin < rows; begin = end, k++) {
        double of_label[2] = {0, 0}, sum = 0;
        end = end_of_merged(rows, sorted, begin, distance);
        for (size_t i = begin; i < end; i++) {
            of_label[label[row[i]]] += weight_at(weight, row[i]);
            sum += sorted[i] - sorted[begin];
        }
        kept->logit[k] = fmin(sorted[begin] + sum / (double)(end - begin), sorted[end - 1]);
        kept->labeled[k] = of_label[1];
        kept->unlabeled[k] = of_label[0];
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

/* ---- counting ---- */

void fit_scores_count(const struct fit_scores *kept, size_t n, const double *logit, double *count)
{
    for (size_t i = 0; i < n; i++) {
        size_t nearest = first_above(kept->n, kept->logit, logit[i]);
        if (nearest == kept->n ||
            (nearest > 0 && logit[i] - kept->logit[nearest - 1] < kept->logit[nearest] - logit[i]))
            nearest--;
        count[nearest]++;
    }
}

/* ---- files ---- */

void fit_scores_save(const struct fit_scores *kept, struct bytes *bytes)
{
    bytes_put_u64(bytes, kept->n);
    for (size_t k = 0; k < kept->n; k++) {
        bytes_put_f64(bytes, kept->logit[k]);
        bytes_put_f64(bytes, kept->labeled[k]);
        bytes_put_f64(bytes, kept->unlabeled[k]);
    }
}

static bool is_weight(double weight)
{
    return weight >= 0 && weight < INFINITY;
}

dedpul_status fit_scores_load(struct context *context, struct bytes_reader *bytes, struct arena *memory,
                              struct fit_scores *kept)
{
    double labeled = 0, unlabeled = 0;
    TRY(allocate(context, bytes_get_count(bytes, 3 * sizeof(double)), memory, kept));
    for (size_t k = 0; k < kept->n; k++) {
        kept->logit[k] = bytes_get_f64(bytes);
        labeled += kept->labeled[k] = bytes_get_f64(bytes);
        unlabeled += kept->unlabeled[k] = bytes_get_f64(bytes);
        if (!isfinite(kept->logit[k]) || (k > 0 && !(kept->logit[k] > kept->logit[k - 1])) ||
            !is_weight(kept->labeled[k]) || !is_weight(kept->unlabeled[k]))
            bytes->failed = true;
    }
    /* There are none if an earlier version fitted the model, and this one saved it again. */
    bytes->failed =
        bytes->failed || (kept->n > 0 && !(labeled > 0 && unlabeled > 0 && labeled + unlabeled < INFINITY));
    return DEDPUL_OK;
}
