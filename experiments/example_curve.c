#include "experiments.h"

#include "context.h"
#include "rng.h"

#include <math.h>
#include <stdlib.h>

static double laplace(struct rng *rng, double location)
{
    const double u = rng_uniform(rng) - 0.5;
    return location - copysign(log(1 - 2 * fabs(u) + 1e-15), u);
}

/* Scores of the ideal classifier: P's share of f_p + f_u. */
static double score_of(double x)
{
    const double p = exp(-fabs(x)), n = exp(-fabs(x - 2));
    return p / (p + 0.5 * p + 0.5 * n);
}

dedpul_status example_curve(dedpul_result **result, double *target, dedpul_error *error)
{
    enum { N_P = 1000, N_U = 10000 };
    static double score[N_P + N_U];
    static unsigned char label[N_P + N_U];
    const dedpul_sample rows = {N_P + N_U, score, NULL};
    struct rng rng;
    rng_init(&rng, 0, 0);
    for (size_t i = 0; i < N_P + N_U; i++) {
        label[i] = i < N_P;
        score[i] = score_of(laplace(&rng, i < N_P + N_U / 2 ? 0 : 2));
    }
    *target = 0.5 + 0.5 * exp(-2);
    return dedpul_estimate(&rows, label, NULL, result, error);
}
