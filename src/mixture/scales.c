#include "scales.h"

#include "logistic.h"
#include "normal.h"
#include "vectorized.h"

const double quantile_level[N_QUANTILES] = {0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975};

/* The share of the distribution that is nearest to each quantile, but without the 2.5% below the first. */
static const double quantile_weight[N_QUANTILES] = {0.0125, 0.0375, 0.1, 0.2, 0.25, 0.2, 0.1, 0.0375, 0.0375};

double alpha_quantile(const struct alpha_quantiles *quantiles, double level)
{
    const double *logit = quantiles->logit, at = normal_quantile(level);
    size_t k = 1;
    while (k + 1 < N_QUANTILES && level > quantile_level[k])
        k++;
    const double left = normal_quantile(quantile_level[k - 1]), right = normal_quantile(quantile_level[k]);
    return sigmoid(logit[k - 1] + (at - left) / (right - left) * (logit[k] - logit[k - 1]));
}

void alpha_quantiles_center(struct alpha_quantiles *quantiles, double alpha)
{
    const double shift = logit_of(alpha) - quantiles->logit[MEDIAN];
    for (size_t k = 0; k < N_QUANTILES; k++)
        quantiles->logit[k] += shift;
}

void alpha_quantiles_pool(struct alpha_quantiles *quantiles, double other, double error)
{
    double *logit = quantiles->logit;
    const double median = logit[MEDIAN];
    /* The quartiles of a normal distribution are 1.349 standard deviations apart. */
    const double own = (sigmoid(logit[MEDIAN + 1]) - sigmoid(logit[MEDIAN - 1])) / 1.349;
    const double weight = own * own / (2 * own * own + error * error);
    const double spread = sqrt(1 - weight);
    for (size_t k = 0; k < N_QUANTILES; k++)
        logit[k] = median + spread * (logit[k] - median);
    alpha_quantiles_center(quantiles, weight * other + (1 - weight) * sigmoid(median));
}

/* The mean of the posteriors if all scales are multiplied by a factor. */
static double mean_posterior(const struct mixture *mixture, const struct scales *scales, double factor)
{
    double sum = 0;
    for (size_t k = 0; k < scales->n; k++) {
        const double scale = factor * scales->scale[k];
        sum += scales->weight[k] * (scale - mixture_d(mixture, scale)); /* D(a) = a - mean min(a r, 1) */
    }
    return sum;
}

/*
 * Finds the factor for which the mean is alpha. The mean rises with it, so the Illinois method applies: a
 * secant between two factors around the root, in which the height of an end that stays is halved.
 */
static double factor_for(const struct mixture *mixture, const struct scales *scales, double alpha)
{
    double low = 0, below = -alpha, high = 1, above = mean_posterior(mixture, scales, high) - alpha;
    while (above < 0 && high < 1e6) {
        low = high;
        below = above;
        high *= 2;
        above = mean_posterior(mixture, scales, high) - alpha;
    }
    for (int step = 0, side = 0; step < 100 && above > 0 && high - low > 1e-15 * high; step++) {
        const double middle = high - above * (high - low) / (above - below);
        const double here = mean_posterior(mixture, scales, middle) - alpha;
        if (here >= 0) {
            high = middle;
            above = here;
            below *= side > 0 ? 0.5 : 1;
            side = 1;
        } else {
            low = middle;
            below = here;
            above *= side < 0 ? 0.5 : 1;
            side = -1;
        }
    }
    return high;
}

enum { BLOCK = 256 };

/* Fills the posteriors of a block. It goes by scales, so that the loop over rows uses vectors. */
VECTORIZED static void fill_block(const struct scales *scales, size_t n, const double *ratio, double *out)
{
    double sum[BLOCK] = {0};
    for (size_t k = 0; k < scales->n; k++) {
        const double scale = scales->scale[k], weight = scales->weight[k];
        for (size_t i = 0; i < n; i++) {
            const double posterior = scale * ratio[i];
            sum[i] += weight * (posterior < 1 ? posterior : 1);
        }
    }
    for (size_t i = 0; i < n; i++)
        out[i] = sum[i];
}

void posteriors_of(const struct scales *scales, size_t n, const double *ratio, double *out)
{
    for (size_t first = 0; first < n; first += BLOCK)
        fill_block(scales, n - first < BLOCK ? n - first : BLOCK, ratio + first, out + first);
}

struct scales scales_with_mean(const struct mixture *mixture, const struct scales *scales, double alpha)
{
    const double factor = factor_for(mixture, scales, alpha);
    struct scales scaled = *scales;
    for (size_t k = 0; k < scaled.n; k++)
        scaled.scale[k] *= factor;
    return scaled;
}

struct scales scales_of_quantiles(const struct mixture *mixture, const struct alpha_quantiles *quantiles,
                                  double alpha)
{
    struct scales scales = {.n = MOST_SCALES};
    int reached;
    for (size_t k = 0; k < N_QUANTILES; k++) {
        scales.scale[N_TAIL_SCALES + k] = mixture_scale(mixture, sigmoid(quantiles->logit[k]), &reached);
        scales.weight[N_TAIL_SCALES + k] = quantile_weight[k];
    }
    /* What lies below the first quantile: half of it at half the scale, half of the rest at half of that, ...
     */
    double weight = 0.025;
    for (size_t k = N_TAIL_SCALES; k > 0; k--) {
        weight /= k > 1 ? 2 : 1;
        scales.scale[k - 1] = scales.scale[k] / 2;
        scales.weight[k - 1] = weight;
    }
    return scales_with_mean(mixture, &scales, alpha);
}
