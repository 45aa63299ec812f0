#include "guesses.h"

#include "normal.h"

#include <math.h>

/* At 0, the share of a sample that has none is as likely above as below. */
static double error_at(const struct guess *guess, double bound)
{
    return guess->size > 0 ? sqrt(fmax(bound * (1 - bound), 1e-18) / guess->size) : guess->error;
}

static double probability_below(size_t n, const struct guess *guess, double bound)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double distance = bound - guess[i].value, error = error_at(&guess[i], bound);
        if (guess[i].weight > 0)
            sum += guess[i].weight * (error > 0 ? normal_share(distance / error) : (double)(distance >= 0));
    }
    return sum;
}

/* Secants find the place fast where the probability rises steadily, and halves where it does not. */
static double find_quantile(size_t n, const struct guess *guess, double wanted, double total)
{
    double low = 0, high = 1;
    double missing = wanted - probability_below(n, guess, low), excess = total - wanted;
    for (int step = 0; missing > 0 && high - low > 1e-8; step++) {
        const double share = step % 3 < 2 ? missing / (missing + excess) : 0.5;
        const double middle = low + fmin(fmax(share, 0.01), 0.99) * (high - low);
        const double difference = probability_below(n, guess, middle) - wanted;
        if (difference < 0) {
            low = middle;
            missing = -difference;
        } else {
            high = middle;
            excess = difference;
        }
    }
    return missing > 0 ? high : 0;
}

double guesses_quantile(size_t n, const struct guess *guess, double level)
{
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += guess[i].weight;
    return total > 0 ? find_quantile(n, guess, level * total, total) : NAN;
}

/* Quantiles that are next to equal must not change places by rounding. */
struct range guesses_range(size_t n, const struct guess *guess, double level)
{
    const double median = guesses_quantile(n, guess, 0.5);
    return (struct range){median, fmin(guesses_quantile(n, guess, (1 - level) / 2), median),
                          fmax(guesses_quantile(n, guess, (1 + level) / 2), median)};
}
