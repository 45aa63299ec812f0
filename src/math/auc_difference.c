#include "auc_difference.h"

#include "normal.h"
#include "sort.h"
#include "weighted.h"

#include <math.h>

/* Sums over the rows of either label. */
struct label_sums {
    double of[2];
};

static struct label_sums sum_weights(const struct scored_twice *rows, size_t from, size_t to,
                                     const uint32_t *row)
{
    struct label_sums sums = {{0, 0}};
    for (size_t i = from; i < to; i++)
        sums.of[rows->label[row[i]]] += weight_at(rows->weight, row[i]);
    return sums;
}

/* Fills in which share of the rows of the other label each row is told from; a tie counts one half. */
static dedpul_status fill_shares(struct context *context, const struct scored_twice *rows,
                                 const double *score, double *share)
{
    struct block *mark = context_mark(context);
    const size_t n = rows->n;
    double *sorted = context_allocate(context, n, sizeof *sorted);
    uint32_t *row = context_allocate(context, n, sizeof *row);
    struct label_sums below = {{0, 0}};
    if (sorted == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        sorted[i] = score[i];
        row[i] = (uint32_t)i;
    }
    TRY(sort_numbers(context, n, sorted, row));
    const struct label_sums total = sum_weights(rows, 0, n, row);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && sorted[to] == sorted[from]; to++)
            continue;
        const struct label_sums tied = sum_weights(rows, from, to, row);
        const double beaten = (below.of[0] + tied.of[0] / 2) / total.of[0],
                     missed = (below.of[1] + tied.of[1] / 2) / total.of[1];
        for (size_t i = from; i < to; i++)
            share[row[i]] = rows->label[row[i]] == 1 ? beaten : 1 - missed;
        for (int label = 0; label < 2; label++)
            below.of[label] += tied.of[label];
    }
    context_release(context, mark);
    return DEDPUL_OK;
}

/* The mean of a value over the rows of a label, and the variance of that mean. */
static void measure(const struct scored_twice *rows, unsigned char label, const double *value, double *mean,
                    double *variance)
{
    double total = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->label[i] == label) {
            total += weight_at(rows->weight, i);
            sum += weight_at(rows->weight, i) * value[i];
        }
    *mean = sum / total;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->label[i] == label)
            squares += weight_at(rows->weight, i) * (value[i] - *mean) * (value[i] - *mean);
    *variance = squares / (total - 1) / total;
}

dedpul_status auc_difference(struct context *context, const struct scored_twice *rows,
                             struct auc_difference *difference)
{
    struct block *mark = context_mark(context);
    double *by_a = context_allocate(context, rows->n, sizeof *by_a);
    double *by_b = context_allocate(context, rows->n, sizeof *by_b);
    double mean[2], variance[2];
    if (by_a == NULL || by_b == NULL)
        return DEDPUL_NO_MEMORY;
    TRY(fill_shares(context, rows, rows->a, by_a));
    TRY(fill_shares(context, rows, rows->b, by_b));
    for (size_t i = 0; i < rows->n; i++)
        by_a[i] -= by_b[i];
    for (unsigned char label = 0; label < 2; label++)
        measure(rows, label, by_a, &mean[label], &variance[label]);
    const double error = sqrt(variance[0] + variance[1]);
    difference->value = mean[1]; /* that of label 0 is the same */
    difference->chance = error > 0 ? 2 * normal_share(-fabs(mean[1]) / error) : 1;
    context_release(context, mark);
    return DEDPUL_OK;
}
