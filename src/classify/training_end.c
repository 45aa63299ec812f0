#include "training_end.h"

#include <math.h>

/* The share of the fall of an ordinary training that is in the second half of the warm-up. */
static const double usual_share = 0.2;

struct training_end training_end_init(struct schedule schedule, struct training_time time)
{
    return (struct training_end){.schedule = schedule, .time = time};
}

/* If the loss still falls fast at the end of the warm-up, training will take longer. */
void training_end_note(struct training_end *end, unsigned epoch, double loss)
{
    if (epoch == 1)
        end->first = loss;
    if (epoch == TRAINING_WARM_UP / 2)
        end->middle = loss;
    if (epoch != TRAINING_WARM_UP)
        return;
    const double fall = end->first - loss;
    const double share = fall > 0 ? fmin(fmax((end->middle - loss) / fall, 0), 1) : 0;
    end->time.epochs *= exp(end->time.by_fall * (share - usual_share));
}

/*
 * The earliest end is known: `patience` epochs after the best one. Beyond it we expect what is typical of
 * trainings that come so far; their lengths are about lognormal with a deviation of 0.45, and the formula is
 * near the conditional median. The longer there was no better epoch, the less is to be expected.
 */
double training_end_guess(const struct training_end *end, unsigned epoch, unsigned best)
{
    const struct schedule *schedule = &end->schedule;
    if (epoch < TRAINING_WARM_UP || epoch >= schedule->most)
        return epoch < TRAINING_WARM_UP ? 0 : epoch;
    const double earliest = fmax(best > 0 ? best + schedule->patience : schedule->fewest, epoch);
    const double in_vain = best > 0 ? (double)(epoch - best) / fmax(schedule->patience, 1) : 0;
    const double typical = end->time.epochs;
    const double more = typical * (0.3 + 0.7 * exp(-2.3 * earliest / fmax(typical, 1)));
    return fmin(earliest + more * fmax(1 - in_vain, 0), schedule->most);
}
