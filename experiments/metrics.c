#include "metrics.h"

#include "train.h"

#include <math.h>

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
