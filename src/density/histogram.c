/* Histograms of scores with equal bins on [0, 1]. */
#include "density.h"
#include "holdout.h"
#include "weighted.h"

#include <math.h>

enum { DEFAULT_BINS = 20, MOST_BINS = 250 };

static size_t bin_of(double score, size_t bins)
{
    const size_t bin = (size_t)(score * (double)bins);
    return bin < bins ? bin : bins - 1;
}

static void count(const struct sample *sample, size_t bins, double *mass /* (bins) */)
{
    for (size_t b = 0; b < bins; b++)
        mass[b] = 0;
    for (size_t i = 0; i < sample->n; i++)
        mass[bin_of(sample->score[i], bins)] += weight_at(sample->weight, i);
}

/* Adds half a row to each bin: otherwise one empty bin would rule out its number of bins. */
static dedpul_status score_bins(struct context *context, size_t candidate, const struct sample *train,
                                const struct sample *test, double *log_likelihood)
{
    const size_t bins = DEFAULT_BINS + candidate;
    double train_mass[MOST_BINS], test_mass[MOST_BINS];
    (void)context;
    count(train, bins, train_mass);
    count(test, bins, test_mass);
    *log_likelihood = 0;
    for (size_t b = 0; b < bins; b++)
        *log_likelihood +=
            test_mass[b] * log((train_mass[b] + 0.5) * (double)bins / (train->total + 0.5 * (double)bins));
    return DEDPUL_OK;
}

static dedpul_status histogram_fit(struct context *context, const struct sample *sample,
                                   const struct density_request *request, struct density *density)
{
    size_t extra_bins = 0;
    if (request->bandwidth.rule == BANDWIDTH_AUTO)
        TRY(holdout_choose(context, sample, request->role, MOST_BINS - DEFAULT_BINS + 1, score_bins,
                           &extra_bins));
    const size_t bins = DEFAULT_BINS + extra_bins;
    double *height = context_allocate(context, bins, sizeof *height);
    if (height == NULL)
        return DEDPUL_NO_MEMORY;
    count(sample, bins, height);
    for (size_t b = 0; b < bins; b++)
        height[b] *= (double)bins / sample->total;
    *density = (struct density){&density_histogram, (double)bins, height};
    return DEDPUL_OK;
}

static dedpul_status histogram_evaluate(struct context *context, const struct density *density,
                                        const struct sample *points, double *out)
{
    const double *height = density->state;
    (void)context;
    for (size_t i = 0; i < points->n; i++)
        out[i] = height[bin_of(points->score[i], (size_t)density->size)];
    return DEDPUL_OK;
}

const struct density_kind density_histogram = {
    .name = "hist",
    .summary = "histogram of the score, 20 equal bins",
    .is_of_score = true,
    .fit = histogram_fit,
    .evaluate = histogram_evaluate,
};
