#include "time_left.h"

#include <math.h>

double time_left_follow(struct time_left *time, double now, double estimate)
{
    const double shown = fmax(time->end - now, 0);
    if (estimate <= 0)
        return shown;
    /* The farther the end, the slower: it takes about a quarter of the time left to change one's mind. */
    const double patience = fmax(fmin(shown, estimate) / 4, 2);
    const double weight = time->end > 0 ? -expm1((time->told - now) / patience) : 1;
    time->end = now + shown + weight * (estimate - shown);
    time->told = now;
    return time->end - now;
}
