/* Gaussian kernel densities of logit scores. */
#include "kde.h"

#include "gauss_transform.h"
#include "holdout.h"
#include "search.h"
#include "weighted.h"

#include <math.h>

static const double square_root_of_2_pi = 2.5066282746310005;

/* The candidates of BANDWIDTH_AUTO: factors of the standard deviation, log-spaced. */
enum { N_FACTORS = 25 };
static const double smallest_factor = 0.01, largest_factor = 0.4;

static double factor_at(size_t candidate)
{
    return smallest_factor * pow(largest_factor / smallest_factor, (double)candidate / (N_FACTORS - 1));
}

static double deviation_of(const struct sample *sample)
{
    return weighted_deviation(sample->n, sample->logit, sample->weight);
}

double finest_bandwidth(const struct sample *a, const struct sample *b)
{
    const double lowest = fmin(a->logit[0], b->logit[0]);
    const double highest = fmax(a->logit[a->n - 1], b->logit[b->n - 1]);
    return 1e-6 * (highest - lowest);
}

static double kernel_height(const struct sample *sample, double bandwidth)
{
    return 1 / (sample->total * bandwidth * square_root_of_2_pi);
}

/*
 * Log density (without the kernels' height) if all kernels are out of the transform's reach: that of the
 * nearest kernel alone, in logarithms. So an outlier costs a candidate what it should, and not infinitely
 * much.
 */
static double log_of_nearest(const struct sample *train, double point, double bandwidth)
{
    const size_t right = first_above(train->n, train->logit, point);
    double distance = INFINITY;
    if (right > 0)
        distance = point - train->logit[right - 1];
    if (right < train->n)
        distance = fmin(distance, train->logit[right] - point);
    return -distance * distance / (2 * bandwidth * bandwidth);
}

static dedpul_status score_factor(struct context *context, size_t candidate, const struct sample *train,
                                  const struct sample *test, double *log_likelihood)
{
    const double finest = finest_bandwidth(train, test);
    const double bandwidth = fmax(factor_at(candidate) * deviation_of(train), finest);
    double *kernels = context_allocate(context, test->n, sizeof *kernels);
    if (kernels == NULL)
        return DEDPUL_NO_MEMORY;
    *log_likelihood = 0;
    if (!(bandwidth > 0))
        return DEDPUL_OK; /* all rows are tied, so all candidates are equally good */
    TRY(gauss_transform(context, train->n, train->logit, train->weight, bandwidth, 1, test->n, test->logit,
                        kernels));
    for (size_t i = 0; i < test->n; i++)
        *log_likelihood +=
            weight_at(test->weight, i) *
            (kernels[i] > 0 ? log(kernels[i]) : log_of_nearest(train, test->logit[i], bandwidth));
    *log_likelihood += test->total * log(kernel_height(train, bandwidth));
    return DEDPUL_OK;
}

static dedpul_status choose_bandwidth(struct context *context, const struct sample *sample,
                                      const struct density_request *request, double *bandwidth)
{
    size_t best;
    switch (request->bandwidth.rule) {
    case BANDWIDTH_ABSOLUTE:
        *bandwidth = request->bandwidth.value;
        break;
    case BANDWIDTH_FACTOR:
        *bandwidth = request->bandwidth.value * deviation_of(sample);
        break;
    case BANDWIDTH_AUTO:
        TRY(holdout_choose(context, sample, request->role, N_FACTORS, score_factor, &best));
        *bandwidth = factor_at(best) * deviation_of(sample);
        break;
    }
    return DEDPUL_OK;
}

static dedpul_status kde_fit(struct context *context, const struct sample *sample,
                             const struct density_request *request, struct density *density)
{
    *density = (struct density){.kind = &density_kde, .state = sample};
    return choose_bandwidth(context, sample, request, &density->size);
}

static dedpul_status kde_evaluate(struct context *context, const struct density *density,
                                  const struct sample *points, double *out)
{
    const struct sample *sample = density->state;
    const double height = kernel_height(sample, density->size);
    return gauss_transform(context, sample->n, sample->logit, sample->weight, density->size, height,
                           points->n, points->logit, out);
}

const struct density_kind density_kde = {
    .name = "kde",
    .summary = "Gaussian kernels on the logit score",
    .has_bandwidth = true,
    .fit = kde_fit,
    .evaluate = kde_evaluate,
    .settle = kde_treat_ties,
};
