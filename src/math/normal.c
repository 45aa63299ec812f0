#include "normal.h"

#include <math.h>

/*
 * Starts from a rational approximation (Abramowitz and Stegun 26.2.23, error below 4.5e-4) and takes two
 * steps of Halley's method on the tail probability, which the C library's erfc gives to nearly full
 * precision.
 */
double normal_quantile(double p)
{
    const double tail = p < 0.5 ? p : 1 - p;
    const double t = sqrt(-2 * log(tail));
    double x =
        t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int i = 0; i < 2; i++) {
        const double error = 0.5 * erfc(x * M_SQRT1_2) - tail;
        const double slope = -exp(-x * x / 2) * 0.3989422804014327;
        const double step = error / slope;
        x -= step / (1 + step * x / 2);
    }
    return p < 0.5 ? -x : x;
}

double normal_share(double value)
{
    return 0.5 * erfc(-value * M_SQRT1_2);
}
