#include "guesses.h"

#include "logistic.h"
#include "normal.h"

/* Shares nearer to 0 and 1 are no other guess than these; and an error of 5 logits says nothing at all. */
static const double least_share = 1e-6, largest_error = 5;

struct guess guess_of(double weight, double value, double error)
{
    if (isnan(value))
        return (struct guess){.weight = 0};
    const double share = fmin(fmax(value, least_share), 1 - least_share);
    return (struct guess){weight, logit_of(share), fmin(error / (share * (1 - share)), largest_error)};
}

/* The probability that the share's logit lies below a bound. */
static double probability_below(size_t n, const struct guess *guess, double bound)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double distance = bound - guess[i].logit;
        const double share =
            guess[i].error > 0 ? normal_share(distance / guess[i].error) : (double)(distance >= 0);
        sum += guess[i].weight * share;
    }
    return sum;
}

/* A stretch of logits, and how much of the probability below its ends is missing or too much. */
struct bracket {
    double low, high, missing, excess;
};

/* Beyond eight standard deviations there is nothing. */
static struct bracket bracket_of(size_t n, const struct guess *guess, double wanted, double total)
{
    struct bracket bracket = {INFINITY, -INFINITY, wanted, total - wanted};
    for (size_t i = 0; i < n; i++)
        if (guess[i].weight > 0) {
            bracket.low = fmin(bracket.low, guess[i].logit - 8 * guess[i].error - 1e-6);
            bracket.high = fmax(bracket.high, guess[i].logit + 8 * guess[i].error + 1e-6);
        }
    return bracket;
}

/* Secants find the place fast where the probability rises steadily, and halves where it does not. */
double guesses_quantile(size_t n, const struct guess *guess, double level)
{
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += guess[i].weight;
    if (!(total > 0))
        return NAN;
    struct bracket at = bracket_of(n, guess, level * total, total);
    for (int step = 0; at.high - at.low > 1e-7; step++) {
        const double share = step % 3 < 2 ? at.missing / (at.missing + at.excess) : 0.5;
        const double middle = at.low + fmin(fmax(share, 0.01), 0.99) * (at.high - at.low);
        const double excess = probability_below(n, guess, middle) - level * total;
        if (excess < 0) {
            at.low = middle;
            at.missing = -excess;
        } else {
            at.high = middle;
            at.excess = excess;
        }
    }
    return sigmoid(at.high);
}

/* Quantiles that are next to equal must not change places by rounding. */
struct range guesses_range(size_t n, const struct guess *guess, double level)
{
    const double median = guesses_quantile(n, guess, 0.5);
    return (struct range){median, fmin(guesses_quantile(n, guess, (1 - level) / 2), median),
                          fmax(guesses_quantile(n, guess, (1 + level) / 2), median)};
}
