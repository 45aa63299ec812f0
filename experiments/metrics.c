#include "metrics.h"

#include "sort.h"
#include "train.h"

#include <math.h>

#define LEAST_POSTERIOR 1e-6

dedpul_status measure(struct context *context, size_t n, const double *posterior, unsigned char *truth,
                      const double *true_posterior, struct metrics *metrics)
{
    const struct table rows = {.n_rows = n, .label = truth};
    double difference = 0;
    size_t count[2][2] = {{0, 0}, {0, 0}}; /* by truth and call */
    for (size_t i = 0; i < n; i++) {
        count[truth[i]][posterior[i] > 0.5]++;
        if (true_posterior != NULL)
            difference += fabs(posterior[i] - true_posterior[i]);
    }
    const double wrong = (double)(count[0][1] + count[1][0]), right = (double)count[1][1];
    metrics->posterior_mae = true_posterior != NULL ? difference / (double)n : NAN;
    metrics->error = wrong / (double)n;
    metrics->f1 = right > 0 ? 2 * right / (2 * right + wrong) : 0;
    return auc_by(context, &rows, posterior, &metrics->roc_auc);
}

/* ---- trust ---- */

/*
 * Gives rows with the same posterior the mean of their chances. Otherwise their bins, and with them the
 * calibration, would depend on the order of the rows.
 */
static void even_out_ties(size_t n, const double *posterior, double *chance)
{
    for (size_t first = 0, last; first < n; first = last) {
        double sum = 0;
        for (last = first; last < n && posterior[last] == posterior[first]; last++)
            sum += chance[last];
        for (size_t i = first; i < last; i++)
            chance[i] = sum / (double)(last - first);
    }
}

/* Weighted by its rows, a bin counts |sum of posteriors - sum of chances|. */
static double calibration_of(size_t n, const double *posterior, const double *chance)
{
    double sum = 0;
    for (size_t bin = 0; bin < CALIBRATION_BINS; bin++) {
        double difference = 0;
        for (size_t i = bin * n / CALIBRATION_BINS; i < (bin + 1) * n / CALIBRATION_BINS; i++)
            difference += posterior[i] - chance[i];
        sum += fabs(difference);
    }
    return sum / (double)n;
}

dedpul_status measure_trust(struct context *context, size_t n, const double *posterior,
                            const unsigned char *truth, const double *true_posterior, struct trust *trust)
{
    struct block *mark = context_mark(context);
    double *sorted = context_allocate(context, n, sizeof *sorted);
    double *chance = context_allocate(context, n, sizeof *chance); /* of being positive */
    uint32_t *row = context_allocate(context, n, sizeof *row);
    double log_loss = 0, brier = 0;
    if (sorted == NULL || chance == NULL || row == NULL)
        return DEDPUL_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        sorted[i] = posterior[i];
        row[i] = (uint32_t)i;
    }
    TRY(sort_numbers(context, n, sorted, row));
    for (size_t i = 0; i < n; i++) {
        const double q = true_posterior != NULL ? true_posterior[row[i]] : truth[row[i]];
        const double p = fmin(fmax(sorted[i], LEAST_POSTERIOR), 1 - LEAST_POSTERIOR);
        log_loss -= q * log(p) + (1 - q) * log1p(-p);
        brier += q * (1 - sorted[i]) * (1 - sorted[i]) + (1 - q) * sorted[i] * sorted[i];
        chance[i] = q;
    }
    even_out_ties(n, sorted, chance);
    trust->log_loss = log_loss / (double)n;
    trust->brier = brier / (double)n;
    trust->calibration = calibration_of(n, sorted, chance);
    context_release(context, mark);
    return DEDPUL_OK;
}
