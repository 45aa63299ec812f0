#include "chi_square.h"

#include <math.h>

/*
 * The tail is Q(freedom / 2, x / 2), where Q(1/2, y) = erfc(sqrt(y)), Q(1, y) = exp(-y), and
 * Q(a + 1, y) = Q(a, y) + y^a exp(-y) / Gamma(a + 1) (DLMF 8.4.6, 8.4.8, 8.8.6). The terms are kept as
 * logarithms, because the first of many may be too small for a double, but not the sum.
 */
double chi_square_tail(size_t freedom, double value)
{
    const double y = 0.5 * value;
    const int is_odd = freedom % 2 == 1;
    double tail = is_odd ? erfc(sqrt(y)) : exp(-y);
    double log_term = is_odd ? log(sqrt(y) * M_2_SQRTPI) - y : log(y) - y;
    for (size_t f = is_odd ? 1 : 2; f < freedom; f += 2) {
        tail += exp(log_term);
        log_term += log(y / (0.5 * (double)f + 1));
    }
    return fmin(tail, 1);
}
