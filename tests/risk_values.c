/*
 * Risks of batches on standard input, which python/tests/test_torch_losses.py compares with those of
 * dedpul.torch. A batch is: kind, loss, alpha, beta, gamma, n_1, n_0, its logits (class 1 first) and the
 * weight of each. Printed are the risk and, if all weights are 1, its slope by each logit.
 */
#include "risk.h"
#include "weighted.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256 };

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* CVIR leaves out what lies above this logit, as crossfit.c does with held-out rows. */
static double highest_kept(const struct risk *risk, size_t n_0, const double *logit)
{
    double sorted[MOST];
    if (risk->kind != RISK_CVIR)
        return INFINITY;
    memcpy(sorted, logit, n_0 * sizeof *sorted);
    qsort(sorted, n_0, sizeof *sorted, by_value);
    return weighted_quantile(n_0, sorted, NULL, 1 - risk->alpha);
}

static void print_risk(const struct risk *risk, size_t n_1, size_t n_0, const double *logit,
                       const double *weight)
{
    const size_t n = n_1 + n_0;
    const double most = highest_kept(risk, n_0, logit + n_1);
    struct risk_sums sums = no_risk;
    float kept[MOST], slope[MOST];
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i < n_1 || logit[i] <= most) {
            risk_add(risk, i < n_1, weight[i], logit[i], &sums);
            kept[n_kept++] = (float)logit[i];
        }
    risk_slope(risk, n_1, n_kept - n_1, kept, slope);
    printf("%.17g", risk_value(risk, &sums));
    for (size_t i = 0, k = 0; i < n; i++)
        printf(" %.9g", i < n_1 || logit[i] <= most ? (double)slope[k++] : 0.0);
    printf("\n");
}

int main(void)
{
    static double logit[MOST], weight[MOST];
    struct risk risk;
    int kind, loss;
    size_t n_1, n_0;
    while (scanf("%d %d %lf %lf %lf %zu %zu", &kind, &loss, &risk.alpha, &risk.beta, &risk.gamma, &n_1,
                 &n_0) == 7) {
        if (n_1 + n_0 > MOST)
            return 1;
        for (size_t i = 0; i < 2 * (n_1 + n_0); i++)
            if (scanf("%lf", i < n_1 + n_0 ? &logit[i] : &weight[i - n_1 - n_0]) != 1)
                return 1;
        risk.kind = (enum risk_kind)kind;
        risk.loss = (enum loss)loss;
        risk.given = NAN;
        print_risk(&risk, n_1, n_0, logit, weight);
    }
    return 0;
}
