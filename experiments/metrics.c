#include "metrics.h"

#include "sort.h"
#include "weighted.h"

#include <math.h>

static dedpul_status auc_of_classes(struct context *context, size_t n, const double *posterior,
                                    const unsigned char *truth, double *auc)
{
    double *of_class[2];
    size_t n_class[2] = {0, 0};
    for (int class = 0; class < 2; class ++) {
        uint32_t *row = context_allocate(context, n, sizeof *row);
        of_class[class] = context_allocate(context, n, sizeof *of_class[class]);
        if (row == NULL || of_class[class] == NULL)
            return DEDPUL_NO_MEMORY;
        for (size_t i = 0; i < n; i++)
            if (truth[i] == class) {
                row[n_class[class]] = (uint32_t)i;
                of_class[class][n_class[class]++] = posterior[i];
            }
        TRY(sort_numbers(context, n_class[class], of_class[class], row));
    }
    *auc = weighted_auc(n_class[1], of_class[1], NULL, n_class[0], of_class[0], NULL);
    return DEDPUL_OK;
}

dedpul_status measure(struct context *context, size_t n, const double *posterior, const unsigned char *truth,
                      const double *true_posterior, struct metrics *metrics)
{
    struct block *mark = context_mark(context);
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
    TRY(auc_of_classes(context, n, posterior, truth, &metrics->roc_auc));
    context_release(context, mark);
    return DEDPUL_OK;
}
